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
        given_up = False

        def explained() -> T:
            if given_up:
                raise StoreUnavailable("Nobody waits for this any more.")
            with sqlite_file.explained(self._path):
                return work()

        answer = asyncio.get_running_loop().run_in_executor(self._executor, explained)
        answer.add_done_callback(_seen)
        try:
            async with asyncio.timeout(LIMIT_SECONDS):
                return await asyncio.shield(answer)
        except TimeoutError:
            raise StoreUnavailable(
                f"The database {self._path} has not answered for {LIMIT_SECONDS:g} seconds. Look "
                "at the disk that it is on, and at what else keeps the machine busy."
            ) from None
        finally:
            given_up = True


def _seen(answer: "asyncio.Future[T]") -> None:
    """Let nobody complain about an error that came too late to be told."""
    if not answer.cancelled():
        answer.exception()
