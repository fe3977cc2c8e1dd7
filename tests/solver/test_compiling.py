"""What is said while something is compiled, and where it is kept."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from numba import config, njit

from heckmeck.cli import main
from heckmeck.solver import compiling

PROGRAM = """
import sys
from heckmeck.solver import compiling

sys.path.insert(0, sys.argv[1])
import grilling
compiling.PARTS["grilling"] = compiling.PARTS["heckmeck.solver."]
print(grilling.double(4), compiling.is_compiling())
"""
MODULE = """
from heckmeck.solver.compiling import compiled

@compiled
def double(number):
    return 2 * number
"""
NOTE = "heckmeck: compiling the odds (once per installation, about 10 seconds)...\n"


def test_it_is_said_once_and_not_when_it_is_there_already(tmp_path: Path) -> None:
    (tmp_path / "grilling.py").write_text(MODULE)
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "HECKMECK_COMPILING": "tell",
    }
    for said in (NOTE, ""):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, tmp_path],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert (done.stdout, done.stderr) == ("8 False\n", said)


def compile_something(module: str) -> list[bool]:
    """Compile a function of that module; return whether it was seen to be under way."""
    seen: list[bool] = []

    def double(number: int) -> int:
        return 2 * number

    double.__module__ = module
    original = compiling._Waiting._say  # noqa: SLF001

    def say(waiting: compiling._Waiting, what: str, seconds: int) -> None:
        seen.append(compiling.is_compiling())
        original(waiting, what, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling._Waiting, "_say", say)  # noqa: SLF001
        patch.setattr(compiling._waiting, "_said", set())  # noqa: SLF001
        assert njit()(double)(4) == 8
    return seen


@pytest.mark.parametrize(
    ("module", "what"),
    [
        ("heckmeck.solver.kernel", "the odds"),
        ("heckmeck.bulk.junior", "the champions"),
        ("heckmeck.bulk.machine", "bulk play"),
    ],
)
def test_what_is_compiled_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], module: str, what: str
) -> None:
    monkeypatch.setenv("HECKMECK_COMPILING", "tell")
    assert compile_something(module) == [True]
    assert f"compiling {what} (once" in capsys.readouterr().err
    assert not compiling.is_compiling()


def test_what_is_not_ours_is_not_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HECKMECK_COMPILING", "tell")
    assert compile_something("somebody.else") == []
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("value", ["quiet", None])
def test_a_library_and_a_server_are_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], value: str | None
) -> None:
    monkeypatch.delenv("HECKMECK_COMPILING")
    if value is not None:
        monkeypatch.setenv("HECKMECK_COMPILING", value)
    compile_something("heckmeck.solver.kernel")
    assert capsys.readouterr().err == ""


class Process:
    def __init__(self, name: str) -> None:
        self.name = name


@pytest.mark.parametrize(("name", "speaks"), [("SpawnProcess-1", True), ("SpawnProcess-2", False)])
def test_one_worker_speaks_for_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, speaks: bool
) -> None:
    monkeypatch.setenv("HECKMECK_COMPILING", "tell")
    monkeypatch.setattr("multiprocessing.parent_process", lambda: Process("MainProcess"))
    monkeypatch.setattr("multiprocessing.current_process", lambda: Process(name))
    compile_something("heckmeck.solver.kernel")
    assert bool(capsys.readouterr().err) is speaks


def test_commands_tell_and_pass_it_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HECKMECK_COMPILING")
    main(["--version"])
    assert os.environ["HECKMECK_COMPILING"] == "tell"


# --- where it is kept -----------------------------------------------------------------------------


def refusing(places: set[str]) -> Callable[..., object]:
    """A Numba that keeps nothing but in these places."""

    def fake(*_: object, cache: bool = False, **__: object) -> Callable[[object], object]:
        if cache and config.CACHE_DIR not in places:  # type: ignore[attr-defined]
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    return fake


def double(number: int) -> int:
    return 2 * number


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(config, "CACHE_DIR", "")
    return tmp_path / f"heckmeck-compiled-{os.getuid()}"


def test_a_read_only_installation_without_a_home(
    monkeypatch: pytest.MonkeyPatch, temporary: Path
) -> None:
    monkeypatch.setattr("numba.njit", refusing({str(temporary)}))
    assert compiling.compiled(double)(4) == 8
    assert str(temporary) == config.CACHE_DIR  # type: ignore[attr-defined]
    assert temporary.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("how", ["open to all", "a file"])
def test_what_others_could_write_is_not_run(
    monkeypatch: pytest.MonkeyPatch, temporary: Path, how: str
) -> None:
    if how == "a file":
        temporary.write_text("")
    else:
        temporary.mkdir()
        temporary.chmod(0o777)
    monkeypatch.setattr("numba.njit", refusing({str(temporary)}))
    assert compiling.compiled(double)(4) == 8
    assert config.CACHE_DIR == ""  # type: ignore[attr-defined]
