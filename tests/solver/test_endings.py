"""The chances of a turn's ends by best play."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.rules import word
from heckmeck.solver.solution import Choice, Solution, best
from heckmeck.solver.tables import TurnState
from tests.solver.shapes import (
    BARBECUE,
    CLASSIC,
    DELUXE,
    JUNIOR,
    SHAPES,
    Ends,
    Point,
    Shape,
    Thrown,
    at_least,
    choices_at,
    random_ends,
    solve,
    start,
    with_dice,
    words,
)
from tests.solver.slow_turn import SlowTurn, moment_of


def check(solution: Solution, values: Ends, choice: Choice) -> None:
    """The chances sum to 1, and the values of the ends add up to that of the choice."""
    endings = solution.endings(choice)
    assert endings.stop.min() >= 0.0
    assert endings.fail.min() >= 0.0
    assert endings.stop.sum() + endings.fail.sum() == pytest.approx(1.0, abs=1e-11)
    mean = (endings.stop * values.stop).sum() + (endings.fail * values.fail).sum()
    assert mean == pytest.approx(choice.value, abs=1e-9)
    if values.may_stop is not None:
        assert not endings.stop[~values.may_stop].any()


@given(
    edition=st.sampled_from(sorted(SHAPES)),
    seed=st.integers(0, 2**32),
    helpers=st.tuples(st.booleans(), st.booleans(), st.integers(1, 3), st.booleans()),
)
def test_ends_add_up(edition: str, seed: int, helpers: tuple[bool, bool, int, bool]) -> None:
    shape = SHAPES[edition]
    weasel, golden, layers, limits = helpers
    is_deluxe = shape is DELUXE
    values = random_ends(shape, seed, layers if is_deluxe else 1, limits)
    solution = solve(shape, values, weasel=weasel, golden=golden and is_deluxe)
    for choice in solution.choices(solution.start):
        check(solution, values, choice)


@pytest.mark.parametrize("shape", [CLASSIC, BARBECUE, JUNIOR])
def test_ends_from_within_a_turn(shape: Shape) -> None:
    values = random_ends(shape, seed=5, limits=True)
    solution = solve(shape, values, weasel=True)
    for state in solution.tables.states[::40]:
        for choice in choices_at(shape, solution, Point(state, 0, True)):
            check(solution, values, choice)


def test_ends_after_a_throw() -> None:
    values = random_ends(DELUXE, seed=6, layers=3)
    solution = solve(DELUXE, values, weasel=True, golden=True)
    golden_start = start(DELUXE, golden=True, weasel=True)
    choices = choices_at(DELUXE, solution, golden_start, Thrown((2, 2, 0, 1, 1, 2), golden=0))
    assert words(choices) == ["keep:1", "keep:2", "keep:4", "keep:5", "keep:W", "reroll"]
    for choice in choices:
        check(solution, values, choice)
    double_one = solution.endings(choices[0])
    assert double_one.stop[0].sum() + double_one.fail[0] == 0.0


@pytest.mark.parametrize(("weasel", "golden"), [(False, False), (True, True)])
def test_the_ends_are_those_of_the_choices_that_best_makes(weasel: bool, golden: bool) -> None:
    """Where everything ties the values say nothing about the play, but the ends do."""
    shape = with_dice(DELUXE, 3)
    nothing = Ends(np.zeros((1, 2, shape.totals)), np.zeros(1))
    solution = solve(shape, nothing, weasel=weasel, golden=golden)
    slow = SlowTurn(shape, nothing)
    for state in solution.tables.states:
        point = Point(state, 0, weasel)
        thrown = [
            (
                chance,
                solution.endings(best(choices_at(shape, solution, point, Thrown(counts, face)))),
            )
            for counts, face, chance in slow.throws(moment_of(shape, point))
        ]
        choices = choices_at(shape, solution, point)
        roll = next(choice for choice in choices if word(choice.move) == "roll")
        endings = solution.endings(roll)
        stop = sum(chance * ends.stop for chance, ends in thrown)
        fail = sum(chance * ends.fail for chance, ends in thrown)
        assert endings.stop == pytest.approx(stop, abs=1e-12)
        assert endings.fail == pytest.approx(fail, abs=1e-12)


def test_chance_of_success_is_the_value_of_success() -> None:
    solution = solve(CLASSIC, at_least(CLASSIC, 25))
    endings = solution.endings(best(solution.choices(solution.start)))
    assert endings.stop[0, 1, 25:].sum() == pytest.approx(solution.value, abs=1e-12)


def test_dead_throw_fails_or_ends() -> None:
    """T5: dead is a failure in classic, an end with what is kept in junior."""
    for shape, fails in ((CLASSIC, 1.0), (JUNIOR, 0.0)):
        solution = solve(shape, random_ends(shape, seed=7))
        worm = 1 << shape.worm
        state = TurnState(worm, 1, False, (shape.dice - 1) * shape.points[shape.worm])
        dead = tuple(int(face == shape.worm) for face in range(len(shape.faces)))
        (bust,) = choices_at(shape, solution, Point(state), Thrown(dead))
        endings = solution.endings(bust)
        assert word(bust.move) == "bust"
        assert endings.fail[0] == fails
        assert endings.stop[0, 1, state.total] == 1.0 - fails


def test_no_die_left_where_stopping_is_not_allowed_fails() -> None:
    """B3: a result that earns nothing fails when no die is left."""
    may_stop = np.zeros((1, 2, BARBECUE.totals), dtype=np.bool_)
    values = Ends(np.ones((1, 2, BARBECUE.totals)), np.array([-1.0]), may_stop)
    solution = solve(BARBECUE, values)
    assert solution.value == pytest.approx(-1.0)
    endings = solution.endings(best(solution.choices(solution.start)))
    assert endings.fail[0] == pytest.approx(1.0)
