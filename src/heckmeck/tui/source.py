"""The seam between a table's screen and whatever the game comes from.

A screen is played from a `Source`: a game in this process with bots and saved on disk, a table of
a server, or a record that is replayed. The screen never knows which. It shows the `View` that each
`Update` brings, tells what happened on the way there, offers what the view allows, and hands back
words and wishes.

Rules of the game for a source:

- The first update has ``anew`` set, and so has every one after which the past looks different: a
  replay that jumped back, a connection that missed too much. ``told`` is then the whole log.
- Otherwise ``events`` led from the view before to this one, and ``told`` are the new lines of the
  log, in the reader's language. An update may well have neither: a hint that arrived, a
  connection that was lost.
- A source keeps its own pace: it waits between the moves of bots, a screen never does.
- ``updates`` ends when nothing will ever come again. A game that is over is no reason to end:
  the screen stays until its reader leaves.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from heckmeck.narration import badges
from heckmeck.rules import AnyState, Event


class Refused(Exception):
    """A move or a wish was not granted; the message says why, in words for the reader."""


class SourceFailed(Exception):
    """The game cannot go on at all; the message says why and what to do about it."""


class Wish(StrEnum):
    """What a reader may ask of a source beside moves. A view lists those that make sense now."""

    UNDO = "undo"  # put back the dice just kept, until the next throw
    HINTS = "hints"  # hints on or off
    START = "start"  # begin the game: everybody is seated
    REMATCH = "rematch"  # the same seats, another game
    PLAY = "play"  # replay: go on by itself, or pause
    FORWARD = "forward"  # replay: one step on
    BACK = "back"  # replay: one step back
    FIRST = "first"  # replay: to the start
    LAST = "last"  # replay: to the end
    FASTER = "faster"  # replay, bots
    SLOWER = "slower"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a place of the table.

    ``mine``: whoever reads this screen plays here; several seats may be, on a screen that is
    passed around. ``bot``: a bot plays here. ``away``: a person whose connection is lost.
    An empty ``name`` is a seat that is still free.
    """

    name: str
    mine: bool = False
    bot: bool = False
    away: bool = False


@dataclass(frozen=True, slots=True)
class MoveHint:
    """What a legal move, as its word, is worth; ``fail`` is how likely the turn fails after it."""

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
    """A table as it is now, as one reader sees it.

    Attributes:
        edition: Which of the four games.
        seats: By seat.
        state: The game; ``None`` before it has begun.
        moves: The words the reader may play now; empty when it is somebody else's turn, when dice
            are in the air, and while a move is on its way.
        wishes: What the reader may ask for beside moves.
        hints: What each move is worth; ``None`` while that is unknown or not wanted.
        hints_on: Whether hints are wanted.
        connected: Whether the game can be reached. A screen that is cut off says so and waits.
        note: One line about the source, in the reader's language: where a replay is, what a table
            waits for, how fast it goes. Empty if there is nothing to say.
        record: Where the game is written down, for the end: a path or an address; empty: nowhere.
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
        """What stands for each player where a name has no room, by seat."""
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
    """Where a screen's game comes from. All methods are called from one event loop."""

    def updates(self) -> AsyncIterator[Update]:
        """Begin, and yield each update in order; called once.

        Raise `SourceFailed` when the game cannot go on.
        """
        ...

    async def move(self, word: str) -> None:
        """Play one of the view's moves; raise `Refused` if it cannot be played (any more)."""
        ...

    async def wish(self, wish: Wish) -> None:
        """Grant one of the view's wishes; raise `Refused` if that cannot be done (any more)."""
        ...

    async def close(self) -> None:
        """Leave: give back everything the source holds. What was played is safe already."""
        ...
