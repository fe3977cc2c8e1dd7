"""The turn that all four games share: what is set aside, what is in hand, and what can fall.

Chance is explicit: every possible throw has its exact integer weight.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

from heckmeck.rules.components import GOLDEN_DIE
from heckmeck.rules.dice import Dice, DiceSet, Face, set_aside, throws_of
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


# --- what can fall --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """Throws and their weights: a throw has probability ``weight / total``."""

    throws: tuple[Throw, ...]
    weights: tuple[int, ...]
    cumulative: tuple[int, ...]
    total: int

    def __iter__(self) -> Iterator[tuple[Throw, int]]:
        """Yield each throw with its weight."""
        return zip(self.throws, self.weights, strict=True)

    def __len__(self) -> int:
        """Return the number of different throws."""
        return len(self.throws)

    def at(self, position: int) -> Throw:
        """Return the throw at ``position`` in ``range(total)``, where each takes up its weight.

        A uniform position gives a fair throw; randomness is left to the caller.
        """
        return self.throws[bisect_right(self.cumulative, position)]


@cache
def chances(dice: DiceSet, count: int, golden: bool = False) -> Chances:
    """Return all throws of ``count`` dice, and the golden die if ``golden``."""
    faces = throws_of(GOLDEN_DIE, 1) if golden else {None: 1}
    outcomes = {
        Throw(white, face): ways * sides
        for white, ways in throws_of(dice, count).items()
        for face, sides in faces.items()
    }
    weights = tuple(outcomes.values())
    return Chances(tuple(outcomes), weights, tuple(accumulate(weights)), sum(weights))


@lru_cache(maxsize=1 << 12)
def chance_of_only(faces: str, dice: DiceSet, count: int, golden: bool = False) -> float:
    """Return the probability that ``count`` dice, and the golden die, show only these faces."""
    ways = int(_sides_with(dice, faces) ** count)
    in_all = int(dice.sides_in_all**count)
    if golden:
        ways *= _sides_with(GOLDEN_DIE, faces)
        in_all *= GOLDEN_DIE.sides_in_all
    return ways / in_all


def _sides_with(dice: DiceSet, faces: str) -> int:
    return sum(n for face, n in zip(dice.faces, dice.sides, strict=True) if face in faces)


NO_CHANCE: Final = Chances((), (), (), 0)
