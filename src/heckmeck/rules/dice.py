"""Dice as text: ``"1124W"`` is five dice, always written in face order.

A face is one character. Text is compact, hashes and compares quickly, and is what records and
states show anyway.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from math import factorial
from typing import Final, TypeAlias

Face: TypeAlias = str
Dice: TypeAlias = str

#: One order that agrees with every edition's own: ``12345W``, ``1234W6``, ``WBCGK``.
FACE_ORDER: Final = "12345W6BCGK"
_PLACE: Final = {face: place for place, face in enumerate(FACE_ORDER)}


@dataclass(frozen=True, slots=True, eq=False)
class DiceSet:
    """Equal dice: their faces, the number of sides with each face, and its points.

    ``faces``, ``sides`` and ``points`` run in parallel; ``worm`` is one of the faces.
    """

    faces: str
    sides: tuple[int, ...]
    points: tuple[int, ...]
    worm: Face
    count: int

    @property
    def sides_in_all(self) -> int:
        """The number of sides of one die."""
        return sum(self.sides)

    def points_for(self, face: Face) -> int:
        """The points of one die showing this face."""
        return self.points[self.faces.index(face)]


def in_face_order(faces: str) -> Dice:
    """Return the same dice in face order; a ``KeyError`` names a character that is not a face."""
    return "".join(sorted(faces, key=_PLACE.__getitem__))


@lru_cache(maxsize=1 << 14)
def set_aside(kept: Dice, face: Face, count: int) -> Dice:
    """Return ``kept`` with ``count`` dice of ``face`` added, in face order."""
    return in_face_order(kept + face * count)


@cache
def throws_of(dice: DiceSet, count: int) -> dict[Dice, int]:
    """Return every throw of ``count`` dice with the number of ways to get it.

    The numbers of ways sum to ``dice.sides_in_all ** count``; the throws are in ascending order of
    the dice's faces.
    """
    return {
        "".join(face * n for face, n in zip(dice.faces, counts, strict=True)): _ways(dice, counts)
        for counts in _compositions(count, len(dice.faces))
    }


def _ways(dice: DiceSet, counts: tuple[int, ...]) -> int:
    """Return the number of ways in which the dice show face ``i`` ``counts[i]`` times."""
    ways = factorial(sum(counts))
    for sides, count in zip(dice.sides, counts, strict=True):
        ways = ways // factorial(count) * int(sides**count)
    return ways


def _compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    """Return all ways to write ``total`` as an ordered sum of ``parts`` numbers, largest first."""
    if parts == 1:
        return [(total,)]
    return [
        (first, *rest)
        for first in range(total, -1, -1)
        for rest in _compositions(total - first, parts - 1)
    ]
