"""Thinking is done elsewhere: bots, advice and whole games in processes of their own.

The event loop answers everybody; nothing may hold it up, not even a solver that computes for a
second. Each kind of work has a desk with processes of its own, so that hints keep no bot waiting
and reviews keep no hint waiting. The processes are started when they are first needed, and end
when this one does, however it ends.
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

#: Questions of one address that may wait at a desk, and of all addresses together.
MOST_OF_ONE: Final = 8
MOST_QUESTIONS: Final = 512
#: Games that may wait for their review.
MOST_GAMES: Final = 16
#: Positions whose hints are remembered.
MOST_HINTS: Final = 1024
#: How much less of the processor work gets that can wait than the server and its bots.
_NICENESS: Final = 10
_NO_LIMIT: Final = sys.maxsize

Position: TypeAlias = tuple[AnyState, Unit | None]
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Thinker:
    """Desks for what takes a while. ``asker`` is the address, or the table, that it is done for.

    All raise `Refused` if too much waits at a desk, for the asker or for all. Whoever is cancelled
    while they wait is not worked for any more.
    """

    def __init__(self, processes: int = 1) -> None:
        """Start nothing yet; bots get this many processes, every other desk has one."""
        # One move more than there are processes: none of them waits for the next to be sent.
        self._bots = _Desk(processes, Turns(processes + 1, _NO_LIMIT, _NO_LIMIT), niceness=0)
        self._hints = _Desk(1, Turns(1, MOST_OF_ONE, MOST_QUESTIONS))
        self._games = _Desk(1, Turns(1, MOST_OF_ONE, MOST_GAMES))
        self._records = _Desk(1, Turns(1, MOST_OF_ONE, MOST_QUESTIONS))
        self._known: OrderedDict[Position, Hints] = OrderedDict()

    async def choose(self, bot: str, state: AnyState, asker: str = "") -> str:
        """Return the word that the bot plays here."""
        return await self._bots.run(asker, _choose, bot, state)

    async def weigh(
        self, advisor: Advisor, state: AnyState, unit: Unit | None, asker: str = ""
    ) -> Hints:
        """Return what the moves here are worth; raise `NoChampion` if that cannot be said so.

        What was found out about a position is remembered for whoever asks next.
        """
        position = (state, unit)

        async def find_out() -> Hints:
            """Somebody else may have asked while we waited."""
            hints = self._known.get(position)
            if hints is None:
                hints = await self._hints.compute(_weigh, advisor, state, unit)
            return self._note(position, hints)

        known = self._known.get(position)
        if known is not None:
            return self._note(position, known)
        return await self._hints.in_turn(asker, find_out)

    def _note(self, position: Position, hints: Hints) -> Hints:
        """Remember the hints as those that were asked for last."""
        self._known[position] = hints
        self._known.move_to_end(position)
        if len(self._known) > MOST_HINTS:
            self._known.popitem(last=False)
        return hints

    async def odds(self, setup: TurnSetup, unit: Unit | None, asker: str = "") -> bytes:
        """Return the odds of a turn and the worth of its moves, as JSON.

        Raise `BadTurn` if there is no such turn.
        """
        return await self._hints.run(asker, odds_of, setup, unit)

    async def review(self, source: Source, unit: Unit | None, asker: str = "") -> bytes:
        """Return a game moment by moment with what its decisions cost, as JSON."""
        return await self._games.run(asker, review_of, source, unit)

    async def record(self, source: Source, form: Form, asker: str = "") -> bytes:
        """Return a game written down."""
        return await self._records.run(asker, reading.written, source, form)

    async def replay(self, source: Source, first: int, asker: str = "") -> bytes:
        """Return a page of a game's replay from this move on, as JSON."""
        return await self._records.run(asker, reading.replay_page, source, first)

    async def import_record(
        self, source: Source, moves: int | None, public: bool, host: str, vault: Vault, asker: str
    ) -> Imported:
        """Return a table made of so many moves of a record, or of all."""
        return await self._records.run(asker, reading.imported, source, moves, public, host, vault)

    async def remember(self, words: Sequence[str], asker: str = "") -> Memory:
        """Return the table that a long log makes; raise `BadEntry` if it makes none."""
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
        """End the processes for good; what they were thinking about is dropped."""
        for desk in (self._bots, self._hints, self._games, self._records):
            desk.close()
        for child in multiprocessing.active_children():
            child.kill()


class _Desk:
    """Processes for one kind of work, started when there is some, and who waits for them."""

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

        Nothing can be done about a process that computes already: whoever does not want the result
        any more leaves at once, and the next one's turn comes when the process is free.
        """
        await self._turns.enter(asker)
        task = asyncio.create_task(work())
        task.add_done_callback(lambda _: self._turns.leave())
        return await asyncio.shield(task)

    async def compute(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run the function; once more in a new process if somebody killed the first."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._running(), function, *args)
        except BrokenProcessPool:
            self._end()
            return await loop.run_in_executor(self._running(), function, *args)

    def close(self) -> None:
        """Start nothing any more."""
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
    """A pool's process waits for work for ever; end it when there is nobody to send any.

    Ctrl-C reaches every process at the terminal; it is for the parent to deal with.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    when_parent_ends(lambda: os._exit(0))
    if sys.platform != "win32":
        os.nice(niceness)
