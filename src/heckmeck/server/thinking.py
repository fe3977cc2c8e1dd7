"""Thinking is done elsewhere: bots and advice in processes of their own.

The event loop answers everybody; nothing may hold it up, not even a solver that computes for a
second. The processes are started when they are first needed, and end when this one does, however
it ends.
"""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar, TypeVarTuple

from heckmeck.bots import player
from heckmeck.coach import TurnSetup, Unit
from heckmeck.dice_source import SeededLuck, fresh_seed
from heckmeck.record import JsonObject, Record
from heckmeck.rules import AnyState, word
from heckmeck.server.coaching import odds_of, review_of
from heckmeck.server.hints import Advisor, Hints
from heckmeck.server.orphans import when_parent_ends
from heckmeck.server.refusals import Code, Refused

#: Games that may wait for their review.
MOST_GAMES: Final = 16

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Thinker:
    """Processes that choose moves and weigh them, and one for whole games, which take longer."""

    def __init__(self, processes: int = 1) -> None:
        """Start nothing yet."""
        self._moves = _Pool(processes)
        self._games = _Pool(1)

    async def choose(self, bot: str, state: AnyState) -> str:
        """Return the word that the bot plays here."""
        return await self._moves.run(_choose, bot, state)

    async def weigh(self, advisor: Advisor, state: AnyState, unit: Unit | None) -> Hints:
        """Return what the moves here are worth; raise `NoChampion` if that cannot be said so."""
        return await self._moves.run(_weigh, advisor, state, unit)

    async def odds(self, setup: TurnSetup, unit: Unit | None) -> JsonObject:
        """Return the odds of a turn and the worth of its moves; raise `BadTurn` if it is none."""
        return await self._moves.run(odds_of, setup, unit)

    async def review(self, record: Record, unit: Unit | None) -> JsonObject:
        """Return a game moment by moment with what its decisions cost.

        Raise `Refused` if too many games wait for that already.
        """
        if self._games.waiting >= MOST_GAMES:
            raise Refused(
                Code.UNAVAILABLE, "Many games are being reviewed just now. Try again in a moment."
            )
        return await self._games.run(review_of, record, unit)

    def close(self) -> None:
        """End the processes for good; what they were thinking about is dropped."""
        self._moves.close()
        self._games.close()
        for child in multiprocessing.active_children():
            child.kill()


class _Pool:
    """Processes for one kind of work, started when there is some."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False
        self.waiting = 0

    async def run(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run the function; once more in a new process if somebody killed the first."""
        loop = asyncio.get_running_loop()
        self.waiting += 1
        try:
            return await loop.run_in_executor(self._running(), function, *args)
        except BrokenProcessPool:
            if self._closed:
                raise asyncio.CancelledError from None
            self._end()
            return await loop.run_in_executor(self._running(), function, *args)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """Start nothing any more."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_end_with_parent,
            )
        return self._pool


def _choose(bot: str, state: AnyState) -> str:
    return word(player(bot).choose(state, SeededLuck(fresh_seed())))


def _weigh(advisor: Advisor, state: AnyState, unit: Unit | None) -> Hints:
    return advisor.weigh(state, unit)


def _end_with_parent() -> None:
    """A pool's process waits for work for ever; end it when there is nobody to send any.

    Ctrl-C reaches every process at the terminal; it is for the parent to deal with.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    when_parent_ends(lambda: os._exit(0))
