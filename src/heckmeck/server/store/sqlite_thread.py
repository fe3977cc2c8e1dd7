"""A thread with an SQLite connection of its own."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from heckmeck.server.store import sqlite_file
from heckmeck.server.store.errors import StoreUnavailable

T = TypeVar("T")


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
        """Do the work; raise `StoreUnavailable` in place of what SQLite raises."""
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
        def explained() -> T:
            with sqlite_file.explained(self._path):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._executor, explained)
