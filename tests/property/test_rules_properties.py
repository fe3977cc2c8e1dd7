"""Properties of the rules: all editions, all numbers of players, both house rules."""

from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck import rules
from heckmeck.rules.components import Specialist
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.dice import FACE_ORDER
from heckmeck.rules.events import (
    DiceFell,
    Event,
    GameEnded,
    SpecialistMoved,
    SpecialistReturned,
)
from heckmeck.rules.grill import top
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import FALLING, Falling
from heckmeck.rules.turn import Turn
from tests.property.invariants import check, where_specialists_are
from tests.property.onlooker import Onlooker, picture_of
from tests.property.players import whole_game
from tests.property.positions import CHOICES, is_over, path, positions, possible, set_ups

EVERY_EDITION = pytest.mark.parametrize("edition", rules.EDITIONS)
SEEDS = st.integers(0, 2**32 - 1)
LONGEST_GAME = 20_000

#: Every word that could be meant at some table, and some throws of every kind of dice.
WORDS = [
    *("roll", "roll:golden", "stop", "reroll", "bust"),
    *(f"keep:{face}" for face in FACE_ORDER),
    *(f"{ask}:{seat}" for ask in ("rob", "pinch") for seat in range(10)),
    *(f"return:{specialist}" for specialist in Specialist),
    *("=" + "1" * count for count in range(1, 11)),
    *("=" + "1234W" + "W" * count for count in range(5)),
    *("=+1", "=+W", "=+5", "=1+1", "=11234WWW+W", "=11234WWW+5"),
    *("=12345WWW", "=1234WW66", "=WBCGKW", "=WWBBBBBB", "=W", "=B", "=6", "=5"),
]
MOVES = list(map(rules.parse, WORDS))


def fresh_turn(state: rules.AnyState) -> Turn:
    return Turn(hand=rules.game_at(state.table).dice.count)


@EVERY_EDITION
@given(data=st.data())
def test_nothing_is_lost_from_any_position(edition: str, data: st.DataObject) -> None:
    state = data.draw(positions(edition))
    check(state)
    for _, _, after in path(state, data.draw(CHOICES)):
        check(after.state)


@EVERY_EDITION
@given(data=st.data())
def test_events_tell_everything_from_any_position(edition: str, data: st.DataObject) -> None:
    state = data.draw(positions(edition))
    onlooker = Onlooker(state, fresh_turn(state))
    for _, _, after in path(state, data.draw(CHOICES)):
        assert onlooker.hear(after.events) == picture_of(after.state)


@EVERY_EDITION
@given(data=st.data())
def test_every_legal_move_applies_and_every_other_word_is_refused(
    edition: str, data: st.DataObject
) -> None:
    state = data.draw(positions(edition))
    for _, _, after in path(state, data.draw(CHOICES)):
        state = after.state
    before = repr(state)
    allowed = possible(state)
    for move in allowed:
        after = rules.apply(state, move)
        assert after.events
        assert after.state != state
        assert rules.apply(state, move) == after  # no chance, no memory
    for move in MOVES:
        if move not in allowed:
            with pytest.raises(rules.IllegalMove) as refusal:
                rules.apply(state, move)
            assert refusal.value.word == rules.word(move)
            assert refusal.value.legal == tuple(map(rules.word, rules.legal(state)))
    assert repr(state) == before


@given(state=positions("deluxe"), choices=CHOICES)
def test_specialists_leave_the_game_only_when_an_event_says_so(
    state: rules.AnyState, choices: list[int]
) -> None:
    for before, _, after in path(state, choices):
        gone = {
            event.specialist
            for event in after.events
            if (isinstance(event, SpecialistReturned) and event.tile is None)
            or (isinstance(event, SpecialistMoved) and event.to is None)
        }
        assert set(where_specialists_are(before)) - gone == set(where_specialists_are(after.state))


@EVERY_EDITION
@given(data=st.data(), seed=SEEDS)
def test_whole_games(edition: str, data: st.DataObject, seed: int) -> None:
    """Games end, and on the way nothing is lost and events tell everything."""
    state = data.draw(set_ups(edition))
    onlooker = Onlooker(state, fresh_turn(state))
    check(state)
    last = state
    for words, (_, move, after) in enumerate(whole_game(state, Random(seed)), start=1):
        assert words < LONGEST_GAME, "this game does not end"
        last = after.state
        check(last)
        assert onlooker.hear(after.events) == picture_of(last)
        assert isinstance(move, Throw) or after.events
        assert is_over(last) == any(isinstance(event, GameEnded) for event in after.events)
    assert is_over(last)


@EVERY_EDITION
@given(data=st.data(), seed=SEEDS)
def test_outcomes(edition: str, data: st.DataObject, seed: int) -> None:
    """Everybody has a place, and the winners' score is the highest."""
    state = data.draw(set_ups(edition))
    for _, _, after in whole_game(state, Random(seed)):
        state = after.state
    outcome = rules.outcome(state)
    assert outcome is not None
    assert outcome.scores == rules.scores(state)
    places = [seat for place in outcome.ranking for seat in place]
    assert sorted(places) == list(range(state.table.seats))
    by_place = [outcome.scores[seat] for seat in places]
    assert by_place == sorted(by_place, reverse=True)
    assert {outcome.scores[seat] for seat in outcome.winners} == {max(outcome.scores)}


def test_the_games_played_here_show_every_kind_of_event() -> None:
    """Nothing that can happen is missing from whole games: they are worth checking."""
    seen: set[type[Event]] = set()
    for edition, game in rules.EDITIONS.items():
        for seed in range(10):
            rng = Random(seed)
            state = rules.new_game(edition, rng.choice(game.players))
            for _, _, after in whole_game(state, rng):
                seen.update(map(type, after.events))
    assert seen == set(get_args(Event))


@given(state=set_ups("deluxe"), seed=SEEDS)
def test_only_the_hen_is_ever_held_without_a_tile(state: rules.AnyState, seed: int) -> None:
    """Whoever loses the last tile loses the Specialist with it: D4, D7, D8."""
    for _, _, after in whole_game(state, Random(seed)):
        table = after.state.table
        assert isinstance(table, DeluxeTable)
        for stack, held in zip(table.stacks, table.held, strict=True):
            assert top(stack) is not None or held in (None, Specialist.HEN)


@EVERY_EDITION
@given(data=st.data())
def test_states_are_values(edition: str, data: st.DataObject) -> None:
    """The same moves lead to equal states with equal hashes."""
    state = data.draw(positions(edition))
    choices = data.draw(CHOICES)
    once = [after for _, _, after in path(state, choices)]
    again = [after for _, _, after in path(state, choices)]
    assert once == again
    assert list(map(hash, once)) == list(map(hash, again))


@EVERY_EDITION
@given(data=st.data())
def test_throws_are_exactly_the_dice_that_can_fall(edition: str, data: st.DataObject) -> None:
    state = data.draw(positions(edition))
    state = rules.apply(state, data.draw(st.sampled_from(rules.legal(state)))).state
    if not isinstance(state.phase, Falling):
        return
    chances = rules.throws(state)
    assert chances.total == 6 ** (state.turn.hand + state.turn.golden)
    for throw in chances.throws:
        assert len(throw.dice) == state.turn.hand
        told = rules.apply(state, throw).events[0]
        assert told == DiceFell(state.seat, throw.dice, throw.golden)


@EVERY_EDITION
@given(data=st.data())
def test_what_comes_next_is_among_what_can(edition: str, data: st.DataObject) -> None:
    """A position tells all phases that it can be in; after a throw, the dice could have fallen."""
    state = data.draw(set_ups(edition))
    for _, _, (after, _) in path(state, data.draw(CHOICES)):
        phase = FALLING if isinstance(after.phase, Throw) else after.phase
        assert phase in rules.game(edition).phases(after.table, after.seat, after.turn)
