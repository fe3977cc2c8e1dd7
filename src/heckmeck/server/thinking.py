"""Thinking is done elsewhere: bots and advice in processes of their own.

The event loop answers everybody; nothing may hold it up, not even a solver that computes for a
second. The processes are started when they are first needed, and end when this one does, however
it ends.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import TypeVar, TypeVarTuple

from heckmeck.bots import player
from heckmeck.coach import TurnSetup
from heckmeck.dice_source import SeededLuck, fresh_seed
from heckmeck.record import JsonObject, Record
from heckmeck.rules import AnyState, word
from heckmeck.server.coaching import odds_of, review_of
from heckmeck.server.hints import Advisor, Weighed

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Thinker:
    """A few processes that choose moves and weigh them."""

    def __init__(self, processes: int = 1) -> None:
        """Start nothing yet."""
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, bot: str, state: AnyState) -> str:
        """Return the word that the bot plays here."""
        return await self._run(_choose, bot, state)

    async def weigh(self, advisor: Advisor, state: AnyState) -> Sequence[Weighed]:
        """Return what the moves here are worth."""
        return await self._run(_weigh, advisor, state)

    async def odds(self, setup: TurnSetup) -> JsonObject:
        """Return the odds of a turn and the worth of its moves; raise `BadTurn` if it is none."""
        return await self._run(odds_of, setup)

    async def review(self, record: Record) -> JsonObject:
        """Return a game moment by moment with what its decisions cost."""
        return await self._run(review_of, record)

    def close(self) -> None:
        """End the processes; what they were thinking about is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    async def _run(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run the function; once more in a new process if somebody killed the first."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._running_pool(), function, *args)
        except BrokenProcessPool:
            self.close()
            return await loop.run_in_executor(self._running_pool(), function, *args)

    def _running_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_end_with_parent,
            )
        return self._pool


def _choose(bot: str, state: AnyState) -> str:
    return word(player(bot).choose(state, SeededLuck(fresh_seed())))


def _weigh(advisor: Advisor, state: AnyState) -> Sequence[Weighed]:
    return advisor.weigh(state)


def _end_with_parent() -> None:
    """A pool's process waits for work for ever; end it when there is nobody to send any.

    Ctrl-C reaches every process at the terminal; it is for the parent to deal with.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
