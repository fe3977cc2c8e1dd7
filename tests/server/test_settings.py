"""What a host can choose, and what is chosen otherwise."""

import sys
from pathlib import Path

import pytest

from heckmeck.server.settings import Settings, default_database, web_folder


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data"),
        ("linux", {"XDG_DATA_HOME": "not/absolute"}, "/home/ada/.local/share"),
        ("linux", {}, "/home/ada/.local/share"),
        ("darwin", {}, "/home/ada/Library/Application Support"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local"),
        ("win32", {}, "/home/ada/AppData/Local"),
    ],
)
def test_tables_are_kept_in_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], folder: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    assert default_database() == Path(folder, "heckmeck", "tables.sqlite3")


def test_a_password_in_the_address_is_not_shown() -> None:
    assert "hunter2" not in repr(Settings("postgresql://ada:hunter2@db/heckmeck"))


def test_web_pages_are_there_when_they_were_built() -> None:
    folder = web_folder()
    assert folder is None or (folder / "index.html").is_file()
