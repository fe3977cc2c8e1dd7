"""The grill as it is shown: all of its places, in rows, and what is on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from heckmeck.rules import AnyState, Specialist
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import (
    BARBECUE_SPOTS,
    CLASSIC_TILES,
    DELUXE_TILES,
    JUNIOR_COPIES,
    JUNIOR_TILES,
)
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.grill import Grill, Stacks
from heckmeck.rules.junior import JuniorTable


class Lies(StrEnum):
    """What is visible at a place of the grill."""

    UP = "up"  # a tile, or a spot of the board
    DOWN = "down"  # a tile turned face down
    GONE = "gone"  # nothing: the tile is in a player's stack


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of the grill.

    ``owner``: the player with the tile on top of their stack. ``standing``: the Specialist on the
    tile. ``plates`` and ``snail`` are those on a spot of the board.
    """

    number: int
    worms: int
    lies: Lies = Lies.UP
    owner: int | None = None
    standing: Specialist | None = None
    plates: tuple[int, ...] = ()
    snail: bool = False


Rows = list[tuple[Slot, ...]]


def rows_of(state: AnyState) -> Rows:
    """Return the places of the grill, row by row."""
    table = state.table
    match table:
        case ClassicTable():
            slots = [
                _tile(tile, CLASSIC_TILES[tile], table.grill, table.stacks)
                for tile in CLASSIC_TILES
            ]
            return _in_rows(slots, 8)
        case DeluxeTable():
            return _in_rows([_deluxe_tile(table, tile) for tile in DELUXE_TILES], 6)
        case JuniorTable():
            return [
                tuple(_copy(tile, number, table.grill) for tile in JUNIOR_TILES)
                for number in range(JUNIOR_COPIES)
            ]
        case BarbecueTable():
            return _in_rows([_spot(table, number) for number in BARBECUE_SPOTS], 7)
        case _:
            assert_never(table)


def _in_rows(slots: Sequence[Slot], columns: int) -> Rows:
    return [tuple(slots[at : at + columns]) for at in range(0, len(slots), columns)]


def _tile(tile: int, worms: int, grill: Grill, stacks: Stacks) -> Slot:
    if tile in grill.face_up:
        return Slot(tile, worms)
    if tile in grill.face_down:
        return Slot(tile, worms, Lies.DOWN)
    owner = next((seat for seat, stack in enumerate(stacks) if stack and stack[-1] == tile), None)
    return Slot(tile, worms, Lies.GONE, owner)


def _deluxe_tile(table: DeluxeTable, tile: int) -> Slot:
    slot = _tile(tile, DELUXE_TILES[tile], table.grill, table.stacks)
    return Slot(slot.number, slot.worms, slot.lies, slot.owner, table.standing_on(tile))


def _copy(tile: int, number: int, grill: Grill) -> Slot:
    """Return the first or second of two equal tiles, face-up ones first."""
    up = grill.face_up.count(tile)
    down = grill.face_down.count(tile)
    lies = Lies.UP if number < up else Lies.DOWN if number < up + down else Lies.GONE
    return Slot(tile, JUNIOR_TILES[tile], lies)


def _spot(table: BarbecueTable, number: int) -> Slot:
    spot = table.spot(number)
    return Slot(number, BARBECUE_SPOTS[number], plates=spot.plates, snail=spot.snail)
