"""Batches, ties, points that do not exist, and values that are not any."""

import subprocess
import sys

import numpy as np
import pytest

from heckmeck.rules import word
from heckmeck.solver.solution import EndValues, Solution, best, solve_batch
from heckmeck.solver.tables import TurnState
from tests.solver.shapes import (
    CLASSIC,
    DELUXE,
    JUNIOR,
    SHAPES,
    Ends,
    Point,
    Thrown,
    at_least,
    choices_at,
    random_ends,
    solve,
    start,
    together,
    value_at,
    words,
)


def same(one: Solution, other: Solution) -> bool:
    slots = one.tables.slots
    return (
        np.array_equal(one.roll, other.roll)
        and np.array_equal(one.values[:, 0], other.values[:, 0])
        and np.array_equal(one.values[:, 1:, :slots], other.values[:, 1:, :slots])
    )


@pytest.mark.machine
@pytest.mark.parametrize("edition", SHAPES)
@pytest.mark.parametrize("size", [2, 7, 33, 200])
def test_a_batch_is_the_same_to_the_last_bit(edition: str, size: int) -> None:
    shape = SHAPES[edition]
    ends = [random_ends(shape, seed, limits=True) for seed in range(size)]
    solutions = solve_batch(shape.game, together(ends), weasel=edition == "deluxe")
    assert len(solutions) == size
    for i in range(0, size, 9):
        assert same(solutions[i], solve(shape, ends[i], weasel=edition == "deluxe"))


@pytest.mark.machine
def test_a_batch_with_all_helpers_is_the_same_to_the_last_bit() -> None:
    ends = [random_ends(DELUXE, seed, layers=3) for seed in range(5)]
    for solution, w in zip(
        solve_batch(DELUXE.game, together(ends), weasel=True, golden=True), ends, strict=True
    ):
        alone = solve(DELUXE, w, weasel=True, golden=True)
        assert same(solution, alone)
        for choice in solution.choices(solution.start):
            chances, chances_alone = solution.endings(choice), alone.endings(choice)
            assert np.array_equal(chances.stop, chances_alone.stop)
            assert np.array_equal(chances.fail, chances_alone.fail)


def test_an_empty_batch() -> None:
    nothing = EndValues.of(np.empty((0, 1, 2, CLASSIC.totals)), np.empty((0, 1)))
    assert solve_batch(CLASSIC.game, nothing) == []


def test_failing_on_purpose() -> None:
    """T7: with every face kept, throwing fails for certain, and may be better than stopping."""
    ends = Ends(np.zeros((1, 2, CLASSIC.totals)), np.array([1.0]))
    solution = solve(CLASSIC, ends)
    all_kept = Point(TurnState(CLASSIC.all_faces, 2, False, 20))
    choices = choices_at(CLASSIC, solution, all_kept)
    assert [(word(c.move), c.value) for c in choices] == [("stop", 0.0), ("roll", 1.0)]
    assert solution.endings(best(choices)).fail[0] == 1.0


def test_all_ingredients_end_the_turn() -> None:
    """J2: nothing to choose when all five ingredients are kept."""
    ends = random_ends(JUNIOR, seed=8)
    solution = solve(JUNIOR, ends)
    all_kept = Point(TurnState(JUNIOR.all_faces, 1, False, 6))
    assert choices_at(JUNIOR, solution, all_kept) == []
    assert value_at(JUNIOR, solution, all_kept) == ends.stop[0, 1, 6]


def test_ties_go_to_the_first_choice() -> None:
    """Where nothing matters: stop before roll, the first face before others, keep before reroll."""
    nothing = Ends(np.zeros((1, 2, DELUXE.totals)), np.zeros(1))
    solution = solve(DELUXE, nothing, weasel=True, golden=True)
    assert word(best(solution.choices(solution.start)).move) == "roll"
    kept = Point(TurnState(1, 7, False, 1), 0, True)
    assert word(best(choices_at(DELUXE, solution, kept)).move) == "stop"
    thrown = best(choices_at(DELUXE, solution, kept, Thrown((1, 0, 2, 2, 1, 1))))
    assert word(thrown.move) == "keep:3"
    dead = choices_at(DELUXE, solution, kept, Thrown((7, 0, 0, 0, 0, 0)))
    assert words(dead) == ["bust", "reroll"]
    assert word(best(dead).move) == "bust"


def test_values_that_differ_only_by_rounding_tie() -> None:
    solution = solve(CLASSIC, at_least(CLASSIC, 21))
    first, second, *_ = choices_at(CLASSIC, solution, start(CLASSIC), Thrown((2, 1, 1, 1, 1, 2)))
    near = [first._replace(value=0.1 + 0.2), second._replace(value=0.3)]
    assert best(near) is near[0]
    assert best(near[::-1]) is near[1]
    apart = [first._replace(value=0.3), second._replace(value=0.3 + 1e-9)]
    assert best(apart) is apart[1]


def test_a_double_one_leads_to_the_best_layer() -> None:
    """D13, D14: the value of robbing is that of the best victim."""
    ends = random_ends(DELUXE, seed=9, layers=4)
    solution = solve(DELUXE, ends)
    keep_ones, *_ = choices_at(DELUXE, solution, start(DELUXE), Thrown((2, 6, 0, 0, 0, 0)))
    after = TurnState(1, 6, False, 2)
    layers = [value_at(DELUXE, solution, Point(after, layer)) for layer in (1, 2, 3)]
    assert keep_ones.value == max(layers)


@pytest.mark.parametrize(
    ("point", "complaint"),
    [
        (Point(TurnState(1, 7, False, 2)), "no turn of deluxe gets there"),
        (Point(TurnState(1, 0, False, 4)), "no turn of deluxe gets there"),
    ],
)
def test_points_that_do_not_exist(point: Point, complaint: str) -> None:
    solution = solve(DELUXE, random_ends(DELUXE, seed=10, layers=2))
    with pytest.raises(ValueError, match=complaint):
        choices_at(DELUXE, solution, point)
    with pytest.raises(ValueError, match=complaint):
        value_at(DELUXE, solution, point)


def test_throws_of_other_dice() -> None:
    solution = solve(CLASSIC, at_least(CLASSIC, 21))
    with pytest.raises(ValueError, match="not a throw of the dice in hand"):
        choices_at(CLASSIC, solution, start(CLASSIC), Thrown((1, 1, 1, 1, 1, 1)))
    with pytest.raises(ValueError, match="not a throw of the dice in hand"):
        choices_at(CLASSIC, solution, start(CLASSIC), Thrown((3, 1, 1, 1, 1, 1), golden=0))


@pytest.mark.parametrize(
    "ends",
    [
        Ends(np.zeros((1, 2, 40)), np.zeros(1)),
        Ends(np.zeros((2, 41)), np.zeros(1)),
        Ends(np.zeros((2, 2, 41)), np.zeros(1)),
        Ends(np.zeros((0, 2, 41)), np.zeros(0)),
        Ends(np.zeros((1, 2, 41)), np.zeros(1), np.ones((1, 2, 40), dtype=np.bool_)),
    ],
)
def test_values_of_another_shape(ends: Ends) -> None:
    with pytest.raises(ValueError, match="must have the axes"):
        solve(CLASSIC, ends)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_numbers(number: float) -> None:
    ends = at_least(CLASSIC, 21)
    ends.stop[0, 1, 30] = number
    with pytest.raises(ValueError, match="must be finite"):
        solve(CLASSIC, ends)
    with pytest.raises(ValueError, match="must be finite"):
        solve(CLASSIC, Ends(np.zeros((1, 2, CLASSIC.totals)), np.array([number])))


def test_where_one_may_not_stop_the_value_does_not_matter() -> None:
    ends = random_ends(CLASSIC, seed=11, limits=True)
    assert ends.may_stop is not None
    odd = np.where(ends.may_stop, ends.stop, np.nan)
    assert same(solve(CLASSIC, ends._replace(stop=odd)), solve(CLASSIC, ends))


def test_tables_need_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, heckmeck.solver.tables;sys.exit(bool({'numpy', 'numba'} & sys.modules.keys()))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
