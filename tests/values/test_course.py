"""What moves and throws change for every seat: luck that averages out, and nothing lost between."""

from collections.abc import Iterator

import numpy as np
import pytest

from heckmeck import rules
from heckmeck.bots import player
from heckmeck.record import Record, replay
from heckmeck.rules import AnyState, Specialist
from heckmeck.rules.state import Falling, RobQuestion
from heckmeck.solver.solution import best, share_batch
from heckmeck.values import WORMS, SeatValue
from heckmeck.values.course import answers_by_seat, by_seat, changes
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.values.win import win_chance
from heckmeck.values.worms import counts_others
from tests.bots.games import bot_game
from tests.rules.story import deluxe_table, given

#: Sums of chances differ from 1, and means from 0, only by rounding.
EXACT = 1e-12


def champion(edition: str) -> SeatValue:
    value = win_chance(edition)
    assert value is not None
    return value


def moments(record: Record) -> Iterator[tuple[AnyState, rules.Move]]:
    state = record.start()
    for step in replay(record):
        yield state, step.move
        state = step.state


def thrown(record: Record) -> list[AnyState]:
    """Return the states of a game in which dice are in the air."""
    return [state for state, _ in moments(record) if isinstance(state.phase, Falling)]


def mean_luck(state: AnyState, value: SeatValue) -> np.ndarray:
    """Return the mean luck of all throws of a roll; each sums to 0 if the others count."""
    table = state.table
    cancels = value is not WORMS or counts_others(rules.game_at(table).edition, table.seats)
    (turn,) = by_seat(TurnMemo(value).solved([state]), value)
    before, chances = turn.before_throw(state), rules.throws(state)
    mean = np.zeros_like(before)
    for throw, weight in chances:
        luck = turn.after_throw(state, throw) - before
        assert not cancels or abs(luck.sum()) < EXACT
        mean += weight * luck
    return mean / chances.total


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_luck_averages_out_over_all_throws(edition: str, seats: int) -> None:
    states = thrown(bot_game(edition, seats, seed=seats, words=400))
    for state in states[:: max(len(states) // 6, 1)]:
        for value in (champion(edition), WORMS):
            assert np.abs(mean_luck(state, value)).max() < EXACT


@pytest.mark.parametrize("holding", [Specialist.GOLDEN, Specialist.WEASEL, None])
@pytest.mark.parametrize("supply", [1, 0])
def test_luck_averages_out_with_help_and_bratworms(holding: Specialist | None, supply: int) -> None:
    """Golden die, weasel, and the layers of a Bratworm from the supply or from one of two."""
    start = given(deluxe_table(3, held=(holding,), bratworms=(0, 3, 4 - supply))).state
    for roll in rules.legal(start):
        state = rules.apply(start, roll).state
        for value in (champion("deluxe"), WORMS):
            assert np.abs(mean_luck(state, value)).max() < EXACT


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_within_a_turn_every_change_begins_where_the_last_one_ended(
    edition: str, seats: int
) -> None:
    """Only from turn to turn may the value disagree with itself; questions belong to the turn."""
    record = bot_game(edition, seats, seed=4, words=600)
    value, played = champion(edition), list(moments(record))
    found = list(changes(played, value))
    for (state, _), (then, _), one, two in zip(played, played[1:], found, found[1:], strict=False):
        assert abs(one.after.sum() - 1) < EXACT
        if state.seat == then.seat:
            assert np.abs(two.before - one.after).max() < EXACT
        gain = one.after[state.seat] - one.before[state.seat]
        assert one.choices == 0 or gain < EXACT


@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_two_seats_are_shared_out_like_more(edition: str) -> None:
    """The shortcut for two seats gives what sharing out every end gives."""
    value = champion(edition)
    states = [s for s, m in moments(bot_game(edition, 2, seed=2, words=90)) if rules.legal(s)]
    for turn, state in zip(TurnMemo(value).solved(states), states, strict=True):
        (quick,) = by_seat([turn], value)
        (shares,) = share_batch([turn.solution], value.ends_by_seat([turn.position]))
        choice = best(turn.choices(state))
        slow = (shares.roll if choice.rolling else shares.value)[choice.place]
        assert np.abs(quick.worth(choice) - slow).max() < EXACT


def test_a_robbery_is_worth_the_same_before_and_after_the_question() -> None:
    """Whoever is robbed for a double 1, the turn goes on from the worth of that answer."""
    value, asked = champion("deluxe"), 0
    for seed in range(12):
        for state, _ in moments(bot_game("deluxe", 4, seed=seed, words=900)):
            if isinstance(state.phase, RobQuestion) and not state.phase.for_raven:
                asked += 1
                for move, worth in answers_by_seat(state, value):
                    then = rules.apply(state, move).state
                    if then.seat == state.seat and rules.legal(then):
                        (change,) = changes([(then, rules.legal(then)[0])], value)
                        assert np.abs(change.before - worth).max() < EXACT
    assert asked


@pytest.mark.parametrize(("seats", "seed"), [(2, 9), (3, 11)])
@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_the_first_move_shown_is_the_one_played(edition: str, seats: int, seed: int) -> None:
    """Advice has the tie rule of the bots; what comes first is never worth less, nor above 1."""
    record = bot_game(edition, seats, seed=seed, bot=player("fox"))
    last = [state for state, _ in moments(record) if len(rules.legal(state)) > 1][-40:]
    for bot, value in (("fox", WORMS), ("champion", champion(edition))):
        memo = TurnMemo(value)
        for state, played in zip(last, player(bot).choose_all(last, []), strict=True):
            shown = memo.weigh(state)
            assert shown[0].move == rules.word(played)
            worths = [each.worth for each in shown]
            assert worths == sorted(worths, reverse=True)
            assert value is WORMS or all(0 <= worth <= 1 for worth in worths)
