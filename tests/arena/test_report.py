"""Reports as JSON, in words and in pictures."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from heckmeck.arena.report import (
    bot_rows,
    draw_all,
    headline,
    report_to_json,
    report_to_markdown,
    sentences,
)
from heckmeck.arena.standings import Standings, tally_of
from heckmeck.arena.tournament import Tournament
from tests.arena.games import GAMES, played

TOURNAMENT = Tournament("classic", ("fox", "chick"), 2, 5, seed=1)
TALLY = tally_of(GAMES, 2)
REPORT = Standings(TOURNAMENT, TALLY, seconds=2.0)

THREE = Tournament("junior", ("a|b", "c", "d"), 3, 7, seed=9)
THREE_GAMES = [
    played(number, "a|b c d", (1, 2, 3), ranking=((2,), (1,), (0,))) for number in range(3)
]


def test_the_json_begins_with_what_was_promised() -> None:
    data = report_to_json(REPORT)
    assert [*data][:6] == ["edition", "seats", "games", "seconds", "games_per_second", "bots"]
    assert data["edition"] == "classic"
    assert data["seats"] == 2
    assert data["games"] == 5
    assert data["seconds"] == 2.0
    assert data["games_per_second"] == 2.5
    bots = data["bots"]
    assert isinstance(bots, list)
    fox = bots[0]
    assert isinstance(fox, dict)
    assert [*fox][:6] == ["name", "games", "wins", "win_share", "interval", "mean_score"]
    assert [*fox.values()][:4] == ["fox", 5, 3.5, 0.7]
    assert fox["mean_score"] == 4.0


def test_the_json_has_the_rest_too() -> None:
    data = json.loads(json.dumps(report_to_json(REPORT)))
    assert (data["seed"], data["complete"]) == (1, True)
    assert [rating["name"] for rating in data["ratings"]] == ["fox", "chick"]
    assert data["pairs"][0]["bots"] == ["fox", "chick"]
    assert data["pairs"][0]["ahead_share"] == 0.7
    assert [seat["wins"] for seat in data["by_seat"]] == [2.5, 2.5]
    assert data["first_player"]["advantage"] == 0
    assert data["length"]["turns"] == {"mean": 23.4, "min": 20, "max": 30}
    assert data["length"]["words"] == {"mean": 224.0, "min": 190, "max": 280}


def test_a_report_of_an_unfinished_tournament_says_so() -> None:
    report = replace(REPORT, tournament=replace(TOURNAMENT, games=1000))
    assert report_to_json(report)["complete"] is False
    assert headline(report) == "classic, 2 players: 5 of 1,000 games, seed 1"


def test_the_best_bot_comes_first_in_tables() -> None:
    tournament = replace(TOURNAMENT, bots=("chick", "fox"))
    rows = bot_rows(Standings(tournament, TALLY, 1.0))
    assert [row[0] for row in rows] == ["fox", "chick"]
    assert rows[0][2:5] == ("5", "3.5", "70.0%")
    assert rows[0][-1] == "4.00"


def test_a_bot_alone_has_no_rating() -> None:
    tournament = replace(TOURNAMENT, bots=("fox", "fox"))
    games = [played(0, "fox fox", (3, 1), ranking=((0,), (1,)))]
    assert bot_rows(Standings(tournament, tally_of(games, 2), 1.0))[0][1] == ""


def test_sentences() -> None:
    first, length, balance = sentences(REPORT)
    assert first.startswith("The first player wins 50.0% of the games, +0.0 points against an")
    assert length == "A game takes 23.4 turns (20 to 30), 224 moves (190 to 280)."
    assert balance == "Seats are balanced after every 2 games; 5 is not a multiple of that."
    whole = replace(REPORT, tournament=replace(TOURNAMENT, games=4))
    assert len(sentences(whole)) == 2


def test_the_page_has_tables_and_pictures() -> None:
    report = Standings(THREE, tally_of(THREE_GAMES, 3), seconds=1.0)
    page = report_to_markdown(report, [("Wins", "wins.svg")])
    assert page.startswith("# Arena\n\njunior, 3 players: 3 of 7 games, seed 9. ")
    assert "| a\\|b | " in page
    assert "| d | " in page
    assert "## Who is ahead of whom" in page
    assert "| c ahead of d | 3 | 0.0% |" in page
    assert "| 3 | 100.0% |" in page
    assert page.endswith("![Wins](wins.svg)\n")


def test_two_bots_need_no_table_of_pairs() -> None:
    assert "ahead" not in report_to_markdown(REPORT)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    assert draw_all(REPORT, tmp_path) == [
        ("Win shares with 95% intervals", "win_shares.svg"),
        ("Final scores", "scores.svg"),
        ("Length of a game", "length.svg"),
    ]
    return tmp_path


def test_pictures_are_svg_and_png(pictures: Path) -> None:
    assert sorted(path.name for path in pictures.iterdir()) == [
        f"{name}.{form}" for name in ("length", "scores", "win_shares") for form in ("png", "svg")
    ]
    for path in pictures.glob("*.svg"):
        assert ET.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
    for path in pictures.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG\r\n")


def test_the_same_tournament_makes_the_same_pictures(pictures: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    draw_all(REPORT, again)
    for path in again.iterdir():
        assert path.read_bytes() == (pictures / path.name).read_bytes()


def test_pictures_do_not_depend_on_whose_games_were_counted_first(
    pictures: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    tally = tally_of(reversed(GAMES), 2)
    draw_all(Standings(TOURNAMENT, tally, 1.0), other)
    for path in other.iterdir():
        assert path.read_bytes() == (pictures / path.name).read_bytes()


def test_a_bot_that_won_nothing_is_drawn(tmp_path: Path) -> None:
    """Its interval begins at 0, and not a hair above."""
    tally = tally_of(THREE_GAMES, 3)
    draw_all(Standings(THREE, tally, 1.0), tmp_path)
    assert (tmp_path / "win_shares.svg").exists()


def test_a_name_with_dollars_is_no_formula(tmp_path: Path) -> None:
    tournament = replace(TOURNAMENT, bots=("exec:$a", "$b_{$"))
    games = [played(0, "exec:$a $b_{$", (3, 1), ranking=((0,), (1,)))]
    tally = tally_of(games, 2)
    draw_all(Standings(tournament, tally, 1.0), tmp_path)
    assert (tmp_path / "scores.png").exists()
