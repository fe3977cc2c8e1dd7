"""Advice about missing packages fits the way heckmeck was installed."""

import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from heckmeck.cli import main
from heckmeck.installation import EXTRA_OF, Place, missing, to_add

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    """An environment in a folder with a space in its name."""
    prefix = tmp_path / "my games" / ".venv"
    prefix.mkdir(parents=True)
    return prefix


def test_in_an_active_environment_it_is_pip(venv: Path) -> None:
    place = Place("/x/bin/python", venv, is_venv=True, active=True, installer="pip")
    assert to_add("plots", place) == "Add it with: pip install 'heckmeck[plots]'"


@pytest.mark.parametrize("name", [".venv", "play"])
def test_elsewhere_it_is_the_pip_of_that_python(tmp_path: Path, name: str) -> None:
    """So for the environment of ./play, in which nobody's shell is."""
    place = Place(f"/my games/{name}/bin/python", tmp_path, is_venv=True, installer="pip")
    assert to_add("ray", place) == (
        f"Add it with: '/my games/{name}/bin/python' -m pip install 'heckmeck[ray]'"
    )


def test_pipx(venv: Path) -> None:
    (venv / "pipx_metadata.json").write_text("{}")
    place = Place("/x/python", venv, is_venv=True, installer="pip")
    assert to_add("plots", place) == "Add it with: pipx install --force 'heckmeck[plots]'"


def test_a_tool_of_uv(venv: Path) -> None:
    (venv / "uv-receipt.toml").write_text("[tool]\n")
    place = Place("/x/python", venv, is_venv=True, installer="uv")
    assert to_add("plots", place) == "Add it with: uv tool install 'heckmeck[plots]'"


def test_a_project_of_uv(venv: Path) -> None:
    (venv.parent / "uv.lock").write_text("")
    place = Place("/x/python", venv, is_venv=True, active=True, installer="uv")
    assert to_add("postgres", place) == "Add it with: uv add 'heckmeck[postgres]'"


def test_an_environment_that_uv_filled_and_that_has_no_pip(venv: Path) -> None:
    place = Place("/x/python", venv, is_venv=True, active=True, installer="uv")
    assert to_add("plots", place) == (
        "Add it with: uv pip install --python /x/python 'heckmeck[plots]'"
    )


def test_the_systems_python_is_left_alone() -> None:
    place = Place("/usr/bin/python3", Path("/usr"), is_venv=False, installer="pip", managed=True)
    assert to_add("plots", place) == (
        "This Python belongs to your system and should not be changed; use pipx: "
        "pipx install 'heckmeck[plots]'"
    )


def test_an_environment_made_from_the_systems_python_may_be_changed(venv: Path) -> None:
    """It shares the standard library, and with it the mark that forbids pip."""
    place = Place("/x/python", venv, is_venv=True, active=True, installer="pip", managed=True)
    assert to_add("plots", place) == "Add it with: pip install 'heckmeck[plots]'"


def test_a_python_of_ones_own() -> None:
    place = Place("/opt/python/bin/python3", Path("/opt/python"), is_venv=False, installer="pip")
    assert to_add("plots", place) == (
        "Add it with: /opt/python/bin/python3 -m pip install 'heckmeck[plots]'"
    )


def test_windows_has_other_quotes() -> None:
    place = Place(r"C:\My Games\python.exe", Path("C:"), is_venv=True, windows=True)
    assert to_add("plots", place) == (
        r'Add it with: "C:\My Games\python.exe" -m pip install heckmeck[plots]'
    )


def test_here() -> None:
    place = Place.here()
    assert (place.executable, place.is_venv) == (sys.executable, sys.prefix != sys.base_prefix)
    assert place.installer == "pip"  # ./check's environment


@pytest.mark.parametrize("package", EXTRA_OF)
def test_every_extra_that_is_advised_exists_and_brings_its_package(package: str) -> None:
    brought = PROJECT["optional-dependencies"][EXTRA_OF[package]]
    project = {"PIL": "pillow", "pyspiel": "open_spiel"}.get(package, package)
    assert any(need.replace("-", "_").startswith(project) for need in brought)


def test_one_install_is_enough_to_play() -> None:
    assert set(PROJECT["optional-dependencies"]) == {
        "data",
        "envs",
        "plots",
        "postgres",
        "ray",
        "torch",
        "dev",
        "bench",
    }
    for package in ("msgspec", "numba", "numpy", "starlette", "textual", "uvicorn", "websockets"):
        assert any(need.startswith(f"{package}>=") for need in PROJECT["dependencies"])


def test_a_command_says_how_to_add_what_it_misses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place("/x/python", Path("/x"), is_venv=True, active=True)
    monkeypatch.setattr(Place, "here", lambda: place)
    monkeypatch.setattr("heckmeck.cli.cli.main", _lacks("matplotlib"))
    assert main([]) == 1
    assert capsys.readouterr().err == (
        "heckmeck: this needs a package that is not installed here (matplotlib). "
        "Add it with: pip install 'heckmeck[plots]'\n"
    )


def test_a_broken_installation_is_repaired(venv: Path) -> None:
    place = Place("/x/python", venv, is_venv=True, active=True)
    assert missing("numba", place) == (
        "this installation is incomplete: the package numba is missing. "
        "Repair it with: pip install --force-reinstall heckmeck"
    )
    (venv / "uv-receipt.toml").write_text("[tool]\n")
    assert str(missing("msgspec", place)).endswith("uv tool install --reinstall heckmeck")


def test_what_nobody_asked_for_is_a_bug_and_keeps_its_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert missing("grill") is None
    monkeypatch.setattr("heckmeck.cli.cli.main", _lacks("grill"))
    with pytest.raises(ModuleNotFoundError):
        main([])


def test_run_from_its_source_it_has_no_installer(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(_: str) -> None:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "distribution", not_installed)
    assert Place.here().installer == ""


def _lacks(package: str) -> object:
    def run(*_: object, **__: object) -> None:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)

    return run
