"""Dice: those on the table, one widget each, and those set aside, in a row."""

from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from heckmeck.tui.lying import Lie, ShownDie

#: The maximum number of dice on the table: eight white ones and the golden one.
MOST: Final = 9


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
        self.set_classes({f"-{die.lie}", *(["-golden"] if die.golden else [])})
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
    match die.lie:
        case Lie.PICKED:
            return [*[""] * (above + 1), die.face.center(die.width)]
        case Lie.FALLING:
            shown = "·"
        case Lie.USED:
            shown = f"({die.face})"
        case Lie.OPEN | Lie.REST:
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
