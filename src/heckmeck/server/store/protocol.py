"""The interface of every store."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from heckmeck.server.store.model import (
    Entry,
    GameRow,
    NewGame,
    News,
    Overview,
    Status,
    StoreCounts,
    StoredGame,
    Summary,
)


class Store(Protocol):
    """The log of entries, on disk. One instance per process; all calls from one event loop.

    A write is on disk when its call returns. Any call may raise `StoreUnavailable`.
    """

    async def open(self) -> None:
        """Connect, and migrate the schema.

        Raise `StoreTooNew` (and change nothing) for a database of a newer heckmeck, `AlreadyServed`
        for an SQLite file that another process serves, and `StoreError` for any other problem.
        """
        ...

    async def create(self, game: NewGame) -> StoredGame:
        """Write the game and its first entries atomically; return what was written.

        Raise `GameExists`, and write nothing, if the id is taken; raise `ValueError` like `append`.
        """
        ...

    async def load(self, game: str) -> StoredGame | None:
        """Return the game with all its entries in order, or None if it does not exist."""
        ...

    async def entries(self, game: str, after: int) -> list[Entry]:
        """Return the entries with numbers above ``after``, in order; -1 returns all."""
        ...

    async def append(
        self, game: str, n: int, words: Sequence[str], summary: Summary | None = None
    ) -> tuple[Entry, ...]:
        """Write ``words`` as the entries from ``n`` on, and the summary; return the entries.

        Raise `Conflict`, and write nothing, unless ``n`` is the game's next number. Raise
        `NoSuchGame` if the game does not exist, and `ValueError` if there are no words, or if one
        cannot be stored (a lone surrogate or a NUL).
        """
        ...

    async def list_public(self, limit: int) -> list[GameRow]:
        """Return at most ``limit`` public games that are waiting or in progress, newest first."""
        ...

    async def count(self) -> StoreCounts:
        """Return the number of games by status."""
        ...

    async def overview(self, after: str, limit: int) -> list[Overview]:
        """Return at most ``limit`` games with ids above ``after``, in the order of their ids."""
        ...

    async def stale(
        self, statuses: Collection[Status], before: datetime, limit: int
    ) -> list[Overview]:
        """Return at most ``limit`` games with these statuses and no entry since ``before``."""
        ...

    async def delete(self, game: str) -> bool:
        """Delete a closed game and all its entries; return False if there is none with this id.

        Other games are not deleted: an entry written at the same time would be left behind.
        """
        ...

    async def rewrite(
        self, game: str, words: Mapping[int, str], summary: Summary | None = None
    ) -> None:
        """Replace the words of existing entries, all or none.

        This is for erasing personal data, not for changing a game: nobody is notified.
        """
        ...

    async def probe(self, *, writing: bool) -> None:
        """Raise `StoreUnavailable` unless games can be written right now.

        With ``writing``, a row in ``meta`` is written as a test; otherwise nothing is.
        """
        ...

    def changes(self) -> AsyncIterator[News]:
        """Yield the writes of *other* processes, until the store is closed.

        On PostgreSQL `Missed` comes first, and again after every reconnection; every later write
        is a `Change`. On SQLite, where the only other writer is ``heckmeck admin``, every write is
        a `Missed`, within about a second.
        """
        ...

    async def close(self) -> None:
        """Finish pending writes and disconnect. May be called twice."""
        ...
