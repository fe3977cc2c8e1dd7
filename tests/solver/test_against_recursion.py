"""The solver says what the slow recursion says: everywhere, whatever the ends are worth."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.solver.solution import Choice, Kind, Point, Solution, Thrown, solve
from heckmeck.solver.tables import State, TurnShape, tables_for
from tests.solver.shapes import BARBECUE, CLASSIC, DELUXE, JUNIOR, random_worths
from tests.solver.slow_turn import SlowTurn, moment_of


def words(shape: TurnShape, choices: list[Choice]) -> dict[str, float]:
    """The choices as the slow turn names them."""
    return {
        f"keep:{shape.faces[choice.face]}" if choice.face is not None else choice.kind.value: (
            choice.worth
        )
        for choice in choices
    }


def points(solution: Solution) -> list[Point]:
    """All points before a throw."""
    shape = solution.tables.shape
    copies, layers, _ = solution.roll.shape
    return [
        Point(state, layer, weasel)
        for state in solution.tables.states
        for weasel in [False, True][:copies]
        for layer in range(layers)
        if layer == 0 or (shape.ones is not None and state.kept >> shape.ones & 1)
    ]


def compare_states(slow: SlowTurn, solution: Solution) -> None:
    """Stopping and throwing are worth the same at every point."""
    for point in points(solution):
        choices = words(slow.shape, solution.choices(point))
        golden_start = choices.pop("roll:golden", None)
        expected = slow.before_throw(moment_of(slow.shape, point))
        assert choices == pytest.approx(expected, abs=1e-11)
        assert solution.worth_at(point) == pytest.approx(max(expected.values()), abs=1e-11)
        if golden_start is not None:
            with_golden = slow.start(golden=True, weasel=point.weasel)
            assert golden_start == pytest.approx(slow.roll(with_golden), abs=1e-11)


def compare_throws(slow: SlowTurn, solution: Solution, point: Point) -> None:
    """Every choice after every throw from a point is worth the same."""
    moment = moment_of(slow.shape, point)
    for counts, golden, _ in slow.throws(moment):
        choices = words(slow.shape, solution.choices(point, Thrown(counts, golden)))
        assert choices == pytest.approx(slow.after_throw(moment, counts, golden), abs=1e-11)


@pytest.mark.parametrize("shape", [CLASSIC, BARBECUE, JUNIOR])
def test_full_turns(shape: TurnShape) -> None:
    worths = random_worths(shape, seed=1, limits=shape is BARBECUE)
    solution = solve(shape, worths)
    slow = SlowTurn(shape, worths)
    compare_states(slow, solution)
    compare_throws(slow, solution, solution.start)


def test_full_deluxe_turn_with_both_helpers_and_a_bratworm() -> None:
    """A nine-dice turn; the recursion is asked from seven dice down to keep it short."""
    worths = random_worths(DELUXE, seed=2, layers=2)
    solution = solve(DELUXE, worths, weasel=True, golden=True)
    slow = SlowTurn(DELUXE, worths)
    twos = State(1 << 1, 5, True, 6)
    compare_throws(slow, solution, Point(twos, 0, True))


small_shapes = st.sampled_from([CLASSIC, BARBECUE, JUNIOR, DELUXE]).flatmap(
    lambda shape: st.integers(1, 4).map(lambda dice: replace(shape, dice=dice))
)


@given(data=st.data(), shape=small_shapes, seed=st.integers(0, 2**32), limits=st.booleans())
def test_small_turns_of_all_kinds(
    data: st.DataObject, shape: TurnShape, seed: int, limits: bool
) -> None:
    golden = shape.golden_weights is not None and data.draw(st.booleans(), label="golden")
    layers = data.draw(st.integers(1, 3), label="layers") if shape.ones is not None else 1
    weasel = data.draw(st.booleans(), label="weasel")
    worths = random_worths(shape, seed, layers, limits)
    solution = solve(shape, worths, weasel=weasel, golden=golden)
    slow = SlowTurn(shape, worths)
    compare_states(slow, solution)
    compare_throws(slow, solution, data.draw(st.sampled_from(points(solution)), label="point"))


def test_dice_of_any_kind() -> None:
    """Uneven weights, a golden die that shows three faces, faces in no special order."""
    shape = TurnShape(
        "W21",
        (1, 3, 2),
        (4, 2, 1),
        worm=0,
        dice=4,
        golden_weights=(1, 2, 3),
        ones=2,
        dead_is_stop=True,
    )
    worths = random_worths(shape, seed=3, layers=3)
    solution = solve(shape, worths, weasel=True, golden=True)
    slow = SlowTurn(shape, worths)
    compare_states(slow, solution)
    for point in points(solution):
        compare_throws(slow, solution, point)
    assert len(tables_for(shape, golden=True, layered=True).states) == solution.roll.shape[2]
    assert {c.kind for c in solution.choices(solution.start)} == {Kind.ROLL, Kind.ROLL_GOLDEN}
