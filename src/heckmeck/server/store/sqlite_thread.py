"""A thread with an SQLite connection of its own."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from heckmeck.server.store import sqlite_file
from heckmeck.server.store.errors import StoreUnavailable

T = TypeVar("T")

#: How long anybody waits for an answer: for the work before theirs, and for a disk that hangs.
LIMIT_SECONDS: Final = 5.0


class SqliteThread:
    """Runs work on its connection, one piece after the other, away from the event loop."""

    def __init__(self, path: Path, name: str) -> None:
        """Name the file, and the thread for those who debug."""
        self._path = path
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Connect."""
        self._connection = await self._elsewhere(lambda: sqlite_file.connect(self._path))

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work; raise `StoreUnavailable` in place of what SQLite raises, or for no answer.

        Work that has begun goes on when nobody waits for it any more; other work is not begun.
        """
        connection = self._connection
        if connection is None:
            raise StoreUnavailable(f"The database {self._path} is not open.")
        return await self._elsewhere(lambda: work(connection))

    async def close(self) -> None:
        """Disconnect after the work that waits. Closing twice is fine."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await self._elsewhere(connection.close)
        self._executor.shutdown(wait=False)

    async def _elsewhere(self, work: Callable[[], T]) -> T:
        # By hand: what asyncio has for this takes a fifth of the time of a commit.
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def run() -> None:
            if answer.done():
                return  # nobody waits for it any more
            try:
                with sqlite_file.explained(self._path):
                    result = work()
            except Exception as error:  # noqa: BLE001 (whoever waits gets it)
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
            f"The database {self._path} has not answered for {LIMIT_SECONDS:g} seconds. Look at "
            "the disk that it is on, and at what else keeps the machine busy."
        )
        _fail(answer, StoreUnavailable(sentence))


def _succeed(answer: "asyncio.Future[T]", result: T) -> None:
    if not answer.done():
        answer.set_result(result)


def _fail(answer: "asyncio.Future[T]", error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
