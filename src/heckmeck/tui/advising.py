"""What each move is worth, for people who want hints."""

from importlib.util import find_spec

from heckmeck.rules import AnyState, word
from heckmeck.tui.source import Hints, MoveHint


def can_advise() -> bool:
    """Whether the packages are there that know what moves are worth."""
    return find_spec("numpy") is not None and find_spec("numba") is not None


def hints_for(state: AnyState) -> Hints:
    """Weigh every legal move of a state in which a player is awaited; the first time is slow."""
    from heckmeck.coach.advice import advise

    advice = advise(state)
    return Hints(
        advice.unit,
        tuple(MoveHint(word(move), worth, fail) for move, worth, fail in advice.moves),
    )
