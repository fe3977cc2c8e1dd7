"""`heckmeck solve`: small boards on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.coach.champions import with_champions, without_champions


def test_a_board_is_solved_and_told(terminal: Terminal) -> None:
    shown = terminal.run("solve", "--tiles", "21-22", "--against", "fox")
    assert (shown.status, shown.err) == (0, "")
    assert "Classic for two with 21 22: 6 positions, solved in " in shown.out
    assert "With perfect play, the first player wins 63.6329% of the games." in shown.out
    assert "fox wins " in shown.out


def test_json_has_the_figures(terminal: Terminal) -> None:
    data = json.loads(terminal.run("solve", "--tiles", "21,22", "--against", "fox", "--json").out)
    assert data["tiles"] == [21, 22]
    assert data["positions"] == 6
    assert data["first_player"] == pytest.approx(0.63632940, abs=1e-8)
    assert data["gap"] < 1e-8
    assert 0 < data["against_perfect_play"]["fox"]["share"] <= 0.5


def test_every_position_is_written(terminal: Terminal) -> None:
    assert terminal.run("solve", "--tiles", "21-22", "--out", "p.csv").status == 0
    header, start, *others = Path("p.csv").read_text("utf-8").splitlines()
    assert header == "face_up,face_down,own_stack,other_stack,chance"
    assert start.startswith("21 22,,,,0.63632940")
    assert len(others) == 5
    again = terminal.run("solve", "--tiles", "21", "--out", "p.csv")
    assert again.status == 1
    assert "already exists" in again.err


@pytest.mark.parametrize(
    ("tiles", "status", "sentence"),
    [
        ("twenty", 2, "'twenty' is not a tile or a range. Write tiles as 21-25 or 21,23,30."),
        ("21-", 2, "is not a tile or a range"),
        ("12-15", 1, "A board has tiles from 21 to 36"),
        ("21-36", 1, "At most 7 tiles can be solved, not 16."),
        ("21-999999", 1, "A board has tiles from 21 to 36"),
    ],
)
def test_what_is_no_board(terminal: Terminal, tiles: str, status: int, sentence: str) -> None:
    shown = terminal.run("solve", "--tiles", tiles)
    assert shown.status == status
    assert sentence in " ".join(shown.err.split())


def test_a_champion_that_there_is_not(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    without_champions(monkeypatch)
    shown = terminal.run("solve", "--tiles", "21", "--against", "champion")
    assert shown.status == 1
    assert "champion has not learned classic" in shown.err


def test_an_untrained_champion_loses_to_perfect_play(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_champions(monkeypatch)
    shown = terminal.run("solve", "--tiles", "21-22", "--against", "champion", "--json")
    assert json.loads(shown.out)["against_perfect_play"]["champion"]["share"] < 0.5
