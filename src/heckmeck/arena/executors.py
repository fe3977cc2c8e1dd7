"""Who does the work: this process, or processes beside it.

An `Executor` gets pieces of work (the chunks of a tournament, rounds of self-play) and yields
results, in any order; nothing else differs between one process and a cluster
(`heckmeck.arena.ray_executor`).
"""

import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import connection
from typing import Final, Protocol, TypeVar

from heckmeck.arena.interrupts import deaf_to_ctrl_c
from heckmeck.bots.outside import close_outside_players

#: Pieces of work under way for each worker: one to do and one to go on with.
AHEAD: Final = 2
#: A piece of work under whose hands so many workers died is not tried again.
MAX_DEATHS: Final = 3

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class WorkersDied(RuntimeError):
    """Workers were killed again and again."""


class Work(Protocol[R_co]):
    """A piece of work that can be sent to a worker; as text it says what it is."""

    def run(self) -> R_co:
        """Do it, anywhere and as often as is needed: always with the same result."""
        ...


def do(work: Work[R]) -> R:
    """Do a piece of work. All that workers of any kind do is this."""
    return work.run()


class Executor(Protocol):
    """Gets work done."""

    @property
    def workers(self) -> int:
        """How many pieces it does at once."""
        ...

    def run(self, work: Iterable[Work[R]]) -> Iterator[R]:
        """Do the work and yield each result as soon as it is there."""
        ...

    def close(self) -> None:
        """Drop what is under way and free everything; no more work after this."""
        ...


class Inline:
    """Does the work in this process, one piece after the other."""

    workers = 1

    def run(self, work: Iterable[Work[R]]) -> Iterator[R]:
        """Do the work in its order."""
        return map(do, work)

    def close(self) -> None:
        """End the programs of outside bots."""
        close_outside_players()


class Processes:
    """Does the work in a pool of processes.

    When one of them is killed the pool is replaced and all work that was under way is done again,
    which changes nothing: its result depends on itself alone.
    """

    def __init__(self, workers: int) -> None:
        """Work with so many processes, started when they are first needed."""
        self.workers = workers
        self._pool = _Pool(workers)

    def run(self, work: Iterable[Work[R]]) -> Iterator[R]:
        """Do the work; raise `WorkersDied` if a piece of it kills whoever does it."""
        waiting = iter(work)
        running: dict[Future[R], Work[R]] = {}
        lost: list[Work[R]] = []
        deaths = Counter[Work[R]]()
        while True:
            if not lost:
                lost.extend(self._submit(waiting, running))
            if not running and not lost:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                piece = running.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    lost.append(piece)
            if lost and not running:
                self._mourn(lost, deaths)
                waiting, lost = chain(lost, waiting), []

    def close(self) -> None:
        """End the processes at once."""
        self._pool.close()

    def _submit(
        self, waiting: Iterator[Work[R]], running: dict[Future[R], Work[R]]
    ) -> Iterator[Work[R]]:
        """Hand out work while there are places; yield a piece that found the pool broken."""
        for piece in islice(waiting, AHEAD * self.workers - len(running)):
            try:
                running[self._pool.submit(piece)] = piece
            except BrokenProcessPool:
                yield piece

    def _mourn(self, lost: list[Work[R]], deaths: Counter[Work[R]]) -> None:
        """Replace the pool, unless it was replaced too often for the same piece of work."""
        deaths.update(lost)
        piece, times = deaths.most_common(1)[0]
        if times > MAX_DEATHS:
            raise WorkersDied(
                f"worker processes were killed {times} times while playing {piece}. "
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

    def submit(self, work: Work[R]) -> Future[R]:
        with deaf_to_ctrl_c():  # this may start a process
            return self._pool.submit(do, work)

    def close(self) -> None:
        self._lifeline.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._their_end.close()


def _begin_work(lifeline: connection.Connection) -> None:
    """Prepare a worker: Ctrl-C is the parent's business, and without a parent there is no work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A pool that sees one worker end asks the others to end too, before they could end the programs
    # of their bots: so only the lifeline ends them.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: connection.Connection) -> None:
    connection.wait([lifeline])  # nothing is ever sent: this is the end of the line
    close_outside_players()
    os._exit(0)
