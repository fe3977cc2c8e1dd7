"""The log of entries on disk: SQLite for one process, PostgreSQL for several, one interface.

A game is what its entries say, in their order. ``(game, n)`` is the primary key: the lock against
two writers, and the guard against an entry written twice.

::

    StoreError
    ├── StoreTooNew        the database was written by a newer heckmeck; nothing was changed
    ├── AlreadyServed      another process serves this SQLite file (in `sqlite_file`)
    ├── StoreUnavailable   the store cannot be reached, read or written right now
    ├── NoSuchTable        an entry for a table that does not exist
    ├── TableExists        a new table whose id is taken
    └── Conflict           an entry's number is not the table's next: another writer was faster

Messages of errors are sentences for the person who runs the server.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from heckmeck.hosting.log import MAX_N, check_text, stamped
from heckmeck.hosting.log import Conflict as Conflict
from heckmeck.hosting.log import Entry as Entry
from heckmeck.hosting.log import NoSuchTable as NoSuchTable
from heckmeck.hosting.log import StoredTable as StoredTable
from heckmeck.hosting.log import StoreError as StoreError
from heckmeck.hosting.log import StoreUnavailable as StoreUnavailable
from heckmeck.hosting.log import TableExists as TableExists
from heckmeck.hosting.log import TableRow as TableRow
from heckmeck.hosting.log import is_text as is_text
from heckmeck.installation import data_folder, to_add
from heckmeck.table.views import Summary as Summary
from heckmeck.wire.setup import Status

if TYPE_CHECKING:
    from heckmeck.server.store.batcher import Batcher

P = ParamSpec("P")
S = TypeVar("S", bound="Store")
T = TypeVar("T")


class StoreTooNew(StoreError):
    """The database has the schema of a newer heckmeck."""


# --- what it holds --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Overview:
    """A table with the number and the time of its last entry."""

    row: TableRow
    n: int
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredBook:
    """A family book without its pages; ``secret`` is the hash of its secret.

    ``people`` is what people are called in it, by the names they played under, as JSON.
    """

    id: str
    created: datetime
    secret: str = field(repr=False)
    name: str
    people: str = "{}"


@dataclass(frozen=True, slots=True)
class Page:
    """A finished game in a book: game ``number`` of a table, as of entry ``n``.

    ``facts`` and ``judged`` are None until somebody has computed them from the record, which is
    empty if it was not asked for.
    """

    book: str
    game: str
    number: int
    n: int
    at: datetime
    facts: str | None = None
    judged: str | None = None
    record: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class BookOverview:
    """A book with the number of its games and the time of the last (None without any)."""

    book: StoredBook
    games: int
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Change:
    """Another process wrote to a table; ``n`` is the number of the last entry it wrote."""

    table: str
    n: int


@dataclass(frozen=True, slots=True)
class Missed:
    """Changes may have been missed: load the new entries of every open table."""


News: TypeAlias = Change | Missed
#: A value in a query.
Value: TypeAlias = str | int | bytes | datetime | None


# --- writes, checked, numbered and timestamped before they are queued -----------------------------


@dataclass(frozen=True, slots=True)
class Append:
    """Entries to be written to one table, all or none, and its new summary if it changes."""

    table: str
    entries: tuple[Entry, ...]
    summary: Summary | None = None

    @property
    def first(self) -> int:
        """The number that must be the table's next."""
        return self.entries[0].n

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.entries[-1].n

    @property
    def keeps_due(self) -> bool:
        """Whether the table's `due` stays as it is: the wait began with an earlier entry."""
        wait = self.summary.wait if self.summary else None
        return wait is not None and wait.n < self.first

    @property
    def due(self) -> datetime | None:
        """When the server has to act, if it is not kept (`keeps_due`)."""
        wait = self.summary.wait if self.summary else None
        if wait is None or self.keeps_due:
            return None
        return self.entries[wait.n - self.first].at + timedelta(seconds=wait.seconds)


def checked(table: str, n: int, texts: Sequence[str], summary: Summary | None) -> Append:
    """Return the arguments of `Store.append` as a value; raise the errors that it documents."""
    if not is_text(table):
        raise NoSuchTable(table)
    if summary:
        check_text(summary.text)
    return Append(table, stamped(n, texts), summary)


# --- what can be asked of it ----------------------------------------------------------------------


def reported(
    call: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Call `Store.on_failure` whenever the decorated method finds the store unavailable."""

    @wraps(call)
    async def reporting(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await call(self, *args, **kwargs)
        except StoreUnavailable as error:
            self.on_failure(error)
            raise

    return reporting


class Store(ABC):
    """The log of entries, on disk. One instance per process; all calls from one event loop.

    A write is on disk when its call returns. Any call may raise `StoreUnavailable`, which is
    reported to ``on_failure`` too.
    """

    _batcher: "Batcher"
    #: Where queries find the tables to list, and all tables with their last entries.
    _FROM_LISTED: str
    _FROM_LAST: str

    def __init__(self) -> None:
        """Report failures to nobody."""
        self.on_failure: Callable[[StoreUnavailable], None] = lambda _: None

    @property
    def commits(self) -> int:
        """The number of batches of appends that this store has committed."""
        return self._batcher.commits

    @abstractmethod
    async def open(self) -> None:
        """Connect, and migrate the schema.

        Raise `StoreTooNew` (and change nothing) for a database of a newer heckmeck, `AlreadyServed`
        for an SQLite file that another process serves, and `StoreError` for any other problem.
        """

    @abstractmethod
    async def create(self, table: StoredTable) -> None:
        """Write a new table (`StoredTable.new`) and its first entries atomically.

        Raise `TableExists`, and write nothing, if the id is taken.
        """

    @reported
    async def load(self, table: str) -> StoredTable | None:
        """Return the table with all its entries in order, or None if it does not exist."""
        rows = await self._read(_TABLE, table) if is_text(table) else ()
        for *columns, secret in rows:
            return StoredTable(_row(*columns), secret, tuple(await self._entries(table, -1)))
        return None

    @reported
    async def entries(self, table: str, after: int) -> list[Entry]:
        """Return the entries with numbers above ``after``, in order; -1 returns all."""
        return await self._entries(table, after) if is_text(table) else []

    async def append(
        self, table: str, n: int, texts: Sequence[str], summary: Summary | None = None
    ) -> tuple[Entry, ...]:
        """Write ``texts`` as the entries from ``n`` on, and the summary; return the entries.

        Raise `Conflict`, and write nothing, unless ``n`` is the table's next number. Raise
        `NoSuchTable` if the table does not exist, and `ValueError` if there are no texts, or if one
        cannot be stored (a lone surrogate or a NUL).
        """
        append = checked(table, n, texts, summary)
        try:
            await self._batcher.add(append)
        except StoreUnavailable as error:  # as `reported` does, without a second coroutine an entry
            self.on_failure(error)
            raise
        return append.entries

    @reported
    async def list_public(self, limit: int) -> list[TableRow]:
        """Return at most ``limit`` public tables that are waiting or in progress, newest first."""
        query = f"{_SELECT} {self._FROM_LISTED} WHERE {LISTED} ORDER BY created DESC LIMIT ?"
        return [_row(*row) for row in await self._read(query, limit)]

    @reported
    async def count(self) -> dict[Status, int]:
        """Return the number of tables by status; a status without tables is omitted."""
        rows = await self._read("SELECT status, count(*) FROM games GROUP BY status")
        return {Status(status): number for status, number in rows}

    @reported
    async def overview(self, after: str, limit: int) -> list[Overview]:
        """Return at most ``limit`` tables with ids above ``after``, in the order of their ids."""
        return await self._overviews("WHERE id > ? ORDER BY id LIMIT ?", after, limit)

    @reported
    async def stale(
        self, statuses: Collection[Status], before: datetime, limit: int
    ) -> list[Overview]:
        """Return at most ``limit`` tables with these statuses and no entry since ``before``.

        A table where the server still has to act (`due`) is not among them.
        """
        these = ", ".join("?" for _ in statuses)
        # Without an order, so that the scan can stop at the limit.
        where = f"WHERE status IN ({these}) AND created < ? AND at < ? AND due IS NULL LIMIT ?"
        values = [status.value for status in statuses]
        return await self._overviews(where, *values, before, before, limit)

    @reported
    async def due(self, now: datetime, limit: int) -> list[str]:
        """Return the ids of at most ``limit`` tables where the server has to act, longest first."""
        query = "SELECT id FROM games WHERE due <= ? ORDER BY due LIMIT ?"
        return [table for (table,) in await self._read(query, now, limit)]

    @reported
    async def kept(self, key: str, made: str) -> str:
        """Return what is kept under a key of ``meta``; keep ``made`` if that is nothing yet."""
        await self._execute(
            "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", key, made
        )
        ((value,),) = await self._read("SELECT value FROM meta WHERE key = ?", key)
        return str(value)

    @reported
    async def subscribe(self, table: str, seat: str, endpoint: str, text: str, most: int) -> None:
        """Keep a push subscription of the seat with this hash, and at most the ``most`` newest."""
        now = datetime.now(UTC)
        await self._execute(_SUBSCRIBE, table, seat, endpoint, now, text)
        await self._execute(_DROP_OLD, table, seat, table, seat, most)

    @reported
    async def subscriptions(self, table: str, seat: str) -> dict[str, str]:
        """Return the push subscriptions of the seat with this hash: endpoints and their texts."""
        query = "SELECT endpoint, subscription FROM pushes WHERE game = ? AND seat = ?"
        return dict(await self._read(query, table, seat))

    @reported
    async def unsubscribe(self, table: str, seat: str, endpoint: str) -> None:
        """Delete a push subscription, if it is there."""
        query = "DELETE FROM pushes WHERE game = ? AND seat = ? AND endpoint = ?"
        await self._execute(query, table, seat, endpoint)

    @reported
    async def keep_subscriptions(self, table: str, seats: Sequence[str]) -> None:
        """Delete all push subscriptions of a table except those of the seats with these hashes."""
        these = ", ".join("?" for _ in seats)
        others = f"AND seat NOT IN ({these})" if seats else ""
        query = f"DELETE FROM pushes WHERE game = ? {others}"  # noqa: S608 (only question marks)
        await self._execute(query, table, *seats)

    # --- family books -----------------------------------------------------------------------------

    @reported
    async def add_book(self, book: StoredBook) -> bool:
        """Write a new book; return False, and write nothing, if the id is taken."""
        for text in (book.name, book.people):
            check_text(text)
        row = (book.id, book.created, book.secret, book.name, book.people)
        await self._execute(_ADD_BOOK, *row)
        found = await self.book(book.id)
        return found is not None and found.secret == book.secret

    @reported
    async def book(self, book: str) -> StoredBook | None:
        """Return a book, or None if it does not exist."""
        rows = await self._read(f"{_BOOK} FROM books WHERE id = ?", book) if is_text(book) else ()
        return next((_book(*row) for row in rows), None)

    @reported
    async def books(self, after: str, limit: int) -> list[BookOverview]:
        """Return at most ``limit`` books with ids above ``after``, in the order of their ids."""
        rows = await self._read(_BOOKS, after, limit)
        return [
            BookOverview(_book(*row), games, last and _moment(last)) for *row, games, last in rows
        ]

    @reported
    async def change_book(self, old: StoredBook, new: StoredBook) -> bool:
        """Change the name and the people of a book; return False if they are not the old ones."""
        for text in (new.name, new.people):
            check_text(text)
        was = (old.id, old.name, old.people)
        await self._execute(_CHANGE_BOOK, new.name, new.people, *was)
        return await self.book(old.id) == new

    @reported
    async def delete_book(self, book: str) -> None:
        """Delete a book with all its pages."""
        await self._execute("DELETE FROM books WHERE id = ?", book)
        await self._execute("DELETE FROM pages WHERE book = ?", book)

    @reported
    async def add_page(self, page: Page, most: int) -> None:
        """Write a page, or replace an earlier page of the same game, which may be in another book.

        Nothing is written if the book does not exist or has ``most`` pages, or if the page that
        is there is as new.
        """
        for text in (page.record, page.facts or ""):
            check_text(text)
        row = (page.game, page.number, page.book, page.n, page.at, page.record, page.facts)
        await self._execute(_ADD_PAGE, *row, page.book, page.book, most, page.game, page.number)

    @reported
    async def page(self, book: str, game: str, number: int) -> Page | None:
        """Return a page with its record, or None if the book has none of this game."""
        query = f"{_PAGE}, record FROM pages WHERE book = ? AND game = ? AND number = ?"
        rows = await self._read(query, book, game, number) if is_text(game) else ()
        return next((_page(*row) for row in rows), None)

    @reported
    async def pages(self, book: str) -> list[Page]:
        """Return all pages of a book without their records, in the order of their games."""
        rows = await self._read(f"{_PAGE} FROM pages WHERE book = ? {_IN_ORDER}", book)
        return [_page(*row) for row in rows]

    @reported
    async def records(self, book: str, first: int, limit: int) -> list[Page]:
        """Return ``limit`` pages of a book with their records, from number ``first`` in order."""
        query = f"{_PAGE}, record FROM pages WHERE book = ? {_IN_ORDER} LIMIT ? OFFSET ?"
        return [_page(*row) for row in await self._read(query, book, limit, first)]

    @reported
    async def count_pages(self, book: str) -> int:
        """Return the number of pages of a book."""
        ((count,),) = await self._read("SELECT count(*) FROM pages WHERE book = ?", book)
        return int(count)

    @reported
    async def unjudged(self, book: str, limit: int) -> list[Page]:
        """Return at most ``limit`` pages with their records that are not judged yet."""
        missing = "(facts IS NULL OR judged IS NULL)"
        query = f"{_PAGE}, record FROM pages WHERE book = ? AND {missing} {_IN_ORDER} LIMIT ?"
        return [_page(*row) for row in await self._read(query, book, limit)]

    @reported
    async def judge_page(self, page: Page) -> None:
        """Write the facts and the judgement of a page, if it is still as of the same entry."""
        row = (page.facts, page.judged, page.game, page.number, page.n)
        await self._execute(_JUDGE_PAGE, *row)

    @reported
    async def unjudge(self, book: str) -> None:
        """Forget what was computed from the records of a book, so that it is computed again."""
        await self._execute("UPDATE pages SET facts = NULL, judged = NULL WHERE book = ?", book)

    @reported
    async def rewrite_page(self, page: Page) -> None:
        """Replace the record and the facts of a page, to erase personal data."""
        row = (page.record, page.facts, page.game, page.number, page.n)
        await self._execute(_REWRITE_PAGE, *row)

    @reported
    async def drop_page(self, game: str, number: int, n: int = MAX_N) -> None:
        """Delete the page of a game if it is as of an entry before ``n``."""
        query = "DELETE FROM pages WHERE game = ? AND number = ? AND n < ?"
        await self._execute(query, game, number, n)

    # --- administration ---------------------------------------------------------------------------

    @abstractmethod
    async def delete(self, table: str) -> bool:
        """Delete a closed table and all its entries and push subscriptions.

        Return False if there is none with this id.

        Other tables are not deleted: an entry written at the same time would be left behind.
        """

    @abstractmethod
    async def rewrite(
        self, table: str, texts: Mapping[int, str], summary: Summary | None = None
    ) -> None:
        """Replace the texts of existing entries, all or none.

        This is for erasing personal data, not for changing a table: nobody is notified.
        """

    @abstractmethod
    async def probe(self, *, writing: bool) -> None:
        """Raise `StoreUnavailable` unless tables can be written right now.

        With ``writing``, a row in ``meta`` is written as a test; otherwise nothing is.
        """

    @abstractmethod
    def changes(self) -> AsyncIterator[News]:
        """Yield the writes of *other* processes, until the store is closed.

        On PostgreSQL `Missed` comes first, and again after every reconnection; every later write
        is a `Change`. On SQLite, where the only other writer is ``heckmeck admin``, every write is
        a `Missed`, within about a second.
        """

    @abstractmethod
    async def close(self) -> None:
        """Finish pending writes and disconnect. May be called twice."""

    @abstractmethod
    async def _read(self, query: str, *values: Value) -> list[Any]:
        """Return the rows of a query, whose values are written as ``?``."""

    @abstractmethod
    async def _execute(self, query: str, *values: Value) -> None:
        """Carry out a statement that may be repeated, whose values are written as ``?``."""

    @abstractmethod
    async def _entries(self, table: str, after: int) -> list[Entry]:
        """Return the entries with numbers above ``after``, in order."""

    async def _overviews(self, where: str, *values: Value) -> list[Overview]:
        rows = await self._read(f"{_SELECT}, n, at {self._FROM_LAST} {where}", *values)
        return [Overview(_row(*row), n, _moment(at)) for *row, n, at in rows]


_SUBSCRIBE: Final = """
    INSERT INTO pushes (game, seat, endpoint, at, subscription) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (game, seat, endpoint)
    DO UPDATE SET at = excluded.at, subscription = excluded.subscription
"""
_DROP_OLD: Final = """
    DELETE FROM pushes WHERE game = ? AND seat = ? AND endpoint NOT IN (
        SELECT endpoint FROM pushes WHERE game = ? AND seat = ? ORDER BY at DESC LIMIT ?
    )
"""
_BOOK: Final = "SELECT id, created, secret, name, people"
_BOOKS: Final = """
    SELECT id, created, secret, name, people,
        (SELECT count(*) FROM pages WHERE book = id), (SELECT max(at) FROM pages WHERE book = id)
    FROM books WHERE id > ? ORDER BY id LIMIT ?
"""
_ADD_BOOK: Final = """
    INSERT INTO books (id, created, secret, name, people) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING
"""
_CHANGE_BOOK: Final = """
    UPDATE books SET name = ?, people = ? WHERE id = ? AND name = ? AND people = ?
"""
_PAGE: Final = "SELECT book, game, number, n, at, facts, judged"
_IN_ORDER: Final = "ORDER BY at, game, number"
_ADD_PAGE: Final = """
    INSERT INTO pages (game, number, book, n, at, record, facts)
    SELECT ?, ?, ?, ?, ?, ?, ?
    WHERE EXISTS (SELECT 1 FROM books WHERE id = ?) AND (
        (SELECT count(*) FROM pages WHERE book = ?) < ?
        OR EXISTS (SELECT 1 FROM pages WHERE game = ? AND number = ?)
    )
    ON CONFLICT (game, number) DO UPDATE SET
        book = excluded.book, n = excluded.n, at = excluded.at, record = excluded.record,
        facts = excluded.facts, judged = NULL
    WHERE pages.n < excluded.n
"""
_JUDGE_PAGE: Final = """
    UPDATE pages SET facts = ?, judged = ? WHERE game = ? AND number = ? AND n = ?
"""
_REWRITE_PAGE: Final = """
    UPDATE pages SET record = ?, facts = ? WHERE game = ? AND number = ? AND n = ?
"""
_SELECT: Final = "SELECT id, created, public, edition, status, summary"
_TABLE: Final = f"{_SELECT}, secret FROM games WHERE id = ?"
#: The condition of tables that are listed; queries and the index must write it alike.
LISTED: Final = "public AND status IN ('waiting', 'playing')"


def _row(
    table: str, created: str | datetime, public: int, edition: str, status: str, summary: str
) -> TableRow:
    listed = Summary(Status(status), summary)
    return TableRow(table, _moment(created), bool(public), edition, listed)


def _book(book: str, created: str | datetime, secret: str, name: str, people: str) -> StoredBook:
    return StoredBook(book, _moment(created), secret, name, people)


def _page(book: str, game: str, number: int, *others: Any) -> Page:  # noqa: ANN401 (as they come)
    n, at, facts, judged, *record = others
    return Page(book, game, number, n, _moment(at), facts, judged, *record)


def _moment(value: str | datetime) -> datetime:
    """Return a time of the database; those of SQLite are text."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value


# --- where it is ----------------------------------------------------------------------------------


def default_database() -> Path:
    """Return the SQLite file in the user's data folder."""
    return data_folder() / "tables.sqlite3"


def is_postgres(location: str) -> bool:
    """Whether ``location`` is the URL of a PostgreSQL database, not the path of a file."""
    return location.startswith(("postgres://", "postgresql://"))


def open_store(location: str | Path, *, beside: bool = False) -> Store:
    """Return the store at a PostgreSQL URL or in an SQLite file; `Store.open` connects it.

    ``beside`` is for tools that work next to a server: opening creates and migrates nothing, and
    does not claim the right to serve an SQLite file.

    Raise `StoreError` if ``location`` is neither, or if the package for PostgreSQL is missing.
    """
    place = str(location)
    if is_postgres(place):
        return _postgres(place, beside)
    if "://" in place:
        scheme = place.partition("://")[0]
        raise StoreError(
            f"A {scheme}:// address is not supported. Give the path of a file for SQLite, or "
            "postgresql://user@host/database for PostgreSQL."
        )
    from heckmeck.server.store.sqlite import SqliteStore

    return SqliteStore(Path(place), beside=beside)


def _postgres(url: str, beside: bool) -> Store:
    try:
        from heckmeck.server.store.postgres import PostgresStore
    except ImportError as error:
        raise StoreError(
            f"PostgreSQL needs a package that is not installed here. {to_add('postgres')}"
        ) from error
    return PostgresStore(url, beside=beside)
