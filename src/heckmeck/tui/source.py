"""The interface between a table's screen and the source of its game.

A screen is driven by a `Source`: a game in this process with bots, saved on disk; a table on a
server; or a replayed record. The screen does not know which. It shows the `View` of each `Update`
and the events that led to it, offers what the view allows, and returns words and wishes.

Rules of the game for a source:

- The first update has ``anew`` set, and so has every one after which the past looks different: a
  replay that jumped back, a connection that missed too much. ``told`` is then the whole log.
- Otherwise ``events`` led from the view before to this one, and ``told`` are the new lines of the
  log, in the reader's language. An update may well have neither: a hint that arrived, a
  connection that was lost.
- A source keeps its own pace: it waits between the moves of bots, a screen never does.
- ``updates`` ends when there will be no more. The end of the game does not end it: the screen stays
  until its reader leaves.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from heckmeck.narration import badges
from heckmeck.rules import AnyState, Event


class Refused(Exception):
    """A move or a wish was refused; the message tells the reader why."""


class SourceFailed(Exception):
    """The game cannot continue; the message says why and what to do about it."""


class Wish(StrEnum):
    """What a reader may ask of a source, apart from moves. A view lists those available now."""

    UNDO = "undo"  # take back the last keep, until the next throw
    HINTS = "hints"  # turn hints on or off
    START = "start"  # begin the game: all seats are taken
    REMATCH = "rematch"  # the same seats, another game
    PLAY = "play"  # replay: play automatically, or pause
    FORWARD = "forward"  # replay: one step forward
    BACK = "back"  # replay: one step back
    FIRST = "first"  # replay: to the start
    LAST = "last"  # replay: to the end
    FASTER = "faster"  # replay, bots
    SLOWER = "slower"


@dataclass(frozen=True, slots=True)
class Seat:
    """The player in a seat.

    ``mine``: the reader of this screen plays here; there may be several on a shared screen.
    ``bot``: a bot plays here. ``away``: a person whose connection is lost. An empty ``name`` is a
    free seat.
    """

    name: str
    mine: bool = False
    bot: bool = False
    away: bool = False


@dataclass(frozen=True, slots=True)
class MoveHint:
    """The worth of a legal move, given as its word; ``fail`` is the chance that the turn fails."""

    word: str
    worth: float
    fail: float | None = None


@dataclass(frozen=True, slots=True)
class Hints:
    """Every legal move, best first. ``unit`` is ``worms``, or ``win`` for the chance to win."""

    unit: str
    moves: tuple[MoveHint, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The current table from the view of one reader.

    Attributes:
        edition: Which of the four games.
        seats: By seat.
        state: The game; ``None`` before it has begun.
        moves: The words the reader may play now; empty when it is another player's turn, when dice
            are in the air, and while a move is being sent.
        wishes: The wishes available now.
        hints: What each move is worth; ``None`` if unknown or not wanted.
        hints_on: Whether hints are wanted.
        connected: Whether the game can be reached. A screen that is cut off says so and waits.
        note: One line about the source, in the reader's language: where a replay is, what a table
            waits for, how fast it goes. Empty if there is nothing to say.
        record: Where the game is saved, shown at the end: a path or an address; empty: nowhere.
    """

    edition: str
    seats: tuple[Seat, ...]
    state: AnyState | None
    moves: tuple[str, ...] = ()
    wishes: frozenset[Wish] = frozenset()
    hints: Hints | None = None
    hints_on: bool = False
    connected: bool = True
    note: str = ""
    record: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def you(self) -> int | None:
        """The reader's seat; None where several people share this screen, or somebody watches."""
        mine = [at for at, seat in enumerate(self.seats) if seat.mine]
        return mine[0] if len(mine) == 1 else None

    @property
    def badges(self) -> tuple[str, ...]:
        """The badges of the players, by seat."""
        return badges(self.names)


@dataclass(frozen=True, slots=True)
class Update:
    """The table as it is now, and what happened since the update before.

    ``events`` are the facts to be shown in motion, ``told`` the new lines of the log; with
    ``anew`` the log before is forgotten and ``told`` is all of it.
    """

    view: View
    events: tuple[Event, ...] = ()
    told: tuple[str, ...] = ()
    anew: bool = False


class Source(Protocol):
    """The source of a screen's game. All methods are called from one event loop."""

    def updates(self) -> AsyncIterator[Update]:
        """Begin, and yield each update in order; called once.

        Raise `SourceFailed` when the game cannot go on.
        """
        ...

    async def move(self, word: str) -> None:
        """Play one of the view's moves; raise `Refused` if it is no longer possible."""
        ...

    async def wish(self, wish: Wish) -> None:
        """Fulfil one of the view's wishes; raise `Refused` if it is no longer possible."""
        ...

    async def close(self) -> None:
        """Leave, and release all resources. Everything played is already saved."""
        ...
