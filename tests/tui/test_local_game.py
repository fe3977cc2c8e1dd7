"""Games on disk."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from heckmeck.record import Record, read_record, write_json
from heckmeck.tui.local_game import (
    KEY,
    CannotSave,
    Seated,
    latest_unfinished,
    new_path,
    seated_in,
    write_game,
)
from tests.tui.positions import classic_steal
from tests.tui.tables import new_record

NOW = datetime(2026, 11, 16, 1, 2, 3, tzinfo=UTC)


def test_who_plays_is_in_the_record_and_comes_back() -> None:
    seated = Seated(("me", "fox"), "7")
    record = Record("classic", ("me", "fox"), extra=seated.in_record())
    assert seated_in(read_record(write_json(record).encode())) == seated


@pytest.mark.parametrize(
    "data",
    [
        None,
        7,
        {},
        {"players": ["me"], "seed": "7"},
        {"players": ["me", 7], "seed": "7"},
        {"players": "me,fox", "seed": "7"},
        {"players": ["me", "fox"], "seed": 7},
    ],
)
def test_what_does_not_say_who_plays_is_no_reason_to_fall_over(data: object) -> None:
    record = Record("classic", ("me", "fox"), extra={KEY: data})  # type: ignore[dict-item]
    assert seated_in(record) is None
    assert seated_in(Record("classic", ("me", "fox"))) is None


def test_a_game_is_written_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "game.heckmeck.json"
    write_game(path, new_record("classic"))
    write_game(path, classic_steal())
    assert read_record(path.read_bytes()) == classic_steal()
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotSave, match=r"nowhere.game: No such file or directory"):
        write_game(tmp_path / "nowhere" / "game", new_record("classic"))
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotSave):
        new_path(tmp_path / "file" / "games", "classic", NOW)


def test_no_game_takes_another_ones_name(tmp_path: Path) -> None:
    first = new_path(tmp_path / "games", "deluxe", NOW)
    first.write_text("")
    second = new_path(tmp_path / "games", "deluxe", NOW)
    assert first.name == "2026-11-16-010203-deluxe.heckmeck.json"
    assert second.name == "2026-11-16-010203-deluxe-1.heckmeck.json"


def test_the_latest_game_that_is_not_over_is_found(tmp_path: Path) -> None:
    assert latest_unfinished(tmp_path / "nowhere") is None
    for age, name in enumerate(["new", "old"]):
        path = tmp_path / f"{name}.heckmeck.json"
        write_game(path, new_record("classic"))
        os.utime(path, (1000 - age, 1000 - age))
    (tmp_path / "broken.heckmeck.json").write_text("{")
    (tmp_path / ".hidden.heckmeck.json").write_text(write_json(new_record("classic")))
    (tmp_path / "notes.txt").write_text("buy worms")
    assert latest_unfinished(tmp_path) == tmp_path / "new.heckmeck.json"
