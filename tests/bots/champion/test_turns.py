"""Turns solved and played out on rows, next to the solver that works with the rules."""

from itertools import chain

import numpy as np
import pytest

from heckmeck.bots.champion.deeper import Deeper, chances_of_ends
from heckmeck.bots.champion.models import model_of
from heckmeck.bots.champion.turns import (
    Chances,
    Worms,
    as_ended,
    play_turns,
    steps_for,
    worth_of,
)
from heckmeck.bots.champion.win import WinChance
from heckmeck.bots.worms import WormSwing
from heckmeck.rules import EDITIONS, AnyState, game, game_at
from heckmeck.rules.endings import EndGame
from heckmeck.solver.positions import FAILURE, after, endings_at, position_of
from heckmeck.solver.shapes import shape_of
from heckmeck.solver.solution import best
from heckmeck.solver.solved import SolvedTurn, solve_all
from tests.bots.champion.networks import opinionated
from tests.bots.champion.positions import wander

TABLES = [(edition, seats) for edition in EDITIONS for seats in (2, 4)]


def states_of(edition: str, seats: int, turns: int) -> list[AnyState]:
    return list(wander(edition, seats, seed=11, turns=turns))


def rows_of(states: list[AnyState]) -> np.ndarray:
    model = model_of(game_at(states[0].table).edition)
    return np.stack([model.row(state.table, state.seat) for state in states])


@pytest.mark.machine
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_the_worth_of_a_turn_is_what_the_solver_says(edition: str, seats: int) -> None:
    states, network = states_of(edition, seats, 40), opinionated(edition)
    win = WinChance([network])
    exact = solve_all([position_of(state) for state in states], win)
    played = play_turns(
        model_of(edition), rows_of(states), seats, Chances(network), np.random.default_rng(0)
    )
    assert played.value == pytest.approx([turn.solution.value for turn in exact], abs=1e-9)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_players_for_worms_play_as_the_fox_does(edition: str, seats: int) -> None:
    """Turns are worth the same, up to what the player has before the turn."""
    # Where the game can be ended at once (B9), the fox counts the whole lead and not the gain.
    states = [state for state in states_of(edition, seats, 30) if not may_end_game(state)]
    model = model_of(edition)
    exact = solve_all([position_of(state) for state in states], WormSwing())
    rows = rows_of(states)
    before = Worms().of(model, rows, seats)[:, 0]
    played = play_turns(model, rows, seats, Worms(), np.random.default_rng(0))
    assert played.value - before == pytest.approx([turn.solution.value for turn in exact], abs=1e-4)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_turns_played_out_come_to_what_they_are_worth(edition: str, seats: int) -> None:
    state = states_of(edition, seats, 9)[-1]
    rows = np.repeat(rows_of([state]), 64, axis=0)
    values = Chances(opinionated(edition))
    played = play_turns(model_of(edition), rows, seats, values, np.random.default_rng(3), 500)
    own = played.values[:, seats - 1].astype(np.float64)
    error = own.std() / 8
    assert own.mean() == pytest.approx(played.value[0], abs=5 * error + 2e-5)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_one_plays_and_another_counts(edition: str, seats: int) -> None:
    """Turns played for worms, with the chances after them told by a network."""
    state = states_of(edition, seats, 9)[-1]
    model, rows = model_of(edition), np.repeat(rows_of([state]), 64, axis=0)
    counted, rng = Chances(opinionated(edition)), np.random.default_rng(4)
    played = play_turns(model, rows, seats, Worms(), rng, 500, counted=counted)
    ((kind, places),) = model.kinds(rows)
    layers = model.layers(rows[places], kind)
    worms, chances = (worth_of(model, layers, seats, each) for each in (Worms(), counted))
    ends, value = np.empty(worms.branches.ending.shape), np.empty(len(rows))
    steps = steps_for(shape_of(game(edition)), kind.golden, kind.layers > 1)
    chances_of_ends(steps, 1 + kind.weasel, worms.ends, value, ends)
    after = chances.values[worms.chosen[as_ended(worms.branches)]]
    wanted = (ends[..., np.newaxis] * after).sum(axis=(1, 2))[0]
    error = played.values.std(axis=0) / 8
    assert (np.abs(played.values.mean(axis=0) - wanted) < 5 * error + 2e-5).all()


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_turn_deeper_is_the_mean_over_the_ends_of_the_next_turn(edition: str, seats: int) -> None:
    states, network = states_of(edition, seats, 12), opinionated(edition)
    win, model = WinChance([network]), model_of(edition)
    deep = Deeper(Chances(network)).of(model, rows_of(states), seats)
    assert deep.sum(axis=1) == pytest.approx(1, abs=1e-5)
    for solved, state, found in zip(
        solve_all([position_of(state) for state in states], win), states, deep, strict=True
    ):
        wanted = np.roll(expected_by_the_rules(solved, state, win), -state.seat)
        assert found == pytest.approx(wanted, abs=1e-4)


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
