"""Compiling beside a server: once, alone, and no longer than it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from heckmeck.cli import main
from heckmeck.cli import prepare as command
from heckmeck.coach import preparing
from heckmeck.coach.preparing import Part
from tests.bots.programs import is_running

#: A server, as far as this is concerned: it prepares for ever, and says who does.
SERVER = """
import sys, time
from heckmeck.cli import prepare as command

if __name__ == "__main__":
    process = command.start_preparing()
    print(process.pid if process else "nothing to do", flush=True)
    time.sleep(1000)
"""


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "heckmeck"


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[Part]:
    """What was prepared, in this process and without lasting effects on it."""
    parts: list[Part] = []
    monkeypatch.setattr(preparing, "prepare", parts.append)
    monkeypatch.setattr("os.nice", lambda _: 0)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    return parts


def prepare() -> None:
    command._prepare()  # noqa: SLF001 (what the process does)


def test_everything_is_prepared_once(prepared: list[Part]) -> None:
    assert not command.is_prepared()
    prepare()
    assert prepared == preparing.parts()
    assert command.is_prepared()
    prepare()
    assert len(prepared) == len(preparing.parts())
    assert command.start_preparing() is None


@pytest.mark.usefixtures("prepared")
def test_the_command_prepares_for_servers_too() -> None:
    assert main(["prepare", "--quiet"]) == 0
    assert command.is_prepared()


@pytest.mark.usefixtures("prepared")
@pytest.mark.parametrize("changed", ["sys.version", "importlib.metadata.version"])
def test_another_python_or_numba_is_prepared_again(
    monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    prepare()
    monkeypatch.setattr(changed, "9.9" if changed == "sys.version" else lambda _: "9.9")
    assert not command.is_prepared()


def test_only_one_process_prepares(prepared: list[Part]) -> None:
    with command._alone() as first:  # noqa: SLF001
        assert first
        prepare()
    assert prepared == []
    prepare()
    assert prepared != []


def test_where_nothing_can_be_written_it_is_prepared_all_the_same(
    prepared: list[Part], data: Path
) -> None:
    data.write_text("no folder")
    prepare()
    assert prepared != []
    assert not command.is_prepared()


def test_a_note_that_cannot_be_read_counts_as_none(data: Path) -> None:
    (data / "prepared").mkdir(parents=True)
    assert not command.is_prepared()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_the_server(tmp_path: Path, sign: signal.Signals) -> None:
    program = tmp_path / "server.py"
    program.write_text(SERVER)
    with subprocess.Popen(
        [sys.executable, program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        child = int(server.stdout.readline())
        until(lambda: priority_of(child) == 19)  # it is well under way
        server.send_signal(sign)
        server.wait(30)
        until(lambda: not is_running(child))


def priority_of(pid: int) -> int:
    return os.getpriority(os.PRIO_PROCESS, pid)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_every_package_with_compiled_functions_is_watched() -> None:
    package = Path(command.__file__).parent.parent
    compiled = {
        path.relative_to(package).parts[0]
        for path in package.rglob("*.py")
        if "\n@compiled" in path.read_text(encoding="utf-8")
    }
    assert compiled <= {*command._SOURCES}  # noqa: SLF001
