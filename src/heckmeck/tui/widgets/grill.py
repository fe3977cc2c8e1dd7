"""The grill, or the board: all places, and the one that stopping would take."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from textual.content import Content
from textual.widgets import Static

from heckmeck.narration import Messages
from heckmeck.rules import AnyState
from heckmeck.tui.cells import centred
from heckmeck.tui.look import player_style
from heckmeck.tui.slots import Lies, Slot, rows_of

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


class Grill(Static):
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
    match slot.lies:
        case Lies.DOWN:
            return [look.line("░" * look.width, f"$iron-dim {_IRON}")] * look.height
        case Lies.GONE:
            return _padded(_gone(slot, look, is_target), look, f"$iron-dim {_IRON}")
        case Lies.UP:
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
