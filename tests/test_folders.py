"""Where a user's games are kept."""

import os
import sys
from pathlib import Path

import pytest

from heckmeck.installation import data_folder, write_safely
from heckmeck.server.store import default_database
from heckmeck.tui.local_game import games_folder


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return tmp_path


def test_it_is_where_linux_wants_it(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    usual = home / ".local" / "share" / "heckmeck"
    assert data_folder() == usual
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert data_folder() == Path("/data/heckmeck")
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    assert data_folder() == usual


def test_on_a_mac_the_folder_that_was_always_used_is_kept(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert data_folder() == Path("/data/heckmeck")
    usual = home / "Library" / "Application Support" / "heckmeck"
    usual.mkdir(parents=True)
    assert data_folder() == usual


def test_on_windows_a_variable_moves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert data_folder() == Path("/local/heckmeck")


def test_tables_and_games_are_side_by_side() -> None:
    assert default_database() == data_folder() / "tables.sqlite3"
    assert games_folder() == data_folder() / "games"


def test_a_file_is_written_whole_and_for_its_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "seats.json"
    write_safely(path, "old")
    write_safely(path, "new", 0o600)
    assert path.read_text() == "new"
    assert [each.name for each in tmp_path.iterdir()] == ["seats.json"]
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o600
