"""What may come of a turn is told as the rules then have it."""

import msgspec
import pytest

from heckmeck.record import ending_to_json
from heckmeck.rules import (
    EDITIONS,
    AnyState,
    Event,
    apply,
    game_at,
    legal,
    new_game,
    parse,
    stopping,
    throws,
    word,
)
from heckmeck.rules.events import (
    BratwormEarned,
    BratwormMissing,
    CannedWormOpened,
    TileTaken,
    TurnEnded,
    WhyBratworm,
)
from heckmeck.rules.moves import ROLL, STOP, Keep
from heckmeck.rules.state import Deciding
from heckmeck.rules.turn import pickable
from heckmeck.wire.states import Prospect, prospects
from tests.record.games import play
from tests.rules.story import APPLE, GOLDEN, RAVEN, deluxe_table, given


def after(edition: str, words: str) -> AnyState:
    """The state after these words."""
    state = new_game(edition, seats=2)
    for each in words.split():
        state = apply(state, parse(each)).state
    return state


def hold(prospect: Prospect, state: AnyState, events: tuple[Event, ...]) -> None:
    """Check what was told against the turn as it stands, and what happened if it has ended."""
    for event in events:
        match event:
            case TurnEnded():
                assert event.total == prospect.total
            case TileTaken() | CannedWormOpened():
                assert event.result == prospect.result
            case _:
                pass
    if any(isinstance(event, TurnEnded) for event in events):
        return
    turn, game = state.turn, game_at(state.table)
    assert prospect.total == turn.total
    assert prospect.ending == ending_to_json(stopping(state))
    worm = game.dice.worm in turn.kept
    assert prospect.result == game.result(state.table, state.seat, turn.total, worm)


def dead_throws(state: AnyState) -> float:
    """The share of dead throws among all that can fall when the player throws now."""
    chances = throws(apply(state, ROLL).state)
    kept = state.turn.kept
    dead = [weight for throw, weight in chances if not pickable(kept, throw.dice, throw.golden)]
    return sum(dead) / chances.total


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_told_is_what_comes(edition: str, seed: int) -> None:
    for state in play(edition, 3, seed).states:
        told = prospects(state)
        keeps = [move for move in legal(state) if isinstance(move, Keep)]
        decides = isinstance(state.phase, Deciding) and state.turn.kept != ""
        assert [*told] == ["stop"] * decides + [word(keep) for keep in keeps]
        if decides:
            hold(told["stop"], state, ())
            assert not told["stop"].bratworm
            assert told["stop"].dead == dead_throws(state)
            assert told["stop"].safe == (edition == "junior")  # J3
        if STOP in legal(state):
            hold(told["stop"], state, apply(state, STOP).events)
        for keep in keeps:
            then, events = apply(state, keep)
            hold(told[word(keep)], then, events)
            earned = BratwormEarned(state.seat, WhyBratworm.DOUBLE_ONE) in events
            missing = BratwormMissing(state.seat) in events
            assert told[word(keep)].bratworm == (earned and not missing)
            assert told[word(keep)].dead is None
            assert not told[word(keep)].safe


def test_before_the_first_keep_there_is_nothing_to_tell() -> None:
    assert prospects(after("classic", "")) == {}
    assert prospects(after("classic", "roll")) == {}


def test_a_keep_that_ends_the_turn_is_told_before() -> None:
    told = prospects(after("classic", "roll =222223WW keep:2 roll =3WW keep:W roll =3"))
    assert told == {"keep:3": Prospect(23, {"ending": "take_tile", "tile": 23}, 23)}


def test_a_total_without_a_worm_has_no_result() -> None:
    told = prospects(after("classic", "roll =11234WWW keep:4"))
    ending = {"ending": "nothing", "why": "no_worm"}
    assert told == {"stop": Prospect(4, ending, dead=1 / 6**7)}


def test_two_ones_bring_a_bratworm() -> None:
    told = prospects(after("deluxe", "roll =11234WWW"))
    assert [face for face, prospect in told.items() if prospect.bratworm] == ["keep:1"]


def test_the_ravens_bratworm_belongs_to_the_ending() -> None:
    state = after("deluxe", "roll =222223WW keep:2 roll =3WW keep:W roll =3")
    events = apply(state, parse("keep:3")).events
    assert BratwormEarned(0, WhyBratworm.RAVEN) in events
    assert prospects(state) == {"keep:3": Prospect(23, {"ending": "take_tile", "tile": 23}, 23)}


def test_what_comes_with_the_tile_is_told_where_the_player_decides() -> None:
    told = prospects(given(deluxe_table(on_grill={29: APPLE}), kept="4555WW").state)
    assert told["stop"].bonus == "apple"
    told = prospects(given(deluxe_table(on_grill={23: RAVEN}), kept="4455W").state)
    assert told["stop"].bonus == "bratworm"


def test_nobody_is_promised_a_bratworm_that_cannot_be_had() -> None:
    # D14
    mine = deluxe_table(on_grill={23: RAVEN}, bratworms=(7, 0))
    assert prospects(given(mine, kept="4455W").state)["stop"].bonus is None
    story = given(mine).play("roll =11234WWW")
    assert not prospects(story.state)["keep:1"].bratworm


def test_who_has_to_go_on_is_told_why() -> None:
    state = after("barbecue", "roll =11234WWW keep:W")
    assert STOP not in legal(state)
    ending = {"ending": "nothing", "why": "too_low"}
    assert prospects(state) == {"stop": Prospect(15, ending, 15, dead=1 / 6**5)}


def test_a_throw_that_cannot_be_dead_is_told_as_such() -> None:
    story = given(deluxe_table(held=(GOLDEN,)), kept="5", golden=True)
    assert msgspec.to_builtins(prospects(story.state))["stop"]["dead"] == 0
