"""The possible results of a turn, which pages show before the player decides."""

from itertools import pairwise

from msgspec.structs import replace

from heckmeck.record import ending_to_json
from heckmeck.rules import AnyState, apply, bonus, dead_chance, game_at, legal, word
from heckmeck.rules.events import BratwormEarned, BratwormMissing, DiceKept, Event, WhyBratworm
from heckmeck.rules.moves import STOP, Keep, Throw
from heckmeck.rules.state import Deciding
from heckmeck.server.messages import Prospect


def prospects(state: AnyState) -> dict[str, Prospect]:
    """Return the results of the turn as it stands, or with each face that can be kept."""
    match state.phase:
        case Deciding() if state.turn.kept:
            now = _prospect(state, state.turn.kept, state.turn.total)
            safe = game_at(state.table).dead_throw_counts
            told = replace(now, bonus=bonus(state), dead=dead_chance(state), safe=safe)
            return {word(STOP): told}
        case Throw():
            keeps = [move for move in legal(state) if isinstance(move, Keep)]
            return {word(move): _with(state, move) for move in keeps}
        case _:
            return {}


def _with(state: AnyState, keep: Keep) -> Prospect:
    events = apply(state, keep).events
    total = next(event.total for event in events if isinstance(event, DiceKept))
    bratworm = _two_ones_pay(state.seat, events)
    return _prospect(state, state.turn.kept + keep.face, total, bratworm=bratworm)


def _two_ones_pay(seat: int, events: tuple[Event, ...]) -> bool:
    """Whether the keep itself earns a Bratworm; the raven's depends on the ending."""
    earned = BratwormEarned(seat, WhyBratworm.DOUBLE_ONE)
    return any(
        event == earned and not isinstance(then, BratwormMissing)  # D14
        for event, then in pairwise(events)
    )


def _prospect(state: AnyState, kept: str, total: int, *, bratworm: bool = False) -> Prospect:
    game = game_at(state.table)
    worm = game.dice.worm in kept
    return Prospect(
        total,
        {**ending_to_json(game.ending(state.table, state.seat, total, worm))},
        game.result(state.table, state.seat, total, worm),
        bratworm,
    )
