"""Tables as rows do what the rules say: every ending of every turn, in every edition."""

from itertools import chain

import numpy as np
import pytest

from heckmeck.bulk.rows import Branches, RowRules, Rows, row_rules
from heckmeck.rules import EDITIONS, AnyState, HouseRules, game_at, outcome
from heckmeck.rules.endings import Nothing
from heckmeck.rules.state import Over
from heckmeck.solver.positions import FAILURE, Position, after, endings_at, position_of
from heckmeck.solver.tables import totals_of
from tests.bulk.positions import wander

TABLES = [(edition, seats) for edition, game in EDITIONS.items() for seats in game.players]
HOUSES = [HouseRules(always, returned) for always in (False, True) for returned in (False, True)]


def shares_of(state: AnyState) -> list[float]:
    """The shares of the win by player, the next player first."""
    result = outcome(state)
    assert result is not None
    seats = state.table.seats
    return [
        (seat in result.winners) / len(result.winners)
        for seat in ((state.seat + 1 + player) % seats for player in range(seats))
    ]


def check_ending(
    rules: RowRules, branches: Branches, number: int, states: list[AnyState], mover: int
) -> None:
    """The ending leads to these states, in any order."""
    seats = states[0].table.seats
    found = range(branches.first[number], branches.first[number + 1])
    rows = {bytes(branches.rows[at]): at for at in found}
    wanted = {bytes(rules.row(state.table, (mover + 1) % seats)): state for state in states}
    assert rows.keys() == wanted.keys()
    for key, at in rows.items():
        state = wanted[key]
        assert branches.over[at] == isinstance(state.phase, Over)
        if branches.over[at]:
            assert branches.shares[at, :seats] == pytest.approx(shares_of(state))


def check_turn(rules: RowRules, state: AnyState) -> None:
    """All layers and endings of a turn are as the rules have them."""
    position = position_of(state)
    totals, seat = totals_of(position.game), state.seat
    row = rules.row(state.table, seat)
    ((kind, _),) = rules.kinds(row[np.newaxis])
    assert kind == (len(position.tables), position.weasel, position.golden)
    layers = np.stack([rules.row(table, seat) for table in position.tables])
    found = rules.layers(row[np.newaxis], kind)[0]
    assert sorted(map(bytes, found)) == sorted(map(bytes, layers))  # victims come in any order
    branches = rules.branches(layers[np.newaxis], totals)
    for layer in range(len(position.tables)):
        check_layer(rules, branches, position, layer)


def check_layer(rules: RowRules, branches: Branches, position: Position, layer: int) -> None:
    game, table = game_at(position.start), position.tables[layer]
    endings = [FAILURE, *chain(*endings_at(position, layer))]
    numbers = branches.ending[0, layer]
    checked = set()
    for ending, number in zip(endings, numbers, strict=True):
        if (ending, number) not in checked:
            checked.add((ending, number))
            states = after(game, table, position.seat, ending)
            check_ending(rules, branches, number, states, position.seat)
    may_stop = [
        not game.stop_must_earn or not isinstance(ending, Nothing) for ending in endings[1:]
    ]
    assert branches.may_stop[0, layer].tolist() == may_stop


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_every_ending_is_as_the_rules_have_it(edition: str, seats: int) -> None:
    rules = row_rules(edition)
    for state in wander(edition, seats, seed=seats, turns=250):
        check_turn(rules, state)


@pytest.mark.parametrize("house", HOUSES, ids=str)
@pytest.mark.parametrize("edition", ["classic", "deluxe"])
def test_house_rules_are_kept(edition: str, house: HouseRules) -> None:
    rules = row_rules(edition)
    for state in wander(edition, 3, seed=1, turns=120, house=house):
        check_turn(rules, state)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_many_tables_at_once_are_each_as_alone(edition: str, seats: int) -> None:
    rules = row_rules(edition)
    rows = np.stack([rules.row(s.table, s.seat) for s in wander(edition, seats, 5, 60)])
    places = [place for _, group in rules.kinds(rows) for place in group]
    assert sorted(places) == list(range(len(rows)))
    for kind, group in rules.kinds(rows):
        together = _after(rules, rules.layers(rows[group], kind))
        alone = [_after(rules, rules.layers(rows[[place]], kind)) for place in group]
        assert (together == np.concatenate(alone)).all()


def _after(rules: RowRules, layers: Rows) -> Rows:
    return rules.branches(layers, 41).rows


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_scores_are_as_the_rules_count_them(edition: str, seats: int) -> None:
    rules, game = row_rules(edition), EDITIONS[edition]
    for state in wander(edition, seats, seed=9, turns=80):
        scores = rules.scores(rules.row(state.table, 0)[np.newaxis])[0, :seats]
        assert tuple(scores.tolist()) == game.scores(state)
