"""The puzzles that are shipped: answers recomputed from scratch, varied, one for each day."""

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from heckmeck.bots import player
from heckmeck.dice import CountedLuck
from heckmeck.puzzles import FIRST_DAY, Book, book_of, number_of_day, position_to_json
from heckmeck.puzzles.finding import ALONE, CLEAR, SOLVERS
from heckmeck.rules import EDITIONS, game, legal, word
from heckmeck.values import value_for
from heckmeck.values.turn_memo import TurnMemo

#: How many answers of an edition the short form recomputes.
SAMPLE = 6
#: Values in the files have four digits.
ROUNDING = 0.00011
#: Dates and numbers of puzzles, with the answers; the pages' tests read the same file.
DAYS = Path(__file__).parent / "days.json"


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_judge_is_the_champion_that_is_shipped(edition: str) -> None:
    value = value_for(game(edition).initial(2).table, "win", deeper=True)
    assert book_of(edition).evaluator == value.name, (
        f"the weights have changed: run heckmeck puzzles --edition {edition}, see docs/puzzles.md"
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_answers_hold(edition: str) -> None:
    book = book_of(edition)
    check(book, range(0, len(book.puzzles), len(book.puzzles) // SAMPLE))


@pytest.mark.soak
@pytest.mark.parametrize("edition", EDITIONS)
def test_all_answers_hold(edition: str) -> None:
    book = book_of(edition)
    check(book, range(len(book.puzzles)))


def check(book: Book, numbers: range) -> None:
    """Recompute these puzzles: moves, values, what the bots play, and the margins."""
    for number in numbers:
        puzzle = book.puzzles[number]
        state = book.position(puzzle)
        values = {
            deeper: TurnMemo(value_for(state.table, "win", deeper=deeper)).weigh(state)
            for deeper in (False, True)
        }
        assert {each.move for each in values[True]} == {word(move) for move in legal(state)}
        assert values[True][0].move == puzzle.solution
        for each in values[True]:
            assert puzzle.moves[each.move] == pytest.approx((each.worth, each.fail), abs=ROUNDING)
        bots = {name: word(player(name).choose(state, CountedLuck(0))) for name in SOLVERS}
        assert bots == puzzle.bots
        assert puzzle.reason is not None
        assert puzzle.reason.better == puzzle.solution
        assert puzzle.reason.other in (bots["rooster"], bots["fox"])
        both = {move: puzzle.moves[move][0] for move in (puzzle.reason.better, puzzle.reason.other)}
        assert [*both.values()] == [puzzle.reason.worth.better, puzzle.reason.worth.other]
        for weighed in values.values():
            worth = {each.move: each.worth for each in weighed}
            best = worth[puzzle.solution]
            others = [value for move, value in worth.items() if move != puzzle.solution]
            assert best - max(others) >= ALONE - ROUNDING
            assert max(best - worth[bots[name]] for name in SOLVERS[1:]) >= CLEAR - ROUNDING


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_year_of_them_and_all_kinds(edition: str) -> None:
    book = book_of(edition)
    assert book.edition == edition
    assert len(book.puzzles) >= 400
    stars = Counter(puzzle.stars for puzzle in book.puzzles)
    players = Counter(len(puzzle.state["scores"]) for puzzle in book.puzzles)
    kinds = Counter(puzzle.solution.partition(":")[0] for puzzle in book.puzzles)
    assert stars.keys() == {1, 2, 3, 4}
    assert players.keys() == {2, 3, 4, 5}
    assert {"keep", "roll", "stop"} <= kinds.keys()
    assert min(stars.values()) >= 20
    assert min(players.values()) >= 60
    assert min(kinds[kind] for kind in ("keep", "roll", "stop")) >= 20


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_near_duplicates(edition: str) -> None:
    seen = [
        (puzzle.state["turn"]["kept"], puzzle.state["turn"].get("roll", ""), puzzle.solution)
        for puzzle in book_of(edition).puzzles
    ]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("edition", EDITIONS)
def test_positions_are_written_as_the_rules_have_them(edition: str) -> None:
    """What is left out comes back, and everything else is as an interface would get it."""
    book = book_of(edition)
    for puzzle in book.puzzles:
        assert position_to_json(book.position(puzzle)) == puzzle.state
        assert sorted(puzzle.moves) == puzzle.state["legal"]
        assert len(puzzle.state["scores"]) <= len(book.names)


def test_the_file_is_the_one_that_the_command_writes() -> None:
    book = book_of("classic")
    assert json.loads(book.text())["puzzles"][0]["stars"] == book.puzzles[0].stars
    assert book.text().count("\n") == len(book.puzzles) + 2


def test_every_day_has_its_puzzle() -> None:
    count = len(book_of("classic").puzzles)
    days = [number_of_day(FIRST_DAY + timedelta(days), count) for days in range(count)]
    assert sorted(days) == [*range(count)], "none comes twice before all have been there"


def test_the_arithmetic_of_days_is_fixed() -> None:
    for day, count, number in json.loads(DAYS.read_text(encoding="utf-8")):
        assert number_of_day(date.fromisoformat(day), count) == number
