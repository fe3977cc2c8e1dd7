"""The grill, or the board: all places, what is on them, and the one that stopping would take."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, assert_never

from textual.content import Content
from textual.widgets import Static

from heckmeck.narration import Messages
from heckmeck.rules import AnyState, Specialist, barbecue, classic, components, deluxe, junior
from heckmeck.rules.grill import Grill, Stacks
from heckmeck.tui.cells import centred
from heckmeck.tui.theme import player_style

#: Columns of a place, by edition; each larger size of a table adds `WIDER`.
WIDTHS: Final = {"classic": 5, "deluxe": 7, "barbecue": 6, "junior": 7}
WIDER: Final = 2
#: Lines of a place, by edition; each larger size of a table adds one.
HEIGHTS: Final = {"classic": 3, "deluxe": 2, "barbecue": 3, "junior": 3}
WORM: Final = "~"

_IRON: Final = "on $iron"
_TILE: Final = "bold $ink on $ivory"
_WORMS: Final = "bold $ivory-worm on $ivory"
_TARGET: Final = "bold $ink on $glow"
_SNAIL: Final = "bold $ivory on $player-5"


class SlotStatus(StrEnum):
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
    status: SlotStatus = SlotStatus.UP
    owner: int | None = None
    standing: Specialist | None = None
    plates: tuple[int, ...] = ()
    snail: bool = False


Rows = list[tuple[Slot, ...]]


def rows_of(state: AnyState) -> Rows:
    """Return the places of the grill, row by row."""
    table = state.table
    match table:
        case classic.ClassicTable():
            tiles = components.CLASSIC_TILES.items()
            return _in_rows([_tile(*tile, table.grill, table.stacks) for tile in tiles], 8)
        case deluxe.DeluxeTable():
            return _in_rows([_deluxe_tile(table, tile) for tile in components.DELUXE_TILES], 6)
        case junior.JuniorTable():
            return [
                tuple(_copy(tile, number, table.grill) for tile in components.JUNIOR_TILES)
                for number in range(components.JUNIOR_COPIES)
            ]
        case barbecue.BarbecueTable():
            return _in_rows([_spot(table, number) for number in components.BARBECUE_SPOTS], 7)
        case _:
            assert_never(table)


def _in_rows(slots: Sequence[Slot], columns: int) -> Rows:
    return [tuple(slots[at : at + columns]) for at in range(0, len(slots), columns)]


def _tile(tile: int, worms: int, grill: Grill, stacks: Stacks) -> Slot:
    if tile in grill.face_up:
        return Slot(tile, worms)
    if tile in grill.face_down:
        return Slot(tile, worms, SlotStatus.DOWN)
    owner = next((seat for seat, stack in enumerate(stacks) if stack and stack[-1] == tile), None)
    return Slot(tile, worms, SlotStatus.GONE, owner)


def _deluxe_tile(table: deluxe.DeluxeTable, tile: int) -> Slot:
    slot = _tile(tile, components.DELUXE_TILES[tile], table.grill, table.stacks)
    return replace(slot, standing=table.standing_on(tile))


def _copy(tile: int, number: int, grill: Grill) -> Slot:
    """Return the first or second of two equal tiles, face-up ones first."""
    up = grill.face_up.count(tile)
    down = grill.face_down.count(tile)
    status = (
        SlotStatus.UP if number < up else SlotStatus.DOWN if number < up + down else SlotStatus.GONE
    )
    return Slot(tile, components.JUNIOR_TILES[tile], status)


def _spot(table: barbecue.BarbecueTable, number: int) -> Slot:
    spot = table.spot(number)
    return Slot(number, components.BARBECUE_SPOTS[number], plates=spot.plates, snail=spot.snail)


@dataclass(frozen=True, slots=True)
class Look:
    """How places are drawn: width, height and texts."""

    width: int
    height: int
    words: Messages
    badges: tuple[str, ...]

    def line(self, text: str, style: str) -> Content:
        """Return a line of a place, its text in the middle."""
        return Content.styled(centred(text, self.width), style)


class GrillPanel(Static):
    """All tiles on the grill, or all spots of the board."""

    def show(self, edition: str, state: AnyState, look: Look, target: int | None) -> None:
        """Show the grill of ``state``; ``target`` is the number that stopping would take."""
        standing = edition == "deluxe"
        lines: list[Content] = []
        for number, row in enumerate(rows_of(state)):
            if standing:
                lines.append(_row([_standing(slot, look) for slot in row]))
            elif number:
                lines.append(Content(""))
            drawn = [_slot(slot, look, slot.number == target) for slot in row]
            lines += [_row(parts) for parts in zip(*drawn, strict=True)]
        self.update(Content("\n").join(lines), layout=False)


def look_for(edition: str, badges: tuple[str, ...], words: Messages, size: int) -> Look:
    """Return how the places of an edition are drawn; ``size`` 0 is the smallest."""
    return Look(WIDTHS[edition] + WIDER * size, HEIGHTS[edition] + size, words, badges)


def _row(parts: Sequence[Content]) -> Content:
    return Content(" ").join(parts)


def _standing(slot: Slot, look: Look) -> Content:
    name = "" if slot.standing is None else look.words.say(f"short.{slot.standing}")
    return look.line(name, f"bold $specialist {_IRON}")


def _slot(slot: Slot, look: Look, is_target: bool) -> list[Content]:
    match slot.status:
        case SlotStatus.DOWN:
            return [look.line("░" * look.width, f"$iron-dim {_IRON}")] * look.height
        case SlotStatus.GONE:
            return _padded(_gone(slot, look, is_target), look, f"$iron-dim {_IRON}")
        case SlotStatus.UP:
            face = _TARGET if is_target else _TILE
            return _padded(_up(slot, look, is_target), look, face)


def _padded(lines: list[Content], look: Look, style: str) -> list[Content]:
    """Return the lines with blank ones around them, so that similar places look similar."""
    blank = look.line("", style)
    body = [*lines, *[blank] * 3][: min(look.height, 3)]
    spare = look.height - len(body)
    above = (spare + 1) // 2
    return [blank] * above + body + [blank] * (spare - above)


def _up(slot: Slot, look: Look, is_target: bool) -> list[Content]:
    face = _TARGET if is_target else _TILE
    lines = [
        look.line(_number(slot, is_target), face),
        look.line(WORM * slot.worms, face if is_target else _WORMS),
    ]
    if slot.snail:
        lines.append(look.line(look.words.say("short.snail"), _SNAIL))
    elif slot.plates:
        owner = slot.plates[0]
        lines.append(look.line(_plates(look.badges[owner], slot), player_style(owner)))
    return lines


def _gone(slot: Slot, look: Look, is_target: bool) -> list[Content]:
    quiet = f"$iron-text {_IRON}"
    if slot.owner is None:
        return [look.line("·", quiet)]
    owner = look.line(f"({look.badges[slot.owner]})", player_style(slot.owner))
    return [look.line(_number(slot, is_target), _TARGET if is_target else quiet), owner]


def _plates(badge: str, slot: Slot) -> str:
    """Return the owner of the plates, and that there are two if the spot is closed."""
    count = len(slot.plates)
    return f"({badge})" if count == 1 else f"{badge} x{count}"


def _number(slot: Slot, is_target: bool) -> str:
    return f"▸{slot.number}◂" if is_target else str(slot.number)
