"""The dice on the table: those of the last throw, as derived from events, and those set aside."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from heckmeck.rules import AnyState, Event
from heckmeck.rules import events as e
from heckmeck.rules.moves import Throw
from heckmeck.tui.source import Update, View, Wish

#: The maximum number of dice on the table: eight white ones and the golden one.
MOST_DICE: Final = 9


@dataclass(frozen=True, slots=True)
class Tray:
    """The dice of the last throw, as long as any of them are on the table.

    ``seat`` threw them. ``falling``: the number in the air. ``kept`` is the face kept since.
    """

    seat: int = 0
    dice: str = ""
    golden: str | None = None
    falling: int = 0
    kept: str | None = None
    dead: bool = False

    def can_keep_instead(self, face: str, view: View) -> bool:
        """Whether the last keep may be taken back to keep ``face`` instead."""
        if Wish.UNDO not in view.wishes or view.state is None or not self.kept:
            return False
        is_there = face in self.dice or face == self.golden
        return is_there and face not in view.state.turn.kept


NO_DICE: Final = Tray()


def after(tray: Tray, update: Update) -> Tray:
    """Return the dice on the table after an update."""
    state = update.view.state
    if update.reset or state is None:
        return NO_DICE if state is None else on_table(state)
    return _after_events(tray, update.events)


def on_table(state: AnyState) -> Tray:
    """Return the dice on the table in a state, for a reader who did not see them fall."""
    phase = state.phase
    return Tray(state.seat, phase.dice, phase.golden) if isinstance(phase, Throw) else NO_DICE


def _after_events(tray: Tray, happened: Iterable[Event]) -> Tray:
    for event in happened:
        match event:
            case e.DiceCast(seat, dice, golden):
                tray = Tray(seat, falling=dice + golden)
            case e.DiceFell(seat, dice, golden):
                tray = Tray(seat, dice, golden)
            case e.DiceKept(face=face):
                tray = replace(tray, kept=face)
            case e.ThrowWasDead():
                tray = replace(tray, dead=True)
            case e.TurnStarted() | e.GameEnded():
                # A dead throw stays visible until the next one.
                tray = tray if tray.dead else NO_DICE
            case _:
                pass
    return tray


class DieStatus(StrEnum):
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
    status: DieStatus
    golden: bool
    width: int
    height: int = 3


def dice_to_show(
    view: View, state: AnyState, tray: Tray, typed: str = "", *, large: bool
) -> list[ShownDie]:
    """Return the dice on the table or in the air, the golden one last; ``large``: large dice.

    ``typed`` are dice that the reader has entered so far.
    """
    width = 9 if large else 7 if view.edition == "junior" else 5
    height = 5 if large else 3
    if view.throw:
        return [
            ShownDie(
                typed[at : at + 1],
                DieStatus.REST if at < len(typed) else DieStatus.FALLING,
                at >= state.turn.hand,
                width,
                height,
            )
            for at in range(state.turn.hand + state.turn.golden)
        ]
    if tray.falling:
        return [ShownDie("", DieStatus.FALLING, False, width, height)] * tray.falling
    faces = [(face, False) for face in tray.dice]
    faces += [(tray.golden, True)] if tray.golden else []
    return [
        ShownDie(face, _status(face, view, state, tray), golden, width, height)
        for face, golden in faces
    ]


def _status(face: str, view: View, state: AnyState, tray: Tray) -> DieStatus:
    if tray.dead:
        return DieStatus.USED
    if face == tray.kept:
        return DieStatus.PICKED
    if f"keep:{face}" in view.moves or tray.can_keep_instead(face, view):
        return DieStatus.OPEN
    return DieStatus.USED if face in state.turn.kept else DieStatus.REST


def previews(view: View, shown: list[ShownDie]) -> str:
    """Return the line under the dice: the total that each possible keep would give."""
    brings = {
        move.removeprefix("keep:"): prospect.total
        for move, prospect in view.prospects.items()
        if move in view.moves
    }
    gap = 0 if len(shown) > 8 else 1
    line = ""
    seen: set[str] = set()
    for die in shown:
        new = die.face in brings and die.face not in seen
        seen.add(die.face)
        line += (f"→{brings[die.face]}" if new else "").center(die.width) + " " * gap
    return line.rstrip()


class Die(Static, can_focus=False):
    """One die on the table. Clicking it keeps all dice of its face."""

    class Picked(Message):
        """The reader wants to keep the dice of this face."""

        def __init__(self, face: str) -> None:
            super().__init__()
            self.face = face

    face = ""

    def show(self, die: ShownDie, name: str = "") -> None:
        """Show a die; ``name`` is its face in letters if that is not a number."""
        self.face = die.face
        self.set_classes({f"-{die.status}", *(["-golden"] if die.golden else [])})
        self.styles.width = die.width
        self.styles.height = die.height
        self.update(Content("\n".join(_lines(die, name))), layout=False)

    def on_click(self, event: events.Click) -> None:
        """Report the face, if there is one."""
        event.stop()
        if self.face:
            self.post_message(self.Picked(self.face))


def _lines(die: ShownDie, name: str) -> list[str]:
    inside = die.width - 2
    above = (die.height - 3) // 2
    match die.status:
        case DieStatus.PICKED:
            return [*[""] * (above + 1), die.face.center(die.width)]
        case DieStatus.FALLING:
            shown = "·"
        case DieStatus.USED:
            shown = f"({die.face})"
        case DieStatus.OPEN | DieStatus.REST:
            shown = die.face
    blank = [f"│{'':{inside}}│"] * above
    bottom = name.center(die.width) if name else f"╰{'─' * inside}╯"
    return [f"╭{'─' * inside}╮", *blank, f"│{shown.center(inside)}│", *blank, bottom]


class Kept(Static):
    """The dice set aside this turn, their total, and whether a worm is among them."""

    def show(self, title: str, kept: str, total: str, worm: str) -> None:
        """Show the dice in ``kept``; ``worm`` says whether there is one."""
        chips = [
            part for face in kept for part in ((f" {face} ", "bold $ink on $ivory"), (" ", ""))
        ]
        self.update(
            Content.assemble(
                (f"{title}  ", "$quiet"), *chips, (total, "bold"), (f"  {worm}", "$quiet")
            ),
            layout=False,
        )
