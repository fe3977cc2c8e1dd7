"""Reports in any width: bars shrink and vanish, and no figure and no name is ever cut off."""

import re
from collections import Counter
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from heckmeck.cli.printing import Column, print_table, width, wrapped
from heckmeck.record import record_to_json, write_json
from heckmeck.record.json_text import dumps
from tests.cli.records import BAD_MOVE, FIRST_TURN, WITH_EVERYTHING, read
from tests.cli.terminal import Terminal
from tests.dice.test_fair import fair_game

WIDE = "200"
REPORTS = {
    "odds": "odds --kept 44W --roll 1134W --unit worms",
    "odds of deluxe": "odds --edition deluxe --holding weasel",
    "advise": "advise turn.txt --move 2 --unit worms",
    "arena": "arena --bots rooster,chick,random --games 12 --edition junior --seed 5",
    "solve": "solve --tiles 21-22 --against fox",
    "bots": "bots --language fr",
    "replay": "replay everything.txt",
    "validate": "validate turn.txt bad.txt games.jsonl",
    "verify": "verify fair.json turn.txt",
    "rules": "rules deluxe --language de",
}


@pytest.fixture
def folder(terminal: Terminal) -> Terminal:
    """A terminal in a folder with what the reports are about."""
    Path("turn.txt").write_text(FIRST_TURN)
    Path("bad.txt").write_text(BAD_MOVE)
    Path("everything.txt").write_text(WITH_EVERYTHING)
    Path("fair.json").write_text(write_json(fair_game("junior")))
    Path("games.jsonl").write_text(f"{dumps(record_to_json(read(FIRST_TURN)))}\n" * 1234)
    return terminal


def report(terminal: Terminal, line: str, columns: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what the command writes on a terminal, by a clock that goes the same each time."""
    monkeypatch.setattr("heckmeck.cli.printing._is_terminal", lambda _: True)
    monkeypatch.setenv("COLUMNS", columns)
    for command in ("arena", "solve"):
        monkeypatch.setattr(
            f"heckmeck.cli.{command}.time", SimpleNamespace(perf_counter=count().__next__)
        )
    shown = terminal.run(*line.split())
    assert shown.status in (0, 1), shown.err
    return shown.out + shown.err


def figures(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d[\d.,:]*\d%?|\d%?", text))


def words(text: str) -> set[str]:
    """All words but the headings of names: a list has none."""
    return set(re.findall(r"[^\W\d]+", text)) - {"bot", "pair"}


@pytest.mark.parametrize("columns", ["40", "60", "80"])
@pytest.mark.parametrize("name", REPORTS)
def test_every_figure_and_every_word_of_the_wide_report_is_there(
    folder: Terminal, name: str, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = report(folder, REPORTS[name], WIDE, monkeypatch)
    narrow = report(folder, REPORTS[name], columns, monkeypatch)
    assert figures(narrow) >= figures(wide)
    assert words(narrow) >= words(wide)
    assert "…" not in narrow
    assert all(len(line.rstrip()) <= int(columns) for line in narrow.splitlines()), narrow


def bars(text: str) -> int:
    return max(map(len, re.findall("█+", text)), default=0)


def test_bars_shrink_and_vanish_first(folder: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = [
        bars(report(folder, "odds", columns, monkeypatch)) for columns in ("200", "80", "40")
    ]
    assert lengths[0] == lengths[1] > lengths[2] > 0
    narrowest = report(folder, "odds", "30", monkeypatch)
    assert bars(narrowest) == 0
    assert re.search(r"^ 21 +\d+\.\d% +\d+\.\d% ?$", narrowest, re.MULTILINE)


def test_a_table_without_room_becomes_a_list(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = (Column("bot", "left"), Column("games"), Column("95 % interval"))
    rows = [("fox", "1,000", "49.0 to 51.0 %"), ("chick", "2", "0.1 to 99.0 %")]
    monkeypatch.setenv("COLUMNS", "29")
    print_table(columns, rows)
    assert capsys.readouterr().out.splitlines() == [
        "fox",
        "  games          1,000",
        "  95 % interval  49.0 to 51.0 %",
        "chick",
        "  games          2",
        "  95 % interval  0.1 to 99.0 %",
    ]


@pytest.mark.parametrize("columns", ["40", ""])
def test_a_pipe_gets_a_line_for_each_thing(
    folder: Terminal, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert len(folder.run("replay", "everything.txt").out.splitlines()) == 2 + 15
    assert len(folder.run("validate", "turn.txt", "bad.txt").err.splitlines()) == 1


@pytest.mark.parametrize("columns", ["0", "-5", "wide", ""])
def test_columns_that_are_no_number_are_not_believed(
    columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert width() is None


def test_a_name_is_never_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr("heckmeck.cli.printing._is_terminal", lambda _: True)
    path = "a/rather-long/path-to/a.heckmeck.json"
    assert wrapped(f"{path}: ok, classic, 2 players", hanging=2).splitlines() == [
        f"{path}:",
        "  ok, classic, 2",
        "  players",
    ]
