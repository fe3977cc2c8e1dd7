"""What the tests of the commands share."""

import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


@pytest.fixture(autouse=True)
def plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands speak English here, in whole lines, whatever the terminal of who runs the tests."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nobody had installed it."""
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [NoMatplotlib(), *sys.meta_path])


class NoMatplotlib(MetaPathFinder):
    """Finds that it is not there."""

    def find_spec(self, fullname: str, *_: object) -> None:
        """Refuse; everything else is found by others."""
        if fullname.partition(".")[0] == "matplotlib":
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Terminal:
    """A terminal in an empty directory of its own."""
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch)
