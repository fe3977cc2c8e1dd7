"""Turns solved and played out on rows, next to the solver that works with the rules."""

from itertools import chain, permutations

import numpy as np
import pytest

from heckmeck.bulk.rows import RowRules, row_rules
from heckmeck.bulk.turns import (
    RowValue,
    as_ended,
    best_layer,
    chances_of_ends,
    ends_of_turns,
    play_turns,
)
from heckmeck.rules import EDITIONS, AnyState, game_at
from heckmeck.rules.endings import EndGame
from heckmeck.solver.positions import FAILURE, after, endings_at, position_of
from heckmeck.solver.solution import SolvedTurn, best, solve_all
from heckmeck.values.ahead import Deeper
from heckmeck.values.win import NetworkChances, WinChance, WormLead
from heckmeck.values.worms import WORMS, counts_others
from tests.bulk.positions import wander
from tests.rules.story import deluxe_table, given
from tests.values.by_the_rules import WinByTheRules
from tests.values.networks import opinionated

TABLES = [(edition, seats) for edition in EDITIONS for seats in (2, 4)]


def states_of(edition: str, seats: int, turns: int) -> list[AnyState]:
    return list(wander(edition, seats, seed=11, turns=turns))


def rows_of(states: list[AnyState]) -> np.ndarray:
    rules = row_rules(game_at(states[0].table).edition)
    return np.stack([rules.row(state.table, state.seat) for state in states])


@pytest.mark.machine
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_the_value_of_a_turn_is_what_the_solver_says(edition: str, seats: int) -> None:
    states, network = states_of(edition, seats, 40), opinionated(edition)
    win, rng = WinChance([network]), np.random.default_rng(0)
    exact = solve_all([position_of(state) for state in states], WinByTheRules(win))
    played = play_turns(row_rules(edition), rows_of(states), seats, win.of_rows(seats), rng)
    assert played.value == pytest.approx([turn.solution.value for turn in exact], abs=1e-9)


@pytest.mark.parametrize(("edition", "seats"), [each for each in TABLES if counts_others(*each)])
def test_players_for_worms_play_as_the_fox_does(edition: str, seats: int) -> None:
    """Turns have the same values, up to what the player has before the turn."""
    # Where the game can be ended at once (B9), the fox counts the whole lead and not the gain.
    states = [state for state in states_of(edition, seats, 30) if not may_end_game(state)]
    rules = row_rules(edition)
    exact = solve_all([position_of(state) for state in states], WORMS)
    rows = rows_of(states)
    before = WormLead().of(rules, rows, seats)[:, 0]
    played = play_turns(rules, rows, seats, WormLead(), np.random.default_rng(0))
    assert played.value - before == pytest.approx([turn.solution.value for turn in exact], abs=1e-4)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_turns_played_out_come_to_their_values(edition: str, seats: int) -> None:
    state = states_of(edition, seats, 9)[-1]
    rows = np.repeat(rows_of([state]), 64, axis=0)
    values = NetworkChances(opinionated(edition))
    played = play_turns(row_rules(edition), rows, seats, values, np.random.default_rng(3), 500)
    own = played.values[:, seats - 1].astype(np.float64)
    error = own.std() / 8
    assert own.mean() == pytest.approx(played.value[0], abs=5 * error + 2e-5)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_one_plays_and_another_counts(edition: str, seats: int) -> None:
    """Turns played for worms, with the chances after them told by a network."""
    state = states_of(edition, seats, 9)[-1]
    rules, rows = row_rules(edition), np.repeat(rows_of([state]), 64, axis=0)
    counted, rng = NetworkChances(opinionated(edition)), np.random.default_rng(4)
    played = play_turns(rules, rows, seats, WormLead(), rng, 500, counted=counted)
    ((kind, places),) = rules.kinds(rows)
    layers = rules.layers(rows[places], kind)
    worms, chances = (ends_of_turns(rules, layers, seats, each) for each in (WormLead(), counted))
    _, ends = chances_of_ends(rules, kind, worms.ends)
    after = chances.values[worms.chosen[as_ended(worms.branches)]]
    wanted = (ends[..., np.newaxis] * after).sum(axis=(1, 2))[0]
    error = played.values.std(axis=0) / 8
    assert (np.abs(played.values.mean(axis=0) - wanted) < 5 * error + 2e-5).all()


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_turn_deeper_is_the_mean_over_the_ends_of_the_next_turn(edition: str, seats: int) -> None:
    states, network = states_of(edition, seats, 12), opinionated(edition)
    win, rules = WinChance([network]), row_rules(edition)
    deep = Deeper(win.of_rows(seats)).of(rules, rows_of(states), seats)
    assert deep.sum(axis=1) == pytest.approx(1, abs=1e-5)
    for solved, state, found in zip(
        solve_all([position_of(state) for state in states], win), states, deep, strict=True
    ):
        wanted = np.roll(expected_by_the_rules(solved, state, win), -state.seat)
        assert found == pytest.approx(wanted, abs=1e-4)


class NoOpinion:
    """To this value all tables are equal."""

    by_result = False

    def of(self, _: RowRules, rows: np.ndarray, seats: int) -> np.ndarray:
        return np.full((len(rows), seats), 0.25, np.float32)


@pytest.mark.parametrize("value", [NoOpinion(), NetworkChances(opinionated("deluxe"))])
def test_whom_to_rob_does_not_depend_on_the_order_of_the_victims(value: RowValue) -> None:
    """The rules list them by seat and rows from the player on: of equals, both take the same."""
    rules = row_rules("deluxe")
    start = given(deluxe_table(4, bratworms=(0, 3, 2, 2))).state
    layers = rules.layers(rows_of([start]), position_of(start).kind)
    assert layers.shape[1] == 4
    chosen = set()
    for order in permutations(range(1, 4)):
        mixed = layers[:, [0, *order]]
        (best,) = best_layer(rules, mixed, 4, value)
        chosen.add(mixed[0, best].tobytes())
    assert len(chosen) == 1


def may_end_game(state: AnyState) -> bool:
    return EndGame() in chain(*endings_at(position_of(state), 0))


def expected_by_the_rules(solved: SolvedTurn, state: AnyState, win: WinChance) -> np.ndarray:
    """The chances by seat after the turn, over all of its ends."""
    solution, position = solved.solution, solved.position
    ends = solution.endings(best(solution.choices(solution.start)))
    expected = np.zeros(state.table.seats)
    for layer, table in enumerate(position.tables):
        without, with_worm = endings_at(position, layer)
        chances = [ends.fail[layer], *ends.stop[layer, 0], *ends.stop[layer, 1]]
        for ending, chance in zip([FAILURE, *without, *with_worm], chances, strict=True):
            if chance > 0:
                then = win.chances(after(position.game, table, state.seat, ending))
                expected += chance * then[then[:, state.seat].argmax()]
    return expected
