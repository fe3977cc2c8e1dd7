"""The secrets of this device's seats."""

import stat
from pathlib import Path

import pytest

from heckmeck.client.address import MOST_TABLES, KnownSeats, TableAddress

HERE = TableAddress("http://localhost:8000", "boka-miru-tela")
THERE = TableAddress("http://localhost:8001", "boka-miru-tela")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "seats.json"


def test_secrets_are_remembered_by_table(path: Path) -> None:
    KnownSeats(path).add(HERE, "one")
    KnownSeats(path).add(HERE, "two")
    KnownSeats(path).add(THERE, "three")
    assert KnownSeats(path).secrets(HERE) == ("one", "two")
    assert KnownSeats(path).secrets(THERE) == ("three",)


def test_the_same_secret_is_remembered_once(path: Path) -> None:
    known = KnownSeats(path)
    known.add(HERE, "one")
    known.add(HERE, "one")
    assert known.secrets(HERE) == ("one",)


def test_nobody_else_can_read_them(path: Path) -> None:
    KnownSeats(path).add(HERE, "one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["seats.json"]


def test_the_tables_used_longest_ago_are_forgotten(path: Path) -> None:
    known = KnownSeats(path)
    tables = [TableAddress("http://host", f"table-{number}") for number in range(MOST_TABLES + 1)]
    for table in tables:
        known.add(table, "secret")
    assert known.secrets(tables[0]) == ()
    assert all(known.secrets(table) for table in tables[1:])


@pytest.mark.parametrize("text", ["", "{", "[]", '{"http://localhost:8000/t/boka-miru-tela": 7}'])
def test_a_broken_file_counts_as_empty(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    assert KnownSeats(path).secrets(HERE) == ()


def test_one_bad_entry_loses_no_other_seat(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"http://host/t/else": 7, "http://localhost:8000/t/boka-miru-tela": ["one"]}')
    KnownSeats(path).add(THERE, "two")
    assert KnownSeats(path).secrets(HERE) == ("one",)


def test_a_file_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "seats.json"
    path.mkdir()
    with pytest.raises(OSError, match=r"[Dd]irectory"):
        KnownSeats(path).add(HERE, "one")
    assert [each.name for each in tmp_path.iterdir()] == ["seats.json"]
