"""A thread with its own SQLite connection."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from heckmeck.server.store import sqlite_file
from heckmeck.server.store.errors import StoreUnavailable

T = TypeVar("T")

#: Timeout for a call, including the time for earlier calls and for a disk that hangs.
LIMIT_SECONDS: Final = 5.0


class SqliteThread:
    """Runs calls on its connection, one after the other, outside the event loop."""

    def __init__(self, path: Path, name: str) -> None:
        """Use the file at ``path``; ``name`` is the thread's, for debugging."""
        self._path = path
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Connect."""
        self._connection = await self._elsewhere(lambda: sqlite_file.connect(self._path))

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work``; raise `StoreUnavailable` for errors of SQLite and after the timeout.

        If the caller is cancelled, work that has begun is finished; otherwise it is not begun.
        """
        connection = self._connection
        if connection is None:
            raise StoreUnavailable(f"The database {self._path} is not open.")
        return await self._elsewhere(lambda: work(connection))

    async def close(self) -> None:
        """Disconnect after all queued work. May be called twice."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await self._elsewhere(connection.close)
        self._executor.shutdown(wait=False)

    async def _elsewhere(self, work: Callable[[], T]) -> T:
        # Not with asyncio's executor, whose overhead is a fifth of the time of a commit.
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def run() -> None:
            if answer.done():
                return  # the caller has gone
            try:
                with sqlite_file.explained(self._path):
                    result = work()
            except Exception as error:  # noqa: BLE001 (passed on to the caller)
                loop.call_soon_threadsafe(_fail, answer, error)
            else:
                loop.call_soon_threadsafe(_succeed, answer, result)

        self._executor.submit(run)
        timer = loop.call_later(LIMIT_SECONDS, self._give_up, answer)
        try:
            return await answer
        finally:
            timer.cancel()

    def _give_up(self, answer: "asyncio.Future[T]") -> None:
        sentence = (
            f"The database {self._path} has not answered for {LIMIT_SECONDS:g} seconds. Check its "
            "disk, and whether the machine is overloaded."
        )
        _fail(answer, StoreUnavailable(sentence))


def _succeed(answer: "asyncio.Future[T]", result: T) -> None:
    if not answer.done():
        answer.set_result(result)


def _fail(answer: "asyncio.Future[T]", error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
