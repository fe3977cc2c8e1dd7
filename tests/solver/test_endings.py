"""The chances of a turn's ends by best play."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.solver.solution import Choice, Kind, Point, Solution, Thrown, Worths, best, solve
from heckmeck.solver.tables import State, TurnShape
from tests.solver.shapes import BARBECUE, CLASSIC, DELUXE, JUNIOR, SHAPES, at_least, random_worths
from tests.solver.slow_turn import SlowTurn, moment_of


def check(solution: Solution, worths: Worths, choice: Choice) -> None:
    """The chances sum to 1, and what the ends are worth adds up to what the choice is worth."""
    endings = solution.endings(choice)
    assert endings.stop.min() >= 0.0
    assert endings.fail.min() >= 0.0
    assert endings.stop.sum() + endings.fail.sum() == pytest.approx(1.0, abs=1e-11)
    mean = (endings.stop * worths.stop).sum() + (endings.fail * worths.fail).sum()
    assert mean == pytest.approx(choice.worth, abs=1e-9)
    if worths.may_stop is not None:
        assert not endings.stop[~worths.may_stop].any()


@given(
    edition=st.sampled_from(sorted(SHAPES)),
    seed=st.integers(0, 2**32),
    helpers=st.tuples(st.booleans(), st.booleans(), st.integers(1, 3), st.booleans()),
)
def test_ends_add_up(edition: str, seed: int, helpers: tuple[bool, bool, int, bool]) -> None:
    shape = SHAPES[edition]
    weasel, golden, layers, limits = helpers
    is_deluxe = shape is DELUXE
    worths = random_worths(shape, seed, layers if is_deluxe else 1, limits)
    solution = solve(shape, worths, weasel=weasel, golden=golden and is_deluxe)
    for choice in solution.choices(solution.start):
        check(solution, worths, choice)


@pytest.mark.parametrize("shape", [CLASSIC, BARBECUE, JUNIOR])
def test_ends_from_within_a_turn(shape: TurnShape) -> None:
    worths = random_worths(shape, seed=5, limits=True)
    solution = solve(shape, worths, weasel=True)
    for state in solution.tables.states[::40]:
        for choice in solution.choices(Point(state, 0, True)):
            check(solution, worths, choice)


def test_ends_after_a_throw() -> None:
    worths = random_worths(DELUXE, seed=6, layers=3)
    solution = solve(DELUXE, worths, weasel=True, golden=True)
    golden_start = Point(State(0, 8, True, 0), 0, True)
    choices = solution.choices(golden_start, Thrown((2, 2, 0, 1, 1, 2), golden=0))
    assert [choice.kind for choice in choices] == [Kind.KEEP] * 5 + [Kind.REROLL]
    for choice in choices:
        check(solution, worths, choice)
    double_one = solution.endings(choices[0])
    assert double_one.stop[0].sum() + double_one.fail[0] == 0.0


@pytest.mark.parametrize(("weasel", "golden"), [(False, False), (True, True)])
def test_the_ends_are_those_of_the_choices_that_best_makes(weasel: bool, golden: bool) -> None:
    """Where everything ties the worths say nothing about the play, but the ends do."""
    shape = replace(DELUXE, dice=3)
    nothing = Worths(np.zeros((1, 2, shape.totals)), np.zeros(1))
    solution = solve(shape, nothing, weasel=weasel, golden=golden)
    slow = SlowTurn(shape, nothing)
    for state in solution.tables.states:
        point = Point(state, 0, weasel)
        thrown = [
            (chance, solution.endings(best(solution.choices(point, Thrown(counts, face)))))
            for counts, face, chance in slow.throws(moment_of(shape, point))
        ]
        roll = next(c for c in solution.choices(point) if c.kind is Kind.ROLL)
        endings = solution.endings(roll)
        stop = sum(chance * ends.stop for chance, ends in thrown)
        fail = sum(chance * ends.fail for chance, ends in thrown)
        assert endings.stop == pytest.approx(stop, abs=1e-12)
        assert endings.fail == pytest.approx(fail, abs=1e-12)


def test_chance_of_success_is_the_worth_of_success() -> None:
    solution = solve(CLASSIC, at_least(CLASSIC, 25))
    endings = solution.endings(best(solution.choices(solution.start)))
    assert endings.stop[0, 1, 25:].sum() == pytest.approx(solution.value, abs=1e-12)


def test_dead_throw_fails_or_ends() -> None:
    """T5: dead is a failure in classic, an end with what is kept in junior."""
    for shape, fails in ((CLASSIC, 1.0), (JUNIOR, 0.0)):
        solution = solve(shape, random_worths(shape, seed=7))
        worm = 1 << shape.worm
        state = State(worm, 1, False, (shape.dice - 1) * shape.points[shape.worm])
        dead = tuple(int(face == shape.worm) for face in range(len(shape.faces)))
        (bust,) = solution.choices(Point(state), Thrown(dead))
        endings = solution.endings(bust)
        assert bust.kind is Kind.BUST
        assert endings.fail[0] == fails
        assert endings.stop[0, 1, state.total] == 1.0 - fails


def test_no_die_left_where_stopping_is_not_allowed_fails() -> None:
    """B3: a result that earns nothing fails when no die is left."""
    may_stop = np.zeros((1, 2, BARBECUE.totals), dtype=np.bool_)
    worths = Worths(np.ones((1, 2, BARBECUE.totals)), np.array([-1.0]), may_stop)
    solution = solve(BARBECUE, worths)
    assert solution.value == pytest.approx(-1.0)
    endings = solution.endings(best(solution.choices(solution.start)))
    assert endings.fail[0] == pytest.approx(1.0)
