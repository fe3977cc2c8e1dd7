"""The tables of a turn: how many states and throws there are, and that chances are chances."""

import pytest

from heckmeck.rules import game
from heckmeck.solver.tables import (
    Tables,
    ThrowKind,
    Tree,
    earns_bratworm,
    grow,
    lanes_of,
    reachable,
    tables_for,
)


def throws_in(tree: Tree) -> int:
    """Return the number of different throws."""
    return sum(node.chance > 0 for node in tree.nodes) + (tree.dead > 0)


def throws_of(tables: Tables) -> int:
    """Return the number of different throws in all states with an open face."""
    groups = [group for stage in tables.stages for group in stage if group.tree.kind.weights]
    return sum(len(group.lanes) * throws_in(group.tree) for group in groups)


def test_classic_has_1939_states_and_34389_throws() -> None:
    assert len(reachable(game("classic"), golden=False)) == 1_939
    assert throws_of(tables_for(game("classic"))) == 34_389


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
    assert len(reachable(game(edition), golden)) == states
    assert throws_of(tables_for(game(edition), golden)) == outcomes


def test_1287_throws_of_eight_dice() -> None:
    tree = grow(ThrowKind(8, (1,) * 6, 0, golden_first=False))
    assert throws_in(tree) == 1_287
    assert tree.dead == 0.0


@pytest.mark.parametrize(
    ("edition", "golden"),
    [("classic", False), ("deluxe", True), ("barbecue", False), ("junior", False)],
)
def test_chances_sum_to_1(edition: str, golden: bool) -> None:
    tables = tables_for(game(edition), golden)
    for state in tables.states:
        lanes = lanes_of(tables.game, state, tables.reached[state])
        assert sum(lane.chance for lane in lanes) == pytest.approx(1.0)
    for group in (group for stage in tables.stages for group in stage):
        total = group.tree.dead + sum(node.chance for node in group.tree.nodes)
        assert total == pytest.approx(1.0, abs=1e-12)


def test_states_come_after_the_states_they_lead_to() -> None:
    tables = tables_for(game("deluxe"), golden=True)
    sizes = [state.dice + state.golden for state in tables.states]
    assert sizes == sorted(sizes)
    forms = [tables.reached[state] for state in tables.states]
    assert not any(map(tables.game.turn_is_complete, forms))


def test_a_dead_throw_can_not_be_the_first() -> None:
    tables = tables_for(game("classic"))
    (group,) = tables.stages[-1]
    assert group.tree.dead == 0.0


def test_only_a_double_one_earns_a_bratworm() -> None:
    """D13, as the rules say it."""
    paid = {
        (face, count)
        for face in "12345W"
        for count in range(1, 10)
        if earns_bratworm(game("deluxe"), face, count)
    }
    assert paid == {("1", count) for count in range(2, 10)}
    assert not earns_bratworm(game("classic"), "1", 2)


def test_only_games_that_have_them_give_golden_or_layered_tables() -> None:
    with pytest.raises(ValueError, match="no golden die"):
        tables_for(game("classic"), golden=True)
    with pytest.raises(ValueError, match="no Bratworms"):
        tables_for(game("classic"), layered=True)
