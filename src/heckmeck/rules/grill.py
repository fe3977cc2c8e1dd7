"""The row of tiles in the middle and the players' stacks: classic, deluxe and junior share them.

The two house rules people really play are about this row.
"""

from bisect import bisect_left
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The house rules that are on.

    ``flip_always``: a failed attempt turns the highest tile even if nothing was returned.
    ``flip_returned``: the returned tile is turned too if it is the highest.
    """

    flip_always: bool = False
    flip_returned: bool = False


NO_HOUSE_RULES = HouseRules()


Tile: TypeAlias = int
Stack: TypeAlias = tuple[Tile, ...]  # bottom to top, never rearranged (T9)
Stacks: TypeAlias = tuple[Stack, ...]  # by seat


@dataclass(frozen=True, slots=True)
class Grill:
    """The tiles on the grill, both rows ascending; equal tiles (junior) are listed one by one."""

    face_up: tuple[Tile, ...]
    face_down: tuple[Tile, ...] = ()

    @property
    def highest(self) -> Tile:
        """The highest face-up tile; there must be one."""
        return self.face_up[-1]

    def next_lower(self, result: int) -> Tile | None:
        """Return the highest face-up tile below ``result``, if there is one (C6)."""
        place = bisect_left(self.face_up, result)
        return self.face_up[place - 1] if place else None

    def without(self, tile: Tile) -> "Grill":
        """Return the grill without ``tile``."""
        place = self.face_up.index(tile)
        return Grill(self.face_up[:place] + self.face_up[place + 1 :], self.face_down)

    def with_back(self, tile: Tile) -> "Grill":
        """Return the grill with ``tile`` back, face up."""
        return Grill(tuple(sorted((*self.face_up, tile))), self.face_down)

    def turned(self, tile: Tile) -> "Grill":
        """Return the grill with ``tile`` turned face down for good."""
        return Grill(self.without(tile).face_up, tuple(sorted((*self.face_down, tile))))


@dataclass(frozen=True, slots=True)
class GrillTable:
    """What the tables of classic, deluxe and junior have in common."""

    grill: Grill
    stacks: Stacks

    @property
    def seats(self) -> int:
        """How many players sit at the table."""
        return len(self.stacks)


def tile_to_turn(grill: Grill, returned: Tile | None, house: HouseRules) -> Tile | None:
    """Return the tile that a failed attempt turns face down, if any (C8, with C10).

    ``returned`` is the tile just returned, which is already on ``grill``.
    """
    if not grill.face_up or (returned is None and not house.flip_always):
        return None
    if grill.highest == returned and not house.flip_returned:
        return None
    return grill.highest


def top(stack: Stack) -> Tile | None:
    """Return the tile on top of a stack, if there is one."""
    return stack[-1] if stack else None


def others_with_top(stacks: Stacks, tile: Tile, seat: int) -> tuple[int, ...]:
    """Return the players other than ``seat`` who have ``tile`` on top of their stack."""
    return tuple(
        [at for at, stack in enumerate(stacks) if stack and stack[-1] == tile and at != seat]
    )


def owner_of_top(stacks: Stacks, tile: Tile, seat: int) -> int | None:
    """Return the player other than ``seat`` with ``tile`` on top, where tiles are unique."""
    for at, stack in enumerate(stacks):
        if stack and stack[-1] == tile and at != seat:
            return at
    return None


def put_on(stacks: Stacks, seat: int, tile: Tile) -> Stacks:
    """Return the stacks with ``tile`` on top of ``seat``'s."""
    return tuple((*stack, tile) if at == seat else stack for at, stack in enumerate(stacks))


def take_off(stacks: Stacks, seat: int) -> Stacks:
    """Return the stacks without the top tile of ``seat``'s."""
    return tuple(stack[:-1] if at == seat else stack for at, stack in enumerate(stacks))
