"""The dice on the table: in the air, fallen, or kept, as derived from events."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from heckmeck.rules import AnyState, Event
from heckmeck.rules import events as e
from heckmeck.rules.moves import Throw
from heckmeck.tui.source import Update


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

    def shows(self, face: str) -> bool:
        """Whether a die with this face is on the table."""
        return face in self.dice or face == self.golden


NO_DICE: Final = Tray()


def after(tray: Tray, update: Update) -> Tray:
    """Return the dice on the table after an update."""
    state = update.view.state
    if update.anew or state is None:
        return NO_DICE if state is None else lying(state)
    return _after_events(tray, update.events)


def lying(state: AnyState) -> Tray:
    """Return the dice on the table in a state, for a reader who did not see them fall."""
    phase = state.phase
    return Tray(state.seat, phase.dice, phase.golden) if isinstance(phase, Throw) else NO_DICE


def _after_events(tray: Tray, events: Iterable[Event]) -> Tray:
    for event in events:
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
