"""The turn that all four games share, as a value: what is set aside and what is still in hand."""

from functools import lru_cache

from heckmeck.rules.dice import Dice, Face, set_aside
from heckmeck.rules.moves import KEEP, Keep, Throw
from heckmeck.rules.value import value


@value
class Turn:
    """A turn under way.

    ``kept``: the dice set aside, the golden die's face included. ``total``: their points, without
    the canned worm. ``hand``: white dice not set aside. ``golden``: the golden die is in hand.
    ``weasel_used``: the weasel was used this turn.
    """

    hand: int
    kept: Dice = ""
    total: int = 0
    golden: bool = False
    weasel_used: bool = False

    @property
    def dice_left(self) -> bool:
        """Whether any die is left to throw."""
        return self.hand > 0 or self.golden

    def keep(self, face: Face, throw: Throw, points: int) -> "Turn":
        """Set aside all dice of ``face`` in ``throw``, each worth ``points`` (T2)."""
        white = throw.dice.count(face)
        golden = throw.golden == face
        count = white + golden
        return Turn(
            self.hand - white,
            set_aside(self.kept, face, count),
            self.total + count * points,
            self.golden and not golden,
            self.weasel_used,
        )


@lru_cache(maxsize=1 << 16)
def pickable(kept: Dice, throw: Dice, golden: Face | None) -> tuple[Keep, ...]:
    """Return the keeps that a throw allows: its faces that were not kept before (T2).

    Empty for a dead throw (T5).
    """
    thrown = throw if golden is None else throw + golden
    return tuple(KEEP[face] for face in KEEP if face in thrown and face not in kept)
