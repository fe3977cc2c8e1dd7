"""`heckmeck puzzle` and `heckmeck puzzles`."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from heckmeck.bots import player
from heckmeck.coach.why import Why
from heckmeck.puzzles import book_of
from heckmeck.record import write_json
from tests.bots.games import bot_game
from tests.cli.terminal import Terminal

DAY = date(2026, 11, 18)
PUZZLE = book_of("classic").of_day(DAY)
WRONG = [*PUZZLE.moves][-1]


def test_a_puzzle_is_solved_at_the_second_try(terminal: Terminal) -> None:
    answers = iter(["nonsense", WRONG, PUZZLE.solution])
    shown = terminal.sit_down(
        "puzzle", "--date", f"{DAY}", choose=lambda offered: asked(offered, next(answers))
    )
    assert shown.status == 0
    assert "'nonsense' is not possible here." in shown.out
    assert f"gives away {100 * PUZZLE.loss(WRONG):.1f} points" in shown.out
    assert "Right." in shown.out
    assert PUZZLE.reason is not None
    assert (
        Why("en", book_of("classic").names, PUZZLE.state["to_move"])(PUZZLE.reason, "win")
        in shown.out
    )
    last = shown.out.splitlines()[-1]
    assert last == f"heckmeck classic puzzle {DAY}: {'★' * PUZZLE.stars} try 2"


def asked(offered: list[str], answer: str) -> str:
    """Answer a question, which must not give the solution away."""
    assert offered == [*sorted(PUZZLE.moves), "show"]
    return answer


def test_the_solution_can_be_shown_in_every_language(terminal: Terminal) -> None:
    shown = terminal.sit_down(
        "puzzle", "--date", f"{DAY}", "--language", "de", choose=lambda _: "show"
    )
    assert "am besten" in shown.out
    assert "Lösung gezeigt" in shown.out.splitlines()[-1]


def test_whoever_leaves_is_told_nothing(terminal: Terminal) -> None:
    shown = terminal.sit_down("puzzle", "--date", f"{DAY}", choose=lambda _: "q")
    assert shown.status == 0
    assert "best" not in shown.out.split("What is the best move?")[1]


def test_as_json_with_the_solution(terminal: Terminal) -> None:
    shown = terminal.run("puzzle", "--date", f"{DAY}", "--json")
    data = json.loads(shown.out)
    assert data["moves"][0]["move"] == PUZZLE.solution
    assert data["state"]["legal"] == sorted(PUZZLE.moves)
    assert data["evaluator"] == book_of("classic").evaluator


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--date 2020-01-01", "the first puzzle is that of 2026-01-01"),
        ("--date tomorrow", "tomorrow"),
        ("--seat Ada", "--seat NAME goes with --from"),
        ("--from nowhere.txt", "nowhere.txt: No such file"),
        ("--from nowhere.txt --date 2026-11-18", "leave it out with --from"),
    ],
)
def test_what_is_wrong_is_said(terminal: Terminal, arguments: str, complaint: str) -> None:
    shown = terminal.run("puzzle", *arguments.split())
    assert shown.status != 0
    assert complaint in shown.err


def test_mistakes_come_again_until_they_are_solved_at_once(terminal: Terminal) -> None:
    Path("games").mkdir()
    game = write_json(bot_game("junior", 2, seed=4, bot=player("random")))
    Path("games/one.heckmeck.json").write_text(game, encoding="utf-8")
    listed = terminal.run("puzzle", "--from", "games", "--json")
    exercises = [json.loads(line) for line in listed.out.splitlines()]
    assert exercises
    best = [each["moves"][0]["move"] for each in exercises]
    shown_first = iter(["show", *best[1:], best[0]])
    shown = terminal.sit_down("puzzle", "--from", "games", choose=lambda _: next(shown_first))
    assert shown.status == 0
    assert shown.out.count("Right.") == len(exercises)


def test_puzzles_are_found_and_saved(terminal: Terminal) -> None:
    line = "puzzles --edition junior --games 60 --count 8 --out junior.json"
    shown = terminal.run(*line.split(), "--json")
    assert shown.status == 0
    assert json.loads(shown.out)["chosen"] == 8
    data = json.loads(Path("junior.json").read_text(encoding="utf-8"))
    assert len(data["puzzles"]) == 8
    assert data["evaluator"] == book_of("junior").evaluator
    again = terminal.run(*line.split())
    assert "already exists" in again.err


def test_ctrl_c_keeps_what_was_found(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    from heckmeck.puzzles.finding import Found, Search

    run = Search.run

    def interrupted(search: Search, _: int) -> Iterator[tuple[int, list[Found]]]:
        yield from run(search, 50)
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "run", interrupted)
    shown = terminal.run("puzzles", "--edition", "junior", "--games", "900", "--out", "j.json")
    assert shown.status == 130
    assert "50 games" in shown.out
    assert json.loads(Path("j.json").read_text(encoding="utf-8"))["games"] == 50
