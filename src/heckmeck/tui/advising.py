"""Hints: what each move is worth."""

from heckmeck.rules import AnyState, word
from heckmeck.tui.source import Hints, MoveHint


def hints_for(state: AnyState) -> Hints:
    """Weigh every legal move of a state in which a player has to decide; slow the first time."""
    from heckmeck.coach.advice import advise

    advice = advise(state)
    return Hints(
        advice.unit,
        tuple(MoveHint(word(move), worth, fail) for move, worth, fail in advice.moves),
    )
