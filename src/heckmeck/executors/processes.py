"""An executor with a pool of processes.

Based on `concurrent.futures.ProcessPoolExecutor`, which detects a worker that was killed. This adds
what it lacks (decision 9): lost work is done again, workers ignore Ctrl-C, and they end
with this process and end the programs of their bots first.
"""

import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import connection
from queue import SimpleQueue
from typing import TypeVar

from heckmeck.bots.outside import close_outside_players
from heckmeck.executors import AHEAD, MAX_DEATHS, Work, WorkersDied
from heckmeck.interrupts import deaf_to_ctrl_c

R = TypeVar("R")


class Processes:
    """Does the work in a pool of processes.

    If one of them is killed, the pool is replaced and all work in progress is done again, which
    gives the same result.
    """

    def __init__(self, workers: int) -> None:
        """Use ``workers`` processes, started when first needed."""
        self.workers = workers
        self._pool = _Pool(workers)

    def run(self, work: Iterable[Work[R]]) -> Iterator[R]:
        """Do the work; raise `WorkersDied` if a piece of it keeps killing its worker."""
        waiting = iter(work)
        running: dict[Future[R], Work[R]] = {}
        done = SimpleQueue[Future[R]]()
        lost: list[Work[R]] = []
        deaths = Counter[Work[R]]()
        while True:
            if not lost:
                lost.extend(self._submit(waiting, running, done))
            if not running and not lost:
                return
            if running:
                # Not `concurrent.futures.wait`: Ctrl-C in it may leave a future locked forever.
                future = done.get()
                piece = running.pop(future)
                try:
                    yield _result(future)
                except BrokenProcessPool:
                    lost.append(piece)
            if lost and not running:
                self._mourn(lost, deaths)
                waiting, lost = chain(lost, waiting), []

    def close(self) -> None:
        """End the processes at once."""
        self._pool.close()

    def _submit(
        self,
        waiting: Iterator[Work[R]],
        running: dict[Future[R], Work[R]],
        done: SimpleQueue[Future[R]],
    ) -> Iterator[Work[R]]:
        """Submit work while there is room; yield a piece that found the pool broken."""
        for piece in islice(waiting, AHEAD * self.workers - len(running)):
            try:
                running[self._pool.submit(piece, done)] = piece
            except BrokenProcessPool:
                yield piece

    def _mourn(self, lost: list[Work[R]], deaths: Counter[Work[R]]) -> None:
        """Replace the pool, unless the same piece of work has broken it too often."""
        deaths.update(lost)
        piece, times = deaths.most_common(1)[0]
        if times > MAX_DEATHS:
            raise WorkersDied(
                f"worker processes were killed {times} times while playing {piece}. "
                "The machine may be short of memory: try fewer --workers."
            )
        self._pool.close()
        self._pool = _Pool(self.workers)


class _Pool:
    """Processes that live until their lifeline is closed, or this process ends."""

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._their_end, self._lifeline = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(
            workers, mp_context=context, initializer=_begin_work, initargs=(self._their_end,)
        )

    def submit(self, work: Work[R], done: SimpleQueue[Future[R]]) -> Future[R]:
        """Submit work, which is put into ``done`` when it is."""
        with deaf_to_ctrl_c():  # this may start a process, and takes locks
            future = self._pool.submit(work.run)
            future.add_done_callback(done.put)
            return future

    def close(self) -> None:
        self._lifeline.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._their_end.close()


def _result(future: Future[R]) -> R:
    """Return the result of work that is done."""
    with deaf_to_ctrl_c():  # this takes a lock
        return future.result()


def _begin_work(lifeline: connection.Connection) -> None:
    """Prepare a worker: it ignores Ctrl-C, and ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # When one worker ends, the pool terminates the others before they can end the programs of their
    # bots; so they ignore that, and only the lifeline ends them.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: connection.Connection) -> None:
    connection.wait([lifeline])  # nothing is ever sent: it was closed
    close_outside_players()
    os._exit(0)
