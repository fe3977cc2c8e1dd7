"""Where a user's games are kept."""

from pathlib import Path

import pytest

from heckmeck.record.folders import data_folder
from heckmeck.server.settings import default_database
from heckmeck.tui.saved import games_folder


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
def test_it_is_where_the_system_wants_it(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], folder: str
) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    assert data_folder(environment, platform) == Path(folder, "heckmeck")


def test_tables_and_games_are_side_by_side() -> None:
    assert default_database() == data_folder() / "tables.sqlite3"
    assert games_folder() == data_folder() / "games"
