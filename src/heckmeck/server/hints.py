"""The seam to the coach: whoever can tell what moves are worth.

The server asks an `Advisor` and does not know how it does it. Until one is given, hints are
refused.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from heckmeck.coach import Unit
from heckmeck.rules import AnyState


class Weighed(NamedTuple):
    """What a legal move, as its word, is worth; ``fail`` is how likely the turn fails after it."""

    word: str
    worth: float
    fail: float | None


class Hints(NamedTuple):
    """Moves with their worth; ``unit`` says what that is: ``worms``, or ``win`` for the chance."""

    unit: str
    moves: Sequence[Weighed]


class Advisor(Protocol):
    """Weighs moves. It runs in a process of its own, so it must be picklable."""

    def weigh(self, state: AnyState, unit: Unit | None) -> Hints:
        """Return every legal move of a state in which a player is awaited, best first.

        ``unit`` asks for chances to win or for worms; raise `NoChampion` where there are none.
        """
        ...
