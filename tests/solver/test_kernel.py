"""Batches, ties, points that do not exist, and worths that are not any."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from heckmeck.solver.solution import Kind, Point, Solution, Thrown, Worths, best, solve, solve_batch
from heckmeck.solver.tables import State
from tests.solver.shapes import CLASSIC, DELUXE, JUNIOR, SHAPES, at_least, random_worths


def stack(worths: list[Worths]) -> Worths:
    may_stop = [w.may_stop for w in worths if w.may_stop is not None]
    return Worths(
        np.stack([w.stop for w in worths]),
        np.stack([w.fail for w in worths]),
        np.stack(may_stop) if may_stop else None,
    )


def same(one: Solution, other: Solution) -> bool:
    slots = one.tables.slots
    return (
        np.array_equal(one.roll, other.roll)
        and np.array_equal(one.worth[:, 0], other.worth[:, 0])
        and np.array_equal(one.worth[:, 1:, :slots], other.worth[:, 1:, :slots])
    )


@pytest.mark.machine
@pytest.mark.parametrize("edition", SHAPES)
@pytest.mark.parametrize("size", [2, 7, 33, 200])
def test_a_batch_is_the_same_to_the_last_bit(edition: str, size: int) -> None:
    shape = SHAPES[edition]
    worths = [random_worths(shape, seed, limits=True) for seed in range(size)]
    solutions = solve_batch(shape, stack(worths), weasel=edition == "deluxe")
    assert len(solutions) == size
    for i in range(0, size, 9):
        assert same(solutions[i], solve(shape, worths[i], weasel=edition == "deluxe"))


@pytest.mark.machine
def test_a_batch_with_all_helpers_is_the_same_to_the_last_bit() -> None:
    worths = [random_worths(DELUXE, seed, layers=3) for seed in range(5)]
    for solution, w in zip(
        solve_batch(DELUXE, stack(worths), weasel=True, golden=True), worths, strict=True
    ):
        alone = solve(DELUXE, w, weasel=True, golden=True)
        assert same(solution, alone)
        for choice in solution.choices(solution.start):
            ends, ends_alone = solution.endings(choice), alone.endings(choice)
            assert np.array_equal(ends.stop, ends_alone.stop)
            assert np.array_equal(ends.fail, ends_alone.fail)


def test_an_empty_batch() -> None:
    nothing = Worths(np.empty((0, 1, 2, CLASSIC.totals)), np.empty((0, 1)))
    assert solve_batch(CLASSIC, nothing) == []


def test_failing_on_purpose() -> None:
    """T7: with every face kept, throwing fails for certain, and may be better than stopping."""
    worths = Worths(np.zeros((1, 2, CLASSIC.totals)), np.array([1.0]))
    solution = solve(CLASSIC, worths)
    all_kept = Point(State(CLASSIC.all_faces, 2, False, 20))
    choices = solution.choices(all_kept)
    assert [(c.kind, c.worth) for c in choices] == [(Kind.STOP, 0.0), (Kind.ROLL, 1.0)]
    assert best(choices).kind is Kind.ROLL
    assert solution.endings(best(choices)).fail[0] == 1.0


def test_all_ingredients_end_the_turn() -> None:
    """J2: nothing to choose when all five ingredients are kept."""
    worths = random_worths(JUNIOR, seed=8)
    solution = solve(JUNIOR, worths)
    all_kept = Point(State(JUNIOR.all_faces, 1, False, 6))
    assert solution.choices(all_kept) == []
    assert solution.worth_at(all_kept) == worths.stop[0, 1, 6]


def test_ties_go_to_the_first_choice() -> None:
    """Where nothing matters: stop before roll, the first face before others, keep before reroll."""
    nothing = Worths(np.zeros((1, 2, DELUXE.totals)), np.zeros(1))
    solution = solve(DELUXE, nothing, weasel=True, golden=True)
    assert best(solution.choices(solution.start)).kind is Kind.ROLL
    kept = Point(State(1, 7, False, 1), 0, True)
    assert best(solution.choices(kept)).kind is Kind.STOP
    thrown = best(solution.choices(kept, Thrown((1, 0, 2, 2, 1, 1))))
    assert (thrown.kind, thrown.face) == (Kind.KEEP, 2)
    dead = solution.choices(kept, Thrown((7, 0, 0, 0, 0, 0)))
    assert [c.kind for c in dead] == [Kind.BUST, Kind.REROLL]
    assert best(dead).kind is Kind.BUST


def test_worths_that_differ_only_by_rounding_tie() -> None:
    solution = solve(CLASSIC, at_least(CLASSIC, 21))
    first, second, *_ = solution.choices(solution.start, Thrown((2, 1, 1, 1, 1, 2)))
    near = [first._replace(worth=0.1 + 0.2), second._replace(worth=0.3)]
    assert best(near) is near[0]
    assert best(near[::-1]) is near[1]
    apart = [first._replace(worth=0.3), second._replace(worth=0.3 + 1e-9)]
    assert best(apart) is apart[1]


def test_a_double_one_leads_to_the_best_layer() -> None:
    """D13, D14: robbing is worth what the best victim makes it."""
    worths = random_worths(DELUXE, seed=9, layers=4)
    solution = solve(DELUXE, worths)
    keep_ones, *_ = solution.choices(solution.start, Thrown((2, 6, 0, 0, 0, 0)))
    after = State(1, 6, False, 2)
    assert keep_ones.worth == max(solution.worth_at(Point(after, layer)) for layer in (1, 2, 3))


@pytest.mark.parametrize(
    ("point", "complaint"),
    [
        (Point(State(1, 7, False, 2)), "no turn with the dice '12345W' gets there"),
        (Point(State(1, 0, False, 4)), "no turn with the dice '12345W' gets there"),
        (Point(State(1, 7, False, 1), weasel=True), "solved without the weasel"),
        (Point(State(1, 7, False, 1), layer=2), "solved with 2 layers"),
        (Point(State(2, 7, False, 2), layer=1), "needs a kept 1"),
    ],
)
def test_points_that_do_not_exist(point: Point, complaint: str) -> None:
    solution = solve(DELUXE, random_worths(DELUXE, seed=10, layers=2))
    with pytest.raises(ValueError, match=complaint):
        solution.choices(point)
    with pytest.raises(ValueError, match=complaint):
        solution.worth_at(point)


def test_throws_of_other_dice() -> None:
    solution = solve(CLASSIC, at_least(CLASSIC, 21))
    with pytest.raises(ValueError, match="not a throw of the dice in hand"):
        solution.choices(solution.start, Thrown((1, 1, 1, 1, 1, 1)))
    with pytest.raises(ValueError, match="not a throw of the dice in hand"):
        solution.choices(solution.start, Thrown((3, 1, 1, 1, 1, 1), golden=0))


@pytest.mark.parametrize(
    "worths",
    [
        Worths(np.zeros((1, 2, 40)), np.zeros(1)),
        Worths(np.zeros((2, 41)), np.zeros(1)),
        Worths(np.zeros((2, 2, 41)), np.zeros(1)),
        Worths(np.zeros((0, 2, 41)), np.zeros(0)),
        Worths(np.zeros((1, 2, 41)), np.zeros(1), np.ones((1, 2, 40), dtype=np.bool_)),
    ],
)
def test_worths_of_another_shape(worths: Worths) -> None:
    with pytest.raises(ValueError, match="must have the axes"):
        solve(CLASSIC, worths)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_worths_that_are_no_numbers(number: float) -> None:
    worths = at_least(CLASSIC, 21)
    worths.stop[0, 1, 30] = number
    with pytest.raises(ValueError, match="must be finite"):
        solve(CLASSIC, worths)
    with pytest.raises(ValueError, match="must be finite"):
        solve(CLASSIC, Worths(np.zeros((1, 2, CLASSIC.totals)), np.array([number])))


def test_where_one_may_not_stop_the_worth_does_not_matter() -> None:
    worths = random_worths(CLASSIC, seed=11, limits=True)
    assert worths.may_stop is not None
    odd = np.where(worths.may_stop, worths.stop, np.nan)
    assert same(solve(CLASSIC, replace(worths, stop=odd)), solve(CLASSIC, worths))


def test_tables_need_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, heckmeck.solver.tables;sys.exit(bool({'numpy', 'numba'} & sys.modules.keys()))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
