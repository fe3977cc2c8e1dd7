"""The solver says what the slow recursion says: everywhere, whatever the ends are worth."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.rules import word
from heckmeck.solver.solution import Choice, Solution
from heckmeck.solver.tables import TurnState, tables_for
from tests.solver.shapes import (
    BARBECUE,
    CLASSIC,
    DELUXE,
    JUNIOR,
    Point,
    Shape,
    Thrown,
    choices_at,
    random_ends,
    solve,
    start,
    value_at,
    with_dice,
)
from tests.solver.slow_turn import SlowTurn, moment_of


def by_word(choices: list[Choice]) -> dict[str, float]:
    """The choices as the slow turn names them."""
    return {word(choice.move): choice.value for choice in choices}


def points(shape: Shape, solution: Solution) -> list[Point]:
    """All points before a throw."""
    copies, layers, _ = solution.roll.shape
    return [
        Point(state, layer, weasel)
        for state in solution.tables.states
        for weasel in [False, True][:copies]
        for layer in range(layers)
        if layer == 0 or (shape.ones is not None and state.kept >> shape.ones & 1)
    ]


def compare_states(slow: SlowTurn, solution: Solution) -> None:
    """Stopping and throwing have the same values at every point."""
    for point in points(slow.shape, solution):
        choices = by_word(choices_at(slow.shape, solution, point))
        golden_start = choices.pop("roll:golden", None)
        expected = slow.before_throw(moment_of(slow.shape, point))
        assert choices == pytest.approx(expected, abs=1e-11)
        assert value_at(slow.shape, solution, point) == pytest.approx(
            max(expected.values()), abs=1e-11
        )
        if golden_start is not None:
            with_golden = slow.start(golden=True, weasel=point.weasel)
            assert golden_start == pytest.approx(slow.roll(with_golden), abs=1e-11)


def compare_throws(slow: SlowTurn, solution: Solution, point: Point) -> None:
    """Every choice after every throw from a point has the same value."""
    moment = moment_of(slow.shape, point)
    for counts, golden, _ in slow.throws(moment):
        choices = by_word(choices_at(slow.shape, solution, point, Thrown(counts, golden)))
        assert choices == pytest.approx(slow.after_throw(moment, counts, golden), abs=1e-11)


@pytest.mark.parametrize("shape", [CLASSIC, BARBECUE, JUNIOR])
def test_full_turns(shape: Shape) -> None:
    ends = random_ends(shape, seed=1, limits=shape is BARBECUE)
    solution = solve(shape, ends)
    slow = SlowTurn(shape, ends)
    compare_states(slow, solution)
    compare_throws(slow, solution, start(shape))


def test_full_deluxe_turn_with_both_helpers_and_a_bratworm() -> None:
    """A nine-dice turn; the recursion is asked from seven dice down to keep it short."""
    ends = random_ends(DELUXE, seed=2, layers=2)
    solution = solve(DELUXE, ends, weasel=True, golden=True)
    slow = SlowTurn(DELUXE, ends)
    twos = TurnState(1 << 1, 5, True, 6)
    compare_throws(slow, solution, Point(twos, 0, True))


small_shapes = st.sampled_from([CLASSIC, BARBECUE, JUNIOR, DELUXE]).flatmap(
    lambda shape: st.integers(1, 4).map(lambda dice: with_dice(shape, dice))
)


@given(data=st.data(), shape=small_shapes, seed=st.integers(0, 2**32), limits=st.booleans())
def test_small_turns_of_all_kinds(
    data: st.DataObject, shape: Shape, seed: int, limits: bool
) -> None:
    golden = shape.golden_weights is not None and data.draw(st.booleans(), label="golden")
    layers = data.draw(st.integers(1, 3), label="layers") if shape.ones is not None else 1
    weasel = data.draw(st.booleans(), label="weasel")
    ends = random_ends(shape, seed, layers, limits)
    solution = solve(shape, ends, weasel=weasel, golden=golden)
    slow = SlowTurn(shape, ends)
    compare_states(slow, solution)
    compare_throws(
        slow, solution, data.draw(st.sampled_from(points(shape, solution)), label="point")
    )


def test_dice_of_any_kind() -> None:
    """Uneven weights, faces in no special order."""
    shape = replace(
        with_dice(DELUXE, 4, "W21", (1, 3, 2), 4, 2, 1), golden_weights=(3, 0, 3), ones=2
    )
    ends = random_ends(shape, seed=3, layers=3)
    solution = solve(shape, ends, weasel=True, golden=True)
    slow = SlowTurn(shape, ends)
    compare_states(slow, solution)
    for point in points(shape, solution):
        compare_throws(slow, solution, point)
    assert len(tables_for(shape.game, golden=True, layered=True).states) == solution.roll.shape[2]
    assert [word(choice.move) for choice in solution.choices(solution.start)] == [
        "roll",
        "roll:golden",
    ]
