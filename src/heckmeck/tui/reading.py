"""What a screen derives from a view by asking the rules."""

from heckmeck.rules import AnyState, apply, game_at, stopping
from heckmeck.rules.events import DiceKept
from heckmeck.rules.moves import KEEP
from heckmeck.rules.state import Deciding
from heckmeck.tui.phrases import Phrases, StopWords


def totals(state: AnyState, moves: tuple[str, ...]) -> dict[str, int]:
    """Return the total that each possible keep would give, by face."""
    keeps = (word.partition(":")[2] for word in moves if word.startswith("keep:"))
    return {face: _total(state, face) for face in keeps}


def _total(state: AnyState, face: str) -> int:
    events = apply(state, KEEP[face]).events
    return next(event.total for event in events if isinstance(event, DiceKept))


def has_worm(state: AnyState) -> bool:
    """Whether a worm is among the dice set aside."""
    return game_at(state.table).dice.worm in state.turn.kept


def if_stopped(state: AnyState, phrases: Phrases) -> StopWords | None:
    """Return what ending the turn now would do; ``None`` if it cannot be ended."""
    deciding = isinstance(state.phase, Deciding) and state.turn.kept
    return phrases.stop(state, stopping(state)) if deciding else None
