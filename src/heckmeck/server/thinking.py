"""Expensive work in separate processes: bots, hints, reviews and whole games.

The event loop serves all clients and must not be blocked, not even by a solver that takes a second.
Each kind of work has a desk with its own processes, so that hints do not delay bots, and reviews do
not delay hints. The processes are started on first use, and end with this one, however it ends.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeAlias, TypeVar, TypeVarTuple

from heckmeck.bots import player
from heckmeck.coach import TurnSetup, Unit
from heckmeck.dice_source import SeededLuck, fresh_seed
from heckmeck.rules import AnyState, word
from heckmeck.server import reading
from heckmeck.server.coaching import odds_of, review_of
from heckmeck.server.hints import Advisor, Hints
from heckmeck.server.keys import Vault
from heckmeck.server.live import Memory, remember
from heckmeck.server.orphans import when_parent_ends
from heckmeck.server.reading import Form, Imported, Source
from heckmeck.server.turns import Turns

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

Position: TypeAlias = tuple[AnyState, Unit | None]
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Thinker:
    """Runs expensive work. ``asker`` is the address, or the table, that it is done for.

    All methods raise `Refused` if too much work is queued, for the asker or in total. Queued work
    is dropped if its caller is cancelled.
    """

    def __init__(self, processes: int = 1) -> None:
        """Give bots this many processes and every other desk one; none is started yet."""
        # One move more than processes, so that no process has to wait for its next move.
        self._bots = _Desk(processes, Turns(processes + 1, _NO_LIMIT, _NO_LIMIT), niceness=0)
        self._hints = _Desk(1, Turns(1, MOST_OF_ONE, MOST_QUESTIONS))
        self._games = _Desk(1, Turns(1, MOST_OF_ONE, MOST_GAMES))
        self._records = _Desk(1, Turns(1, MOST_OF_ONE, MOST_QUESTIONS))
        self._known: OrderedDict[Position, Hints] = OrderedDict()

    async def choose(self, bot: str, state: AnyState, asker: str = "") -> str:
        """Return the word that the bot plays."""
        return await self._bots.run(asker, _choose, bot, state)

    async def weigh(
        self, advisor: Advisor, state: AnyState, unit: Unit | None, asker: str = ""
    ) -> Hints:
        """Return the worth of the moves; raise `NoChampion` if the unit is not available.

        Results are cached by position.
        """
        position = (state, unit)

        async def find_out() -> Hints:
            """Compute the hints, unless they were cached in the meantime."""
            hints = self._known.get(position)
            if hints is None:
                hints = await self._hints.compute(_weigh, advisor, state, unit)
            return self._note(position, hints)

        known = self._known.get(position)
        if known is not None:
            return self._note(position, known)
        return await self._hints.in_turn(asker, find_out)

    def _note(self, position: Position, hints: Hints) -> Hints:
        """Cache the hints as the most recently used."""
        self._known[position] = hints
        self._known.move_to_end(position)
        if len(self._known) > MOST_HINTS:
            self._known.popitem(last=False)
        return hints

    async def odds(self, setup: TurnSetup, unit: Unit | None, asker: str = "") -> bytes:
        """Return the odds of a turn and the worth of its moves, as JSON.

        Raise `BadTurn` if the turn is not possible.
        """
        return await self._hints.run(asker, odds_of, setup, unit)

    async def review(self, source: Source, unit: Unit | None, asker: str = "") -> bytes:
        """Return a game moment by moment, with the cost of its decisions, as JSON."""
        return await self._games.run(asker, review_of, source, unit)

    async def record(self, source: Source, form: Form, asker: str = "") -> bytes:
        """Return a game as a record."""
        return await self._records.run(asker, reading.written, source, form)

    async def replay(self, source: Source, first: int, asker: str = "") -> bytes:
        """Return a page of a game's replay from this move on, as JSON."""
        return await self._records.run(asker, reading.replay_page, source, first)

    async def import_record(
        self, source: Source, moves: int | None, public: bool, host: str, vault: Vault, asker: str
    ) -> Imported:
        """Return a table made from the first ``moves`` of a record, or from all."""
        return await self._records.run(asker, reading.imported, source, moves, public, host, vault)

    async def remember(self, words: Sequence[str], asker: str = "") -> Memory:
        """Return the table of a long log; raise `BadEntry` if the log is not valid."""
        return await self._records.run(asker, remember, words)

    def queues(self) -> dict[str, int]:
        """Return how much work is waiting at each desk."""
        desks = {
            "bots": self._bots,
            "hints": self._hints,
            "reviews": self._games,
            "records": self._records,
        }
        return {name: desk.waiting for name, desk in desks.items()}

    def close(self) -> None:
        """End the processes for good, and drop their work."""
        for desk in (self._bots, self._hints, self._games, self._records):
            desk.close()
        for child in multiprocessing.active_children():
            child.kill()


class _Desk:
    """The processes for one kind of work, started on first use, and the queue for them."""

    def __init__(self, processes: int, turns: Turns, niceness: int = _NICENESS) -> None:
        self._processes = processes
        self._turns = turns
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        """How much work is waiting here."""
        return len(self._turns)

    async def run(self, asker: str, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run the function in a process when it is the asker's turn."""
        return await self.in_turn(asker, lambda: self.compute(function, *args))

    async def in_turn(self, asker: str, work: Callable[[], Coroutine[None, None, T]]) -> T:
        """Do the work when it is the asker's turn.

        A running computation cannot be cancelled: a cancelled caller returns at once, and the next
        turn begins when the process is free.
        """
        await self._turns.enter(asker)
        task = asyncio.create_task(work())
        task.add_done_callback(lambda _: self._turns.leave())
        return await asyncio.shield(task)

    async def compute(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run the function; run it again in a new process if the first was killed."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._running(), function, *args)
        except BrokenProcessPool:
            self._end()
            return await loop.run_in_executor(self._running(), function, *args)

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


def _choose(bot: str, state: AnyState) -> str:
    return word(player(bot).choose(state, SeededLuck(fresh_seed())))


def _weigh(advisor: Advisor, state: AnyState, unit: Unit | None) -> Hints:
    return advisor.weigh(state, unit)


def _begin(niceness: int) -> None:
    """Initialise a process of a pool: end it with its parent, since it would wait forever.

    Ctrl-C reaches every process at the terminal and is left to the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    when_parent_ends(lambda: os._exit(0))
    if sys.platform != "win32":
        os.nice(niceness)
