"""The interface between a table's screen and the source of its game.

A screen is driven by a `Source`: a game in this process with bots, saved on disk; a table on a
server; or a replayed record. The screen does not know which. It shows the `View` of each `Update`
and the events that led to it, offers what the view allows, and returns words and wishes.

Rules of the game for a source:

- The first update has ``reset`` set, and so has every one after which the past looks different: a
  replay that jumped back, a connection that missed too much. ``lines`` is then the whole log.
- Otherwise ``events`` led from the view before to this one, and ``lines`` are new in the log, in
  the reader's language. An update may well have neither: a hint that arrived, a connection that was
  lost.
- A source keeps its own pace: it waits between the moves of bots, a screen never does.
- ``updates`` ends when there will be no more. The end of the game does not end it: the screen stays
  until its reader leaves.
"""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from heckmeck.coach.figures import mark_of
from heckmeck.narration import Phrases, StopWords, badges
from heckmeck.rules import AnyState, Event, RuleError, apply, parse, stopping, word
from heckmeck.wire.coach import Advice, Reason
from heckmeck.wire.states import Prospect, prospects


class Refused(Exception):
    """A move or a wish was refused; the message tells the reader why."""


class SourceFailed(Exception):
    """The game cannot continue; the message says why and what to do about it."""


class Wish(StrEnum):
    """What a reader may ask of a source, apart from moves. A view lists those available now."""

    UNDO = "undo"  # take back the last keep, or dice that were entered, until the next throw
    HINTS = "hints"  # turn hints on or off
    HURRY = "hurry"  # let the bot play the rest of its turn at once
    BOT = "bot"  # let a bot play for the reader
    RECLAIM = "reclaim"  # the reader is back, and plays instead of the bot
    FILL_IN = "fill_in"  # let a bot play for the player to move, who is away
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
        weighed: What each move is worth, to warn of mistakes; ``None`` if unknown or not wanted.
        weighing: Whether hints, or what to warn of, are on their way.
        connected: Whether the game can be reached. A screen that is cut off says so and waits.
        note: One line about the source, in the reader's language: where a replay is, what a table
            waits for, how fast it goes. Empty if there is nothing to say.
        record: Where the game is saved, shown at the end: a path or an address; empty: nowhere.
        throw: Whether the reader enters the dice in the air, because people roll their own here.
    """

    edition: str
    seats: tuple[Seat, ...]
    state: AnyState | None
    moves: tuple[str, ...] = ()
    wishes: frozenset[Wish] = frozenset()
    hints: Advice | None = None
    hints_on: bool = False
    weighed: Advice | None = None
    weighing: bool = False
    connected: bool = True
    note: str = ""
    record: str = ""
    throw: bool = False

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
    def prospects(self) -> dict[str, Prospect]:
        """What the turn can bring: with each possible keep, or by stopping now."""
        return {} if self.state is None else _prospects(self.state)

    def stop_words(self, phrases: Phrases) -> StopWords | None:
        """Return what ending the turn now would do; ``None`` if it cannot be ended."""
        stop = self.prospects.get("stop")
        if stop is None or self.state is None:
            return None
        return phrases.stop(stopping(self.state), stop.result, stop.bonus, harmless=stop.safe)

    def doubt(self, move: str) -> Reason | None:
        """Return why a move is a mistake, if it is one and the reader wants to be warned."""
        if self.weighed is None:
            return None
        reason = next((each for each in self.weighed.reasons if each.other == move), None)
        if reason is None:
            return None
        loss = reason.worth.better - reason.worth.other
        return reason if mark_of(loss, self.weighed.unit) in ("mistake", "blunder") else None

    @property
    def badges(self) -> tuple[str, ...]:
        """The badges of the players, by seat."""
        return badges(self.names)


def dice_of(text: str, state: AnyState) -> str | None:
    """Return the throw that somebody typed, ``1 1 3 4 w``, as a move; ``None`` if it cannot fall.

    The golden die comes last; ``+`` may be written before it.
    """
    faces = re.sub(r"[\s,+=]", "", text).upper()
    white, golden = faces[: state.turn.hand], faces[state.turn.hand :]
    try:
        throw = parse(f"={white}+{golden}" if golden else f"={white}")
        apply(state, throw)
    except RuleError:
        return None
    return word(throw)


@lru_cache(16)
def _prospects(state: AnyState) -> dict[str, Prospect]:
    return prospects(state)


@dataclass(frozen=True, slots=True)
class Update:
    """The table as it is now, and what happened since the update before.

    ``events`` are the facts to be shown in motion, ``lines`` are new in the log; with ``reset``
    the log before is forgotten and ``lines`` are all of it.
    """

    view: View
    events: tuple[Event, ...] = ()
    lines: tuple[str, ...] = ()
    reset: bool = False


class Source:
    """The source of a screen's game. All methods are called from one event loop.

    It runs in tasks of its own, and puts each update into a queue.
    """

    def __init__(self) -> None:
        self._updates: asyncio.Queue[Update | Exception] = asyncio.Queue()
        #: Where `_run` may start further tasks.
        self._tasks: asyncio.TaskGroup
        self._running: asyncio.Task[None] | None = None

    async def updates(self) -> AsyncIterator[Update]:
        """Begin, and yield each update in order; called once.

        Raise `SourceFailed` when the game cannot go on.
        """
        self._running = asyncio.create_task(self._run_all())
        while True:
            update = await self._updates.get()
            if isinstance(update, Exception):
                raise update
            yield update
            if self._is_finished and self._updates.empty():
                return

    async def move(self, word: str) -> None:
        """Play one of the view's moves, or dice to enter; raise `Refused` if that is not possible.

        Dice are written as in records, ``=1134W``.
        """
        raise NotImplementedError

    async def wish(self, wish: Wish) -> None:
        """Fulfil one of the view's wishes; raise `Refused` if it is no longer possible."""
        raise NotImplementedError

    async def close(self) -> None:
        """Leave, and stop all tasks. Everything played is already saved."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})

    async def _run_all(self) -> None:
        try:
            async with asyncio.TaskGroup() as self._tasks:
                await self._run()
        except* Exception as failed:  # noqa: BLE001 - raised where updates are awaited
            self._fail(failed.exceptions[0])

    def _show(
        self, events: tuple[Event, ...] = (), lines: tuple[str, ...] = (), *, reset: bool = False
    ) -> None:
        """Report the table as it is now."""
        self._updates.put_nowait(Update(self._view(), events, lines, reset))

    def _view(self) -> View:
        """Return the table as it is now."""
        raise NotImplementedError

    def _fail(self, error: Exception) -> None:
        """End the updates with an error."""
        self._updates.put_nowait(error)

    @property
    def _is_finished(self) -> bool:
        """Whether nothing will ever happen again."""
        return False

    async def _run(self) -> None:
        """Do the work of the source, until it is cancelled."""
        raise NotImplementedError


T = TypeVar("T")


async def in_background(work: Callable[[], T]) -> T:
    """Return the result of ``work``, done in a daemon thread.

    The program can end without waiting for it.
    """
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            done.set_result(work())
        except Exception as problem:  # noqa: BLE001 - passed on to the awaiting caller
            done.set_exception(problem)

    threading.Thread(target=run, name="heckmeck thinking", daemon=True).start()
    return await asyncio.wrap_future(done)
