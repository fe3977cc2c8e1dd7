"""The dice on the table as they are drawn: which can be kept, and what that would give."""

from dataclasses import dataclass
from enum import StrEnum

from heckmeck.rules import AnyState
from heckmeck.tui.keys import can_swap
from heckmeck.tui.reading import totals
from heckmeck.tui.source import View
from heckmeck.tui.tray import Tray


class Lie(StrEnum):
    """The state of a die on the table."""

    OPEN = "open"  # it can be kept
    REST = "rest"  # it is only shown
    USED = "used"  # its face was kept before: it cannot be kept
    PICKED = "picked"  # it was just kept
    FALLING = "falling"  # it is in the air


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A die to be drawn, in ``width`` columns and ``height`` lines."""

    face: str
    lie: Lie
    golden: bool
    width: int
    height: int = 3


def dice_to_show(view: View, state: AnyState, tray: Tray, *, large: bool) -> list[ShownDie]:
    """Return the dice on the table or in the air, the golden one last; ``large``: large dice."""
    width = 9 if large else 7 if view.edition == "junior" else 5
    height = 5 if large else 3
    if tray.falling:
        return [ShownDie("", Lie.FALLING, False, width, height)] * tray.falling
    faces = [(face, False) for face in tray.dice]
    faces += [(tray.golden, True)] if tray.golden else []
    return [
        ShownDie(face, _lie(face, view, state, tray), golden, width, height)
        for face, golden in faces
    ]


def _lie(face: str, view: View, state: AnyState, tray: Tray) -> Lie:
    if tray.dead:
        return Lie.USED
    if face == tray.kept:
        return Lie.PICKED
    if f"keep:{face}" in view.moves or can_swap(face, view, tray):
        return Lie.OPEN
    return Lie.USED if face in state.turn.kept else Lie.REST


def previews(view: View, state: AnyState, shown: list[ShownDie]) -> str:
    """Return the line under the dice: the total that each possible keep would give."""
    brings = totals(state, view.moves)
    gap = 0 if len(shown) > 8 else 1
    line = ""
    seen: set[str] = set()
    for die in shown:
        new = die.face in brings and die.face not in seen
        seen.add(die.face)
        line += (f"→{brings[die.face]}" if new else "").center(die.width) + " " * gap
    return line.rstrip()
