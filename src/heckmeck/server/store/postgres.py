"""The store in PostgreSQL, for one process or several, and its backups.

Every write is one statement, and so one transaction and one round trip: it writes the appends of a
batch that fit and returns which they were. NOTIFY informs other processes when it commits.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, LiteralString, TypeAlias

import psycopg
from psycopg import AsyncCursor
from psycopg.rows import TupleRow

from heckmeck.server import store
from heckmeck.server.store import Append, Entry, Store, backup, batcher, sqlite_file
from heckmeck.server.store import postgres_link as link
from heckmeck.server.store.schema import POSTGRES, PROBE_KEY, PUSH_KEY, Schema
from heckmeck.table.views import Summary

# Claims are made in the order of the tables' ids, so that two writers of the same tables cannot
# deadlock. The writer that has claimed the next number of a table owns it, and so the numbers that
# follow, until the end of the transaction.
_APPEND: Final = """
    WITH claim AS (
        SELECT * FROM unnest(
            %(games)s::text[], %(firsts)s::int[], %(lasts)s::int[],
            %(times)s::timestamptz[], %(texts)s::text[]
        ) AS claim (game, first, last, at, word)
    ), won AS (
        INSERT INTO entries (game, n, at, word)
        SELECT game, first, at, word FROM claim
        WHERE first = (SELECT max(n) + 1 FROM entries WHERE entries.game = claim.game)
        ORDER BY game
        ON CONFLICT DO NOTHING
        RETURNING game
    ), more AS (
        INSERT INTO entries (game, n, at, word)
        SELECT game, n, at, word
        FROM unnest(
            %(more_games)s::text[], %(more_ns)s::int[],
            %(more_times)s::timestamptz[], %(more_texts)s::text[]
        ) AS more (game, n, at, word)
        JOIN won USING (game)
    ), summarised AS (
        UPDATE games SET
            status = given.status,
            summary = given.summary,
            due = CASE WHEN given.keeps_due THEN games.due ELSE given.due END,
            public = coalesce(given.public, games.public),
            edition = coalesce(given.edition, games.edition)
        FROM unnest(
            %(given_games)s::text[], %(given_statuses)s::text[], %(given_summaries)s::text[],
            %(given_keeps)s::boolean[], %(given_dues)s::timestamptz[],
            %(given_publics)s::boolean[], %(given_editions)s::text[]
        ) AS given (game, status, summary, keeps_due, due, public, edition)
        JOIN won USING (game)
        WHERE games.id = given.game
    )
    SELECT game, pg_notify('heckmeck', game || ':' || last) FROM won JOIN claim USING (game)
"""
_CREATE: Final = """
    WITH made AS (
        INSERT INTO games (id, created, public, edition, status, summary, secret)
        VALUES (
            %(id)s, %(created)s, %(public)s, %(edition)s, %(status)s, %(summary)s, %(secret)s
        )
        ON CONFLICT DO NOTHING
        RETURNING id
    ), written AS (
        INSERT INTO entries (game, n, at, word)
        SELECT id, place - 1, %(created)s, word
        FROM made, unnest(%(texts)s::text[]) WITH ORDINALITY AS texts (word, place)
    )
    SELECT id, pg_notify('heckmeck', id || ':' || %(last)s::int) FROM made
"""
_HEADS: Final = """
    SELECT claim.game, at, word
    FROM unnest(?::text[], ?::int[]) AS claim (game, first)
    JOIN games ON games.id = claim.game
    LEFT JOIN entries ON entries.game = claim.game AND entries.n = claim.first
"""
_ENTRIES: Final = "SELECT n, at, word FROM entries WHERE game = ? AND n > ? ORDER BY n"
_DELETE: Final = """
    WITH gone AS (
        DELETE FROM games WHERE id = %s AND status = 'closed' RETURNING id
    ), emptied AS (
        DELETE FROM entries USING gone WHERE game = id
    ), silenced AS (
        DELETE FROM pushes USING gone WHERE game = id
    )
    SELECT id FROM gone
"""
_REWRITE: Final = """
    WITH rewritten AS (
        UPDATE entries SET word = given.word
        FROM unnest(%(ns)s::int[], %(texts)s::text[]) AS given (n, word)
        WHERE game = %(game)s AND entries.n = given.n
    )
    UPDATE games
    SET status = coalesce(%(status)s, status), summary = coalesce(%(summary)s, summary)
    WHERE id = %(game)s
"""
# Waits for the same locks as a write.
_PROBE: Final = """
    WITH entered AS (
        INSERT INTO entries (game, n, at, word) SELECT game, n, at, word FROM entries LIMIT 0
    ), updated AS (
        UPDATE games SET status = status WHERE false
    )
    INSERT INTO meta (key, value) SELECT %s, %s WHERE %s
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""

_Values: TypeAlias = dict[
    str,
    store.Value
    | Sequence[str | None]
    | Sequence[int]
    | Sequence[bool | None]
    | Sequence[datetime | None],
]


class PostgresStore(Store):
    """A `Store` in the PostgreSQL database at ``url``.

    With ``beside``, opening it does not migrate the database.
    """

    _FROM_LISTED = "FROM games"
    _FROM_LAST = """
        FROM games CROSS JOIN LATERAL (
            SELECT n, at FROM entries WHERE game = id ORDER BY n DESC LIMIT 1
        ) AS last
    """

    def __init__(self, url: str, schema: Schema = POSTGRES, *, beside: bool = False) -> None:
        """Connect to nothing yet; see `open`. Raise `StoreError` if the address is not valid."""
        super().__init__()
        self._address = link.DatabaseAddress(url)
        self._schema = schema
        self._beside = beside
        self._writer = link.Link(self._address)
        self._reader = link.Link(self._address)
        self._batcher = batcher.Batcher(self._commit)
        self._listeners: set[asyncio.Task[None]] = set()
        self._closed = False

    async def open(self) -> None:
        """See `Store.open`."""
        place = str(self._address)
        found = await self._writer.run(lambda connection: link.version(connection, place))
        if self._beside:
            self._schema.require(found, place)
        elif self._schema.missing(found, place):
            await link.migrate(self._address, self._schema)

    @store.reported
    async def create(self, table: store.StoredTable) -> None:
        """See `Store.create`."""
        made, tries = await self._write(_CREATE, _create_values(table))
        # If the connection broke, the existing table may be from our own first attempt.
        if not made.rowcount and (tries == 1 or await self.load(table.row.id) != table):
            raise store.TableExists(table.row.id)

    @store.reported
    async def delete(self, table: str) -> bool:
        """See `Store.delete`."""
        if not store.is_text(table):
            return False
        deleted, _ = await self._write(_DELETE, (table,))
        return bool(deleted.rowcount)

    @store.reported
    async def rewrite(
        self, table: str, texts: Mapping[int, str], summary: Summary | None = None
    ) -> None:
        """See `Store.rewrite`."""
        values: _Values = {
            "game": table,
            "ns": [*texts],
            "texts": [*texts.values()],
            "status": summary.status.value if summary else None,
            "summary": summary.text if summary else None,
        }
        await self._write(_REWRITE, values)

    @store.reported
    async def probe(self, *, writing: bool) -> None:
        """See `Store.probe`."""
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        await self._write(_PROBE, (PROBE_KEY, now, writing))

    async def changes(self) -> AsyncIterator[store.News]:
        """See `Store.changes`."""
        if self._closed:
            return
        news: asyncio.Queue[store.News | None] = asyncio.Queue()
        listener = asyncio.create_task(
            link.listen(self._address, news.put_nowait, lambda: self._writer.backend)
        )
        listener.add_done_callback(lambda _: news.put_nowait(None))
        self._listeners.add(listener)
        try:
            while (item := await news.get()) is not None:
                yield item
            if not listener.cancelled():
                listener.result()
        finally:
            self._listeners.discard(listener)
            await _end(listener)

    async def close(self) -> None:
        """See `Store.close`."""
        self._closed = True
        await self._batcher.close()
        await _end(*self._listeners)
        await self._writer.close()
        await self._reader.close()

    async def _write(
        self, query: LiteralString, values: Sequence[store.Value] | _Values
    ) -> tuple[AsyncCursor[TupleRow], int]:
        """Run a statement that may be run twice; return its result and the number of attempts."""
        tries = 0

        async def execute(connection: link.Connection) -> AsyncCursor[TupleRow]:
            nonlocal tries
            tries += 1
            return await connection.execute(query, values)

        return await self._writer.run(execute), tries

    async def _read(self, query: str, *values: store.Value | list[str] | list[int]) -> list[Any]:
        async def fetch(connection: link.Connection) -> list[TupleRow]:
            rows = await connection.execute(query.replace("?", "%s"), values)
            return await rows.fetchall()

        return await self._reader.run(fetch)

    async def _execute(self, query: str, *values: store.Value) -> None:
        await self._write(query.replace("?", "%s"), values)

    async def _entries(self, table: str, after: int) -> list[Entry]:
        return [Entry(*row) for row in await self._read(_ENTRIES, table, after)]

    async def _commit(self, batch: Sequence[Append]) -> Sequence[store.StoreError | None]:
        written, tries = await self._write(_APPEND, _batch_values(batch))
        won = {table for table, _ in await written.fetchall()}
        lost = [append for append in batch if append.table not in won]
        refusals = await self._refusals(lost, in_doubt=tries > 1) if lost else {}
        return [refusals.get(append.table) for append in batch]

    async def _refusals(
        self, lost: Sequence[Append], *, in_doubt: bool
    ) -> dict[str, store.StoreError]:
        """Return for each of these appends why it was not written.

        If the connection broke, a first attempt may have been written after all: an entry with our
        text and our time, to the microsecond, is ours.
        """
        rows = await self._read(
            _HEADS, [append.table for append in lost], [append.first for append in lost]
        )
        heads = {table: (at, text) for table, at, text in rows}
        refusals: dict[str, store.StoreError] = {}
        for append in lost:
            head = append.entries[0]
            if append.table not in heads:
                refusals[append.table] = store.NoSuchTable(append.table)
            elif not in_doubt or heads[append.table] != (head.at, head.text):
                refusals[append.table] = store.Conflict(append.table, append.first)
        return refusals


def _batch_values(batch: Sequence[Append]) -> _Values:
    more = [(append.table, entry) for append in batch for entry in append.entries[1:]]
    given = [(append, append.summary) for append in batch if append.summary]
    return {
        "games": [append.table for append in batch],
        "firsts": [append.first for append in batch],
        "lasts": [append.last for append in batch],
        "times": [append.entries[0].at for append in batch],
        "texts": [append.entries[0].text for append in batch],
        "more_games": [table for table, _ in more],
        "more_ns": [entry.n for _, entry in more],
        "more_times": [entry.at for _, entry in more],
        "more_texts": [entry.text for _, entry in more],
        "given_games": [append.table for append, _ in given],
        "given_statuses": [summary.status.value for _, summary in given],
        "given_summaries": [summary.text for _, summary in given],
        "given_keeps": [append.keeps_due for append, _ in given],
        "given_dues": [append.due for append, _ in given],
        "given_publics": [summary.public for _, summary in given],
        "given_editions": [summary.edition for _, summary in given],
    }


def _create_values(table: store.StoredTable) -> _Values:
    row = table.row
    return {
        "id": row.id,
        "created": row.created,
        "public": row.public,
        "edition": row.edition,
        "status": row.summary.status.value,
        "summary": row.summary.text,
        "secret": table.secret,
        "texts": [entry.text for entry in table.entries],
        "last": table.entries[-1].n,
    }


async def _end(*tasks: "asyncio.Task[None]") -> None:
    """Cancel the tasks and wait for them to end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


# --- dumping and restoring everything in one transaction ------------------------------------------


_ROWS: Final = 2000
_ALL_GAMES: Final = """
    SELECT id, created, due, public, status, edition, secret, summary FROM games
"""
_ALL_ENTRIES: Final = "SELECT game, n, at, word FROM entries"
_ONE_MOMENT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_NOBODY_SERVES: Final = "SELECT pg_try_advisory_xact_lock(%s, hashtext(current_schema()))"


_ADD_GAME: Final = """
    INSERT INTO games (id, created, due, public, status, edition, secret, summary)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_ALL_PUSHES: Final = "SELECT game, seat, endpoint, at, subscription FROM pushes"
_ADD_PUSH: Final = """
    INSERT INTO pushes (game, seat, endpoint, at, subscription) VALUES (?, ?, ?, ?, ?)
"""
_ALL_BOOKS: Final = "SELECT id, created, secret, name, people FROM books"
_ADD_BOOK: Final = """
    INSERT INTO books (id, created, secret, name, people) VALUES (?, ?, ?, ?, ?)
"""
_ALL_PAGES: Final = "SELECT game, number, book, n, at, record, facts, judged FROM pages"
_ADD_PAGE: Final = """
    INSERT INTO pages (game, number, book, n, at, record, facts, judged)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_PUSH_KEY: Final = "SELECT key, value FROM meta WHERE key = 'push'"
_ADD_ENTRY: Final = "INSERT INTO entries (game, n, at, word) VALUES (?, ?, ?, ?)"


async def _batches(
    connection: link.Connection, query: LiteralString
) -> AsyncIterator[list[TupleRow]]:
    """Yield the rows of a query, many at a time."""
    async with connection.cursor("all") as cursor:
        await cursor.execute(query)
        while rows := await cursor.fetchmany(_ROWS):
            yield rows


def _with_time_texts(row: TupleRow) -> list[object]:
    return [sqlite_file.time_text(value) if isinstance(value, datetime) else value for value in row]


async def dump(url: str, target: sqlite3.Connection) -> None:
    """Write a snapshot of everything to an empty SQLite database with our schema."""
    address = link.DatabaseAddress(url)
    try:
        async with await address.connect() as connection, connection.transaction():
            await connection.execute(_ONE_MOMENT)
            POSTGRES.require(await link.version(connection, str(address)), str(address))
            with sqlite_file.transaction(target):
                async for rows in _batches(connection, _ALL_GAMES):
                    games = [
                        (game, sqlite_file.time_text(at), due and sqlite_file.time_text(due), *more)
                        for game, at, due, *more in rows
                    ]
                    target.executemany(_ADD_GAME, games)
                async for rows in _batches(connection, _ALL_ENTRIES):
                    entries = [(*of, sqlite_file.time_text(at), text) for *of, at, text in rows]
                    target.executemany(_ADD_ENTRY, entries)
                async for rows in _batches(connection, _ALL_PUSHES):
                    pushes = [(*of, sqlite_file.time_text(at), text) for *of, at, text in rows]
                    target.executemany(_ADD_PUSH, pushes)
                for query, insert in ((_ALL_BOOKS, _ADD_BOOK), (_ALL_PAGES, _ADD_PAGE)):
                    async for rows in _batches(connection, query):
                        target.executemany(insert, [_with_time_texts(row) for row in rows])
                async for rows in _batches(connection, _PUSH_KEY):
                    target.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", rows)
    except psycopg.Error as error:
        raise address.trouble(error) from error


async def fill(url: str, source: sqlite3.Connection, games: int, *, force: bool) -> None:
    """Replace everything with the contents of an SQLite database with our schema."""
    address = link.DatabaseAddress(url)
    await link.migrate(address, POSTGRES)
    try:
        async with await address.connect() as connection, connection.transaction():
            free = await (await connection.execute(_NOBODY_SERVES, (link.SERVING_LOCK,))).fetchone()
            if free != (True,):
                raise store.StoreError(
                    f"A server is running on {address}. Nothing was changed. Stop the server "
                    "first; it would not notice that its tables were replaced."
                )
            found = await connection.execute(
                "SELECT EXISTS (SELECT FROM games) OR EXISTS (SELECT FROM books)"
            )
            if not force and await found.fetchone() == (True,):
                raise backup.holds_games(str(address))
            await connection.execute("DELETE FROM games")
            await connection.execute("DELETE FROM entries")
            await connection.execute("DELETE FROM pushes")
            await connection.execute("DELETE FROM books")
            await connection.execute("DELETE FROM pages")
            await connection.execute("DELETE FROM meta WHERE key = %s", (PUSH_KEY,))
            async with connection.cursor() as cursor:
                async with cursor.copy(
                    "COPY games (id, created, due, public, status, edition, secret, summary) "
                    "FROM STDIN"
                ) as copy:
                    for game, created, due, public, *more in source.execute(_ALL_GAMES):
                        times = created, due
                        moments = [time and datetime.fromisoformat(time) for time in times]
                        await copy.write_row((game, *moments, bool(public), *more))
                async with cursor.copy("COPY entries (game, n, at, word) FROM STDIN") as copy:
                    for row in source.execute(_ALL_ENTRIES):
                        await copy.write_row(row)
                async with cursor.copy(
                    "COPY pushes (game, seat, endpoint, at, subscription) FROM STDIN"
                ) as copy:
                    for row in source.execute(_ALL_PUSHES):
                        await copy.write_row(row)
                async with cursor.copy(
                    "COPY books (id, created, secret, name, people) FROM STDIN"
                ) as copy:
                    for row in source.execute(_ALL_BOOKS):
                        await copy.write_row(row)
                async with cursor.copy(
                    "COPY pages (game, number, book, n, at, record, facts, judged) FROM STDIN"
                ) as copy:
                    for row in source.execute(_ALL_PAGES):
                        await copy.write_row(row)
                for row in source.execute(_PUSH_KEY):
                    await cursor.execute("INSERT INTO meta (key, value) VALUES (%s, %s)", row)
            written = await (await connection.execute("SELECT count(*) FROM games")).fetchone()
            if written != (games,):
                raise store.StoreError(
                    f"{address} stored only {written} of {games} tables. Nothing was changed."
                )
    except psycopg.Error as error:
        raise address.trouble(error) from error
