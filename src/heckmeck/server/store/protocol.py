"""What every store can do."""

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
    """The log of entries, on disk. One instance a process; all calls from one event loop.

    A write is on disk when its call returns. Any call may raise `StoreUnavailable`.
    """

    async def open(self) -> None:
        """Connect, and bring the schema up to date.

        Raise `StoreTooNew` (and touch nothing) for a database of a newer heckmeck, `AlreadyServed`
        for an SQLite file that another process serves, and `StoreError` for anything else that is
        in the way.
        """
        ...

    async def create(self, game: NewGame) -> StoredGame:
        """Write the game and its first entries at once; return what was written.

        Raise `GameExists`, and write nothing, if the id is taken, and `ValueError` as `append`.
        """
        ...

    async def load(self, game: str) -> StoredGame | None:
        """Return the game with all its entries in order, or None if there is none."""
        ...

    async def entries(self, game: str, after: int) -> list[Entry]:
        """Return the entries with a number above ``after``, in order; -1 asks for all."""
        ...

    async def append(
        self, game: str, n: int, words: Sequence[str], summary: Summary | None = None
    ) -> tuple[Entry, ...]:
        """Write all of ``words``, the first as entry ``n``, and the summary; return the entries.

        Raise `Conflict`, and write nothing, unless ``n`` is the game's next number. Raise
        `NoSuchGame` if there is no such game, and `ValueError` for no words, or for text that no
        database can hold (a lone surrogate or a NUL).
        """
        ...

    async def list_public(self, limit: int) -> list[GameRow]:
        """Return at most ``limit`` public games that wait or are being played, newest first."""
        ...

    async def count(self) -> StoreCounts:
        """Count the games."""
        ...

    async def overview(self, after: str, limit: int) -> list[Overview]:
        """Return at most ``limit`` games in the order of their ids, the first above ``after``."""
        ...

    async def stale(
        self, statuses: Collection[Status], before: datetime, limit: int
    ) -> list[Overview]:
        """Return at most ``limit`` games of these statuses whose last entry is from before then."""
        ...

    async def delete(self, game: str) -> bool:
        """Delete a game and all its entries; return whether there was a closed one of this id.

        Only a closed game goes: nobody writes to it any more, so no entry can be left behind.
        """
        ...

    async def rewrite(
        self, game: str, words: Mapping[int, str], summary: Summary | None = None
    ) -> None:
        """Put other words in place of those of entries that are there, all or none.

        For what the law wants to be forgotten, not for changing a game: nobody is told.
        """
        ...

    async def probe(self, *, writing: bool) -> None:
        """Raise `StoreUnavailable` unless games could be written now.

        With ``writing`` a row of our own is written, to be sure; without, nothing is.
        """
        ...

    def changes(self) -> AsyncIterator[News]:
        """Tell what OTHER processes write, until the store is closed.

        On PostgreSQL `Missed` comes first, and again whenever the connection had to be made anew;
        every later write is told by a `Change`. On SQLite, where others are hosts with ``heckmeck
        admin``, all that is told is `Missed`, within a second or so.
        """
        ...

    async def close(self) -> None:
        """Finish the writes under way and disconnect. Closing twice is fine."""
        ...
