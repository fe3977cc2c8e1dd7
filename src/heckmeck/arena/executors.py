"""Who plays the chunks: this process, or processes beside it.

An `Executor` gets chunks and yields results, in any order; nothing else differs between one
process and a cluster (`heckmeck.arena.ray_executor`).
"""

import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import connection
from typing import Final, Protocol

from heckmeck.arena.chunks import Chunk, ChunkResult, play_chunk
from heckmeck.bots.outside import close_outside_players

#: Chunks under way for each worker: one to play and one to go on with.
AHEAD: Final = 2
#: A chunk under whose hands so many workers died is not tried again.
MAX_DEATHS: Final = 3


class WorkersDied(RuntimeError):
    """Workers were killed again and again."""


class Executor(Protocol):
    """Plays chunks."""

    @property
    def workers(self) -> int:
        """How many chunks it plays at once."""
        ...

    def run(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """Play the chunks and yield each result as soon as it is there."""
        ...

    def close(self) -> None:
        """Drop what is under way and free everything; no more chunks after this."""
        ...


class Inline:
    """Plays the chunks in this process, one after the other."""

    workers = 1

    def run(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """Play the chunks in their order."""
        return map(play_chunk, chunks)

    def close(self) -> None:
        """End the programs of outside bots."""
        close_outside_players()


class Processes:
    """Plays the chunks in a pool of processes.

    When one of them is killed the pool is replaced and every chunk that was under way is played
    again, which changes nothing: its games depend on their numbers alone.
    """

    def __init__(self, workers: int) -> None:
        """Play with so many processes, started when they are first needed."""
        self.workers = workers
        self._pool = _Pool(workers)

    def run(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """Play the chunks; raise `WorkersDied` if one of them kills whoever plays it."""
        waiting = iter(chunks)
        running: dict[Future[ChunkResult], Chunk] = {}
        lost: list[Chunk] = []
        deaths = Counter[Chunk]()
        while True:
            if not lost:
                lost.extend(self._submit(waiting, running))
            if not running and not lost:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                chunk = running.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    lost.append(chunk)
            if lost and not running:
                self._mourn(lost, deaths)
                waiting, lost = chain(lost, waiting), []

    def close(self) -> None:
        """End the processes at once."""
        self._pool.close()

    def _submit(
        self, waiting: Iterator[Chunk], running: dict[Future[ChunkResult], Chunk]
    ) -> Iterator[Chunk]:
        """Hand out chunks while there are places; yield one that found the pool broken."""
        for chunk in islice(waiting, AHEAD * self.workers - len(running)):
            try:
                running[self._pool.submit(chunk)] = chunk
            except BrokenProcessPool:
                yield chunk

    def _mourn(self, lost: list[Chunk], deaths: Counter[Chunk]) -> None:
        """Replace the pool, unless it was replaced too often for the same chunk."""
        deaths.update(lost)
        chunk, times = deaths.most_common(1)[0]
        if times > MAX_DEATHS:
            raise WorkersDied(
                f"worker processes were killed {times} times while playing {chunk}. "
                "Is there too little memory? Try fewer --workers."
            )
        self._pool.close()
        self._pool = _Pool(self.workers)


class _Pool:
    """Processes that live as long as this end of their lifeline: until it is closed, or we die."""

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._their_end, self._lifeline = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(
            workers, mp_context=context, initializer=_begin_work, initargs=(self._their_end,)
        )

    def submit(self, chunk: Chunk) -> Future[ChunkResult]:
        with _deaf_to_ctrl_c():  # this may start a process
            return self._pool.submit(play_chunk, chunk)

    def close(self) -> None:
        self._lifeline.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._their_end.close()


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C wait; processes started meanwhile do not hear it while they wake up."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_work(lifeline: connection.Connection) -> None:
    """Prepare a worker: Ctrl-C is the parent's business, and without a parent there is no work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: connection.Connection) -> None:
    connection.wait([lifeline])  # nothing is ever sent: this is the end of the line
    close_outside_players()
    os._exit(0)
