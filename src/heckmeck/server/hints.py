"""The interface to the coach, which evaluates moves.

The server depends only on `Advisor`. Without one, hints are refused.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from heckmeck.coach import Unit
from heckmeck.rules import AnyState


class Weighed(NamedTuple):
    """The worth of a legal move, and the chance that the turn fails after it (``fail``)."""

    word: str
    worth: float
    fail: float | None


class Hints(NamedTuple):
    """Moves with their worth, in ``unit``: ``worms``, or ``win`` for the chance to win."""

    unit: str
    moves: Sequence[Weighed]


class Advisor(Protocol):
    """Evaluates moves. It runs in a separate process, so it must be picklable."""

    def weigh(self, state: AnyState, unit: Unit | None) -> Hints:
        """Return every legal move of a state that awaits a player, best first.

        ``unit`` selects the chance to win or worms; raise `NoChampion` if it is not available.
        """
        ...
