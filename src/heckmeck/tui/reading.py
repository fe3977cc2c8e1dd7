"""What a screen reads out of a view: never a rule, only what the rules answer."""

from heckmeck.rules import AnyState, apply, game_at, stopping
from heckmeck.rules.events import DiceKept
from heckmeck.rules.moves import KEEP
from heckmeck.rules.state import Deciding
from heckmeck.tui.phrases import Phrases, StopWords


def totals(state: AnyState, moves: tuple[str, ...]) -> dict[str, int]:
    """Return the total that keeping each face would bring, for the keeps on offer."""
    keeps = (word.partition(":")[2] for word in moves if word.startswith("keep:"))
    return {face: _total(state, face) for face in keeps}


def _total(state: AnyState, face: str) -> int:
    events = apply(state, KEEP[face]).events
    return next(event.total for event in events if isinstance(event, DiceKept))


def has_worm(state: AnyState) -> bool:
    """Whether a worm is among the dice set aside."""
    return game_at(state.table).dice.worm in state.turn.kept


def if_stopped(state: AnyState, phrases: Phrases) -> StopWords | None:
    """Return what ending the turn now would do; ``None`` where it cannot be ended."""
    deciding = isinstance(state.phase, Deciding) and state.turn.kept
    return phrases.stop(state, stopping(state)) if deciding else None
