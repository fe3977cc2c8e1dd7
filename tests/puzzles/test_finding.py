"""Finding puzzles: a few games searched, the choice among what is found."""

from collections import Counter

import pytest

from heckmeck.puzzles import Puzzle
from heckmeck.puzzles.finding import CLEAR, Found, Search, choose


@pytest.fixture(scope="module")
def found() -> list[Found]:
    return [each for _, some in Search("junior", 7).run(60) for each in some]


def test_the_obvious_move_is_wrong(found: list[Found]) -> None:
    assert len(found) > 20
    for each in found:
        puzzle = each.puzzle
        assert max(puzzle.loss(puzzle.bots[name]) for name in ("rooster", "fox")) >= CLEAR
        wrong = [name for name, move in puzzle.bots.items() if move != puzzle.solution]
        assert puzzle.stars == stars_of(wrong)


def stars_of(wrong: list[str]) -> int:
    if "fox" in wrong:
        return 4 if len(wrong) == 3 else 3
    return 2 if "chick" in wrong else 1


def test_the_same_seed_finds_the_same(found: list[Found]) -> None:
    again = [each for _, some in Search("junior", 7).run(50) for each in some]
    assert again == found[: len(again)]
    other = [each for _, some in Search("junior", 8).run(50) for each in some]
    assert other != again


def test_one_of_a_part_of_a_game_and_one_for_the_same_dice(found: list[Found]) -> None:
    chosen = choose(found, 1000)
    by_puzzle = {id(each.puzzle): each for each in found}
    whole = [by_puzzle[id(puzzle)] for puzzle in chosen]
    assert max(Counter(each.place for each in whole).values()) == 1
    assert max(Counter(each.dice for each in whole).values()) == 1


def test_what_is_rare_is_chosen_first() -> None:
    puzzle = Puzzle(1, {}, {}, {})
    many = [Found(puzzle, (2, at, 0), (str(at), "", ""), ("often",)) for at in range(9)]
    rare = Found(Puzzle(4, {}, {}, {}), (2, 99, 0), ("x", "", ""), ("rare",))
    assert [each.stars for each in choose([*many, rare], 3)] == [1, 4, 1]


def test_as_many_of_each_number_of_stars_as_there_are() -> None:
    """Most are easy, and alike in nothing; the hard ones are alike in everything."""
    easy = [Found(Puzzle(2, {}, {}, {}), (2, at, 0), (str(at), "", ""), (at,)) for at in range(90)]
    hard = [
        Found(Puzzle(stars, {}, {}, {}), (3, 10 * stars + at, 0), (f"{stars} {at}", "", ""), ("x",))
        for stars, count in ((1, 4), (3, 9), (4, 9))
        for at in range(count)
    ]
    chosen = Counter(puzzle.stars for puzzle in choose([*easy, *hard], 25))
    assert chosen == {1: 4, 2: 7, 3: 7, 4: 7}
