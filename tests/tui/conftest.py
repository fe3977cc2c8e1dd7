"""What the tests of the terminal table share."""

from pathlib import Path

import pytest

from heckmeck.tui import local_source


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots and dice take no time here."""
    for name in local_source.SECONDS:
        monkeypatch.setitem(local_source.SECONDS, name, 0.0)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Games are written into a folder of the test, in English and in colour."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("NO_COLOR", raising=False)
