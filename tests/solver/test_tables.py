"""The tables of a turn: how many states and throws there are, and that chances are chances."""

import pytest

from heckmeck.solver.tables import (
    Throw,
    TurnShape,
    grow,
    is_over,
    lanes_of,
    reachable,
    tables_for,
)
from tests.solver.shapes import CLASSIC, DELUXE, SHAPES


def test_classic_has_1939_states_and_34389_throws() -> None:
    assert len(reachable(CLASSIC, golden=False)) == 1_939
    assert tables_for(CLASSIC).outcomes == 34_389


@pytest.mark.parametrize(
    ("edition", "golden", "states", "outcomes"),
    [
        ("deluxe", False, 1_939, 34_389),
        ("deluxe", True, 5_184, 132_881),
        ("barbecue", False, 2_234, 35_939),
        ("junior", False, 227, 2_658),
    ],
)
def test_counts(edition: str, golden: bool, states: int, outcomes: int) -> None:
    shape = SHAPES[edition]
    assert len(reachable(shape, golden)) == states
    assert tables_for(shape, golden).outcomes == outcomes


def test_1287_throws_of_eight_dice() -> None:
    tree = grow(Throw(8, (1,) * 6, 0, golden_first=False))
    assert tree.outcomes == 1_287
    assert tree.dead == 0.0


@pytest.mark.parametrize(
    ("edition", "golden"),
    [("classic", False), ("deluxe", True), ("barbecue", False), ("junior", False)],
)
def test_chances_sum_to_1(edition: str, golden: bool) -> None:
    shape = SHAPES[edition]
    tables = tables_for(shape, golden)
    for state in tables.states:
        assert sum(lane.chance for lane in lanes_of(shape, state)) == pytest.approx(1.0)
    for group in (group for stage in tables.stages for group in stage):
        total = group.tree.dead + sum(node.chance for node in group.tree.nodes)
        assert total == pytest.approx(1.0, abs=1e-12)


def test_states_come_after_the_states_they_lead_to() -> None:
    tables = tables_for(DELUXE, golden=True)
    sizes = [state.dice + state.golden for state in tables.states]
    assert sizes == sorted(sizes)
    assert not any(is_over(DELUXE, state) for state in tables.states)


def test_a_dead_throw_can_not_be_the_first() -> None:
    tables = tables_for(CLASSIC)
    (group,) = tables.stages[-1]
    assert group.tree.dead == 0.0


def test_shapes_are_checked() -> None:
    with pytest.raises(ValueError, match="Every face needs its weight"):
        TurnShape("12345W", (1,) * 5, (1, 2, 3, 4, 5, 5), worm=5, dice=8)
    with pytest.raises(ValueError, match="Every face needs its weight"):
        TurnShape("1W", (1, 1), (1, 5), worm=1, dice=8, golden_weights=(1,))
    with pytest.raises(ValueError, match="A turn needs a die"):
        TurnShape("1W", (1, 1), (1, 5), worm=1, dice=0)


def test_only_dice_that_have_them_give_golden_or_layered_tables() -> None:
    with pytest.raises(ValueError, match="no golden die"):
        tables_for(CLASSIC, golden=True)
    with pytest.raises(ValueError, match="no face that makes layers"):
        tables_for(CLASSIC, layered=True)
