"""Expensive work in separate processes: bots, hints, reviews and whole games.

The event loop serves all clients and must not be blocked, not even by a solver that takes a second.
Each kind of work has a desk with its own processes, so that hints do not delay bots, and reviews do
not delay hints. The processes are started on first use, and end with this one, however it ends.
"""

import asyncio
import faulthandler
import multiprocessing
import os
import signal
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from typing import Final, TypeAlias, TypeVar, TypeVarTuple

from heckmeck import bots, dice, rules
from heckmeck.bots import outside
from heckmeck.hosting.games import Advisor
from heckmeck.wire.coach import Advice, Unit
from heckmeck.wire.refusals import Code, Refused

#: The maximum number of requests queued at a desk, per address and in total.
MOST_OF_ONE: Final = 8
MOST_QUESTIONS: Final = 512
#: The maximum number of games queued for review.
MOST_GAMES: Final = 16
#: The number of positions whose hints are cached.
MOST_HINTS: Final = 1024
#: The niceness of work that is less urgent than the server and its bots.
_NICENESS: Final = 10
_NO_LIMIT: Final = sys.maxsize

Position: TypeAlias = tuple[rules.AnyState, Unit | None]
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Thinker:
    """Runs expensive work, at five desks. ``asker`` is the address, or the table, that it is for.

    Bots that the host brought (guests) have a desk of their own, where one decides at a time: they
    are anybody's code, and one that hangs must not hold up ours.

    All work raises `Refused` if too much is queued, for the asker or in total. Queued work is
    dropped if its caller is cancelled.
    """

    def __init__(
        self,
        processes: int = 1,
        guests: Mapping[str, str] | None = None,
        move_seconds: float = outside.MOVE_SECONDS,
    ) -> None:
        """Give bots this many processes and every other desk one; none is started yet.

        ``guests`` are the host's own bots, by the names under which they sit at tables;
        ``move_seconds`` is their time limit per move.
        """
        self._guests = guests or {}
        self._move_seconds = move_seconds
        # One move more than processes, so that no process has to wait for its next move.
        self.bots = Desk(processes, Turns(processes + 1, _NO_LIMIT, _NO_LIMIT), niceness=0)
        self.guests = Desk(1, Turns(1, _NO_LIMIT, _NO_LIMIT), tries=1)
        self.hints = Desk(1, Turns(1, MOST_OF_ONE, MOST_QUESTIONS))
        self.reviews = Desk(1, Turns(1, MOST_OF_ONE, MOST_GAMES))
        self.records = Desk(1, Turns(1, MOST_OF_ONE, MOST_QUESTIONS))
        self._known: OrderedDict[Position, Advice] = OrderedDict()
        self._ready: set[tuple[str, str]] = set()

    async def choose(self, bot: str, state: rules.AnyState, asker: str = "") -> str:
        """Return the move that the bot plays; raise `BotMisbehaved` if a guest has none."""
        return await self._choice(bot, state, asker)

    async def _choice(self, bot: str, state: rules.AnyState, asker: str) -> str:
        if bot not in self._guests:
            return await self.bots.run(asker, _choose, bot, state)
        try:
            return await self.guests.run(
                asker, _choose_as_guest, self._guests[bot], state, self._move_seconds
            )
        except BrokenProcessPool as error:
            raise bots.BotMisbehaved(
                f"{bot} ended its process, or did not answer within {self._move_seconds:g} s "
                f"({outside.START_SECONDS:g} s to load it)."
            ) from error

    async def get_ready(self, bot: str, edition: str) -> None:
        """Load what a bot needs in a game, once: its first move would take seconds otherwise."""
        if (bot, edition) in self._ready:
            return
        self._ready.add((bot, edition))
        game = rules.EDITIONS[edition]
        with suppress(Exception):  # its first move will tell
            await self._choice(bot, game.initial(game.players[0]), "")

    async def weigh(
        self, advisor: Advisor, state: rules.AnyState, unit: Unit | None, asker: str = ""
    ) -> Advice:
        """Return the values of the moves; raise `NoChampion` if the unit is not available.

        Results are cached by position.
        """
        position = (state, unit)

        async def find_out() -> Advice:
            """Compute the hints, unless they were cached in the meantime."""
            hints = self._known.get(position)
            if hints is None:
                hints = await self.hints.compute(advisor, state, unit)
            return self._note(position, hints)

        known = self._known.get(position)
        if known is not None:
            return self._note(position, known)
        return await self.hints.in_turn(asker, find_out)

    def _note(self, position: Position, hints: Advice) -> Advice:
        """Cache the hints as the most recently used."""
        self._known[position] = hints
        self._known.move_to_end(position)
        if len(self._known) > MOST_HINTS:
            self._known.popitem(last=False)
        return hints

    def queues(self) -> dict[str, int]:
        """Return how much work is waiting at each desk."""
        return {name: len(desk.turns) for name, desk in self._desks().items()}

    def _desks(self) -> dict[str, "Desk"]:
        return {
            "bots": self.bots,
            "guests": self.guests,
            "hints": self.hints,
            "reviews": self.reviews,
            "records": self.records,
        }

    def close(self) -> None:
        """End the processes for good, and drop their work."""
        for desk in self._desks().values():
            desk.close()
        for child in multiprocessing.active_children():
            child.kill()


class Turns:
    """Admits ``at_once`` callers at a time; queued ones are admitted round-robin by asker.

    An asker is an address or a table. At most ``each`` callers may wait per asker, and ``in_all``
    in total.
    """

    def __init__(self, at_once: int, each: int, in_all: int) -> None:
        """Start with nobody waiting."""
        self._free = at_once
        self._each = each
        self._in_all = in_all
        #: The next asker comes first.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._count = 0

    def __len__(self) -> int:
        """Return how many are waiting."""
        return self._count

    async def enter(self, asker: str) -> None:
        """Wait for this asker's turn; the caller must then `leave`.

        Raise `Refused` if too many are waiting. Cancellation leaves the queue.
        """
        if self._free and not self._waiting:
            self._free -= 1
            return
        turn = self._queue_up(asker)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._forget(asker, turn)
            else:
                self.leave()
            raise

    def leave(self) -> None:
        """Admit the next caller."""
        self._free += 1
        while self._free and self._waiting:
            asker = next(iter(self._waiting))
            queue = self._waiting.pop(asker)
            turn = queue.popleft()
            self._count -= 1
            if queue:
                self._waiting[asker] = queue
            if not turn.done():
                self._free -= 1
                turn.set_result(None)

    def _queue_up(self, asker: str) -> asyncio.Future[None]:
        queue = self._waiting.get(asker, ())
        if len(queue) >= self._each:
            raise Refused(
                Code.TOO_MANY, f"{len(queue)} of your requests are waiting. Wait for an answer."
            )
        if self._count >= self._in_all:
            raise Refused(Code.UNAVAILABLE, "Too many requests are waiting. Try again later.")
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, deque()).append(turn)
        self._count += 1
        return turn

    def _forget(self, asker: str, turn: asyncio.Future[None]) -> None:
        queue = self._waiting.get(asker)
        if queue is not None and turn in queue:
            queue.remove(turn)
            self._count -= 1
            if not queue:
                del self._waiting[asker]


class Desk:
    """The processes for one kind of work, started on first use, and the queue for them."""

    def __init__(
        self, processes: int, turns: Turns, niceness: int = _NICENESS, tries: int = 2
    ) -> None:
        self._processes = processes
        self._tries = tries
        self.turns = turns
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False

    async def run(self, asker: str, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run the function in a process when it is the asker's turn."""
        return await self.in_turn(asker, lambda: self.compute(function, *args))

    async def in_turn(self, asker: str, work: Callable[[], Coroutine[None, None, T]]) -> T:
        """Do the work when it is the asker's turn.

        A running computation cannot be cancelled: a cancelled caller returns at once, and the next
        turn begins when the process is free.
        """
        await self.turns.enter(asker)
        task = asyncio.create_task(work())
        task.add_done_callback(lambda _: self.turns.leave())
        return await asyncio.shield(task)

    async def compute(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run the function; run it again in a new process if the first was killed.

        Raise `BrokenProcessPool` if the last try was killed too.
        """
        loop = asyncio.get_running_loop()
        for _ in range(1, self._tries):
            try:
                return await loop.run_in_executor(self._running(), function, *args)
            except BrokenProcessPool:
                self._end()
        try:
            return await loop.run_in_executor(self._running(), function, *args)
        except BrokenProcessPool:
            self._end()
            raise

    def close(self) -> None:
        """End the processes and refuse further work."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _running(self) -> ProcessPoolExecutor:
        if self._closed:
            raise asyncio.CancelledError
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_begin,
                initargs=(self._niceness,),
            )
        return self._pool


async def while_here(
    gone: Coroutine[None, None, bool], refused: Refused, work: Coroutine[None, None, T]
) -> T:
    """Return the result of the work; cancel it and raise ``refused`` if ``gone`` is true first."""
    task, leaving = asyncio.create_task(work), asyncio.create_task(gone)
    try:
        await asyncio.wait((task, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not task.done() and leaving.result():
            raise refused
        return await task
    finally:
        task.cancel()
        leaving.cancel()


def _choose(bot: str, state: rules.AnyState) -> str:
    return rules.word(bots.player(bot).choose(state, dice.SeededLuck(dice.fresh_seed())))


def _choose_as_guest(bot: str, state: rules.AnyState, seconds: float) -> str:
    with _time_limit(outside.START_SECONDS):
        player = bots.player(bot, outside=True, seconds=seconds)
    # The limit of a program is kept where it is asked, which ends it instead of this process.
    with _time_limit(None if outside.is_outside(bot) else seconds):
        return rules.word(player.choose(state, dice.SeededLuck(dice.fresh_seed())))


@contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    """End this process if the block takes longer.

    No Python code has to run for that: a loop in C would not let it.
    """
    if seconds is None:
        yield
        return
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 (the log is the server's)
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def _begin(niceness: int) -> None:
    """Initialise a process of a pool: end it with its parent, since it would wait forever.

    Ctrl-C reaches every process at the terminal and is left to the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    when_parent_ends(lambda: os._exit(0))
    if sys.platform != "win32":
        os.nice(niceness)


def when_parent_ends(act: Callable[[], None]) -> None:
    """Call ``act`` in a thread as soon as the parent of this process is gone.

    Do nothing in a process that was not started by `multiprocessing`.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        act()

    threading.Thread(target=watch, daemon=True).start()
