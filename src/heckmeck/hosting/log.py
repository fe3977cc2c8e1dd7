"""The log of a table's entries: what may be asked of the place that keeps it, and its errors.

A server keeps logs in a database (`heckmeck.server.store`), a page in the browser
(`heckmeck.page`). ``(table, n)`` is a key in both: the lock against two writers, and the guard
against an entry written twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol, Self

import msgspec

from heckmeck.table.views import Summary


class StoreError(Exception):
    """The operation failed; the message gives the reason and a remedy."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, read or written right now.

    If a write raises this, it may or may not have happened: load the table to find out. Entries
    found then are permanent; missing ones may still appear until another entry takes their number.
    """


class NoSuchTable(StoreError):
    """There is no table with this id."""

    def __init__(self, table: str) -> None:
        """Name the table."""
        self.table = table
        super().__init__(f"There is no game {table!r} in the store.")


class TableExists(StoreError):
    """A table with this id already exists."""

    def __init__(self, table: str) -> None:
        """Name the table."""
        super().__init__(f"Game {table!r} already exists; choose another id.")


class Conflict(StoreError):
    """Entry ``n`` is not the next one of the table; nothing was written.

    Usually another process wrote it first. Load the new entries and decide again.
    """

    def __init__(self, table: str, n: int) -> None:
        """Name the table and the number."""
        super().__init__(f"Entry {n} is not the next entry of game {table!r}; load the game again.")


# --- what it holds --------------------------------------------------------------------------------


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A line of a table's log: a move, or any other change as JSON text.

    ``text`` is opaque to the store. Entries of one table are numbered from 0 without gaps.
    """

    n: int
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table without its entries and its secret."""

    id: str
    created: datetime
    public: bool
    edition: str
    summary: Summary


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A whole table; its dice are derived from ``secret``, which must not leave the server."""

    row: TableRow
    secret: bytes = field(repr=False)
    entries: tuple[Entry, ...]

    @classmethod
    def new(
        cls,
        table: str,
        public: bool,
        edition: str,
        secret: bytes,
        summary: Summary,
        texts: Sequence[str],
    ) -> Self:
        """Return a table to create, with its first entries; raise `ValueError` like `append`."""
        for text in (table, edition, summary.text):
            check_text(text)
        entries = stamped(0, texts)
        return cls(TableRow(table, entries[0].at, public, edition, summary), secret, entries)


MAX_N: Final = 2**31 - 1  # PostgreSQL's integer


def is_text(text: str) -> bool:
    """Whether a database can store ``text``: no lone surrogates and no NUL."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def check_text(text: str) -> None:
    """Raise `ValueError` unless a database can store ``text``."""
    if not is_text(text):
        raise ValueError(f"{text!a} cannot be stored: it contains a NUL or a lone surrogate")


def stamped(n: int, texts: Sequence[str]) -> tuple[Entry, ...]:
    """Number the texts from ``n`` on and stamp them with the current time."""
    if not texts:
        raise ValueError("nothing to write: give at least one text")
    if not 0 <= n <= MAX_N - len(texts):
        raise ValueError(f"{n} is not a valid entry number: it must be from 0 to {MAX_N}")
    for text in texts:
        check_text(text)
    now = datetime.now(UTC)
    return tuple(Entry(n + index, now, text) for index, text in enumerate(texts))


# --- what can be asked of it ----------------------------------------------------------------------


class Log(Protocol):
    """Keeps the logs of tables. What was written is safe when a call returns.

    Any call may raise `StoreUnavailable`.
    """

    async def create(self, table: StoredTable) -> None:
        """Write a new table (`StoredTable.new`) and its first entries atomically.

        Raise `TableExists`, and write nothing, if the id is taken.
        """

    async def load(self, table: str) -> StoredTable | None:
        """Return the table with all its entries in order, or None if it does not exist."""

    async def entries(self, table: str, after: int) -> list[Entry]:
        """Return the entries with numbers above ``after``, in order; -1 returns all."""

    async def append(
        self, table: str, n: int, texts: Sequence[str], summary: Summary | None = None
    ) -> tuple[Entry, ...]:
        """Write ``texts`` as the entries from ``n`` on, and the summary; return the entries.

        Raise `Conflict`, and write nothing, unless ``n`` is the table's next number. Raise
        `NoSuchTable` if the table does not exist.
        """
