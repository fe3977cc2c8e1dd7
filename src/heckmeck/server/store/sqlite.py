"""The store in one SQLite file, served by one process.

One thread writes and another reads, each with its own connection. Write-ahead logging lets them
run concurrently; with ``synchronous=FULL`` every commit is on disk before it returns.

Rows are passed as one JSON text, so the number of statements does not depend on the number of
rows. A thread has to reacquire the GIL after every row, which is slow while the event loop is busy.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from heckmeck.server import store
from heckmeck.server.store import Append, Entry, Store, sqlite_file
from heckmeck.server.store.batcher import Batcher
from heckmeck.server.store.schema import PROBE_KEY, SQLITE, Schema
from heckmeck.server.store.sqlite_file import Claim, SqliteThread, shared, time_text
from heckmeck.table.views import Summary

# A batch is a JSON array of claims, and a claim is [table, first number, time, [text, ...]].
_REFUSED: Final = """
    SELECT json_group_array(json_array(place, following))
    FROM (
        SELECT
            key AS place,
            json_extract(claim.value, '$[1]') AS first,
            (
                SELECT max(n) + 1 FROM entries WHERE game = json_extract(claim.value, '$[0]')
            ) AS following
        FROM json_each(?) AS claim
    )
    WHERE first IS NOT following
"""
_INSERT: Final = """
    INSERT INTO entries (game, n, at, word)
    SELECT
        json_extract(claim.value, '$[0]'),
        json_extract(claim.value, '$[1]') + word.key,
        json_extract(claim.value, '$[2]'),
        word.value
    FROM json_each(?) AS claim, json_each(claim.value, '$[3]') AS word
"""
# Summaries are a JSON array of [table, status, text, whether due stays, due, public, edition].
_SUMMARISE: Final = """
    UPDATE games
    SET
        status = json_extract(given.value, '$[1]'),
        summary = json_extract(given.value, '$[2]'),
        due = CASE
            WHEN json_extract(given.value, '$[3]') THEN due ELSE json_extract(given.value, '$[4]')
        END,
        public = coalesce(json_extract(given.value, '$[5]'), public),
        edition = coalesce(json_extract(given.value, '$[6]'), edition)
    FROM json_each(?) AS given
    WHERE games.id = json_extract(given.value, '$[0]')
"""
_CREATE: Final = """
    INSERT INTO games (id, created, public, edition, status, summary, secret)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_ENTRIES: Final = """
    SELECT json_group_array(json_array(n, at, word))
    FROM (SELECT n, at, word FROM entries WHERE game = ? AND n > ? ORDER BY n)
"""
_PROBE: Final = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"

#: How often to check whether another process has written.
LOOK_SECONDS: Final = 1.0


class SqliteStore(Store):
    """A `Store` in the file at ``path``.

    It claims the file for this process. With ``beside``, it does not, and opening it neither
    creates nor migrates the file.
    """

    _FROM_LISTED = "FROM games INDEXED BY games_listed"
    _FROM_LAST = """
        FROM games
        JOIN entries ON game = id AND n = (SELECT max(n) FROM entries WHERE game = id)
    """

    def __init__(self, path: Path, schema: Schema = SQLITE, *, beside: bool = False) -> None:
        """Open nothing yet; see `open`."""
        super().__init__()
        self._path = path
        self._schema = schema
        self._beside = beside
        self._claim: Claim | None = None
        self._writer = SqliteThread(path, "heckmeck-sqlite-writer")
        self._reader = SqliteThread(path, "heckmeck-sqlite-reader")
        self._batcher = Batcher(self._commit)
        self._closed = asyncio.Event()

    async def open(self) -> None:
        """See `Store.open`."""
        if self._beside:
            await asyncio.to_thread(sqlite_file.find, self._path, self._schema)
        else:
            await asyncio.to_thread(self._take)
        await self._writer.open()
        await self._reader.open()

    def _take(self) -> None:
        sqlite_file.check_place(self._path)
        with sqlite_file.explained(self._path):
            self._claim = shared(self._path)
        sqlite_file.prepare(self._path, self._schema)

    @store.reported
    async def create(self, table: store.StoredTable) -> None:
        """See `Store.create`."""
        await self._writer.run(lambda connection: _create(connection, table))

    @store.reported
    async def delete(self, table: str) -> bool:
        """See `Store.delete`."""
        if not store.is_text(table):
            return False
        return await self._writer.run(lambda connection: _delete(connection, table))

    @store.reported
    async def rewrite(
        self, table: str, texts: Mapping[int, str], summary: Summary | None = None
    ) -> None:
        """See `Store.rewrite`."""
        await self._writer.run(lambda connection: _rewrite(connection, table, texts, summary))

    @store.reported
    async def probe(self, *, writing: bool) -> None:
        """See `Store.probe`."""
        await self._writer.run(lambda connection: _probe(connection, writing=writing))

    async def changes(self) -> AsyncIterator[store.News]:
        """See `Store.changes`."""
        known: int | None = None
        while not self._closed.is_set():
            # Readers and writers get the error; try again later.
            with suppress(store.StoreUnavailable):
                version = await self._writer.run(_data_version)
                if known is not None and version != known:
                    yield store.Missed()
                known = version
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closed.wait(), LOOK_SECONDS)

    async def close(self) -> None:
        """See `Store.close`."""
        self._closed.set()
        await self._batcher.close()
        await self._writer.close()
        await self._reader.close()
        if self._claim is not None:
            self._claim.close()
            self._claim = None

    async def _read(self, query: str, *values: store.Value) -> list[Any]:
        plain = [time_text(value) if isinstance(value, datetime) else value for value in values]
        return await self._reader.run(
            lambda connection: connection.execute(query, plain).fetchall()
        )

    async def _execute(self, query: str, *values: store.Value) -> None:
        plain = [time_text(value) if isinstance(value, datetime) else value for value in values]

        def execute(connection: sqlite3.Connection) -> None:
            with sqlite_file.transaction(connection):
                connection.execute(query, plain)

        await self._writer.run(execute)

    async def _entries(self, table: str, after: int) -> list[Entry]:
        ((found,),) = await self._read(_ENTRIES, table, after)
        return [Entry(n, datetime.fromisoformat(at), text) for n, at, text in json.loads(found)]

    async def _commit(self, batch: Sequence[Append]) -> Sequence[store.StoreError | None]:
        return await self._writer.run(lambda connection: _append(connection, batch))


def _append(
    connection: sqlite3.Connection, batch: Sequence[Append]
) -> Sequence[store.StoreError | None]:
    """Write the appends that fit; return for each of the batch why not, or None."""
    claims = _claims(batch)
    with sqlite_file.transaction(connection):
        (answer,) = connection.execute(_REFUSED, (claims,)).fetchone()
        refused: dict[int, int | None] = dict(json.loads(answer))
        fitting = [append for place, append in enumerate(batch) if place not in refused]
        connection.execute(_INSERT, (_claims(fitting) if refused else claims,))
        given = [
            (
                append.table,
                append.summary.status,
                append.summary.text,
                append.keeps_due,
                time_text(append.due) if append.due else None,
                append.summary.public,
                append.summary.edition,
            )
            for append in fitting
            if append.summary
        ]
        if given:
            connection.execute(_SUMMARISE, (json.dumps(given),))
    return [
        _refusal(append, refused[place]) if place in refused else None
        for place, append in enumerate(batch)
    ]


def _refusal(append: Append, following: int | None) -> store.StoreError:
    """Return why the append does not fit; ``following`` is the next number, if the table exists."""
    return (
        store.NoSuchTable(append.table)
        if following is None
        else store.Conflict(append.table, append.first)
    )


def _claims(batch: Sequence[Append]) -> str:
    return json.dumps(
        [
            (
                append.table,
                append.first,
                time_text(append.entries[0].at),
                [entry.text for entry in append.entries],
            )
            for append in batch
        ]
    )


def _create(connection: sqlite3.Connection, table: store.StoredTable) -> None:
    row, summary = table.row, table.row.summary
    about = (row.id, time_text(row.created), row.public, row.edition)
    with sqlite_file.transaction(connection):
        try:
            connection.execute(_CREATE, (*about, summary.status, summary.text, table.secret))
        except sqlite3.IntegrityError as error:
            raise store.TableExists(row.id) from error
        connection.execute(_INSERT, (_claims([Append(row.id, table.entries)]),))


def _delete(connection: sqlite3.Connection, table: str) -> bool:
    with sqlite_file.transaction(connection):
        found = connection.execute("DELETE FROM games WHERE id = ? AND status = 'closed'", (table,))
        if found.rowcount:
            connection.execute("DELETE FROM entries WHERE game = ?", (table,))
            connection.execute("DELETE FROM pushes WHERE game = ?", (table,))
        return bool(found.rowcount)


def _rewrite(
    connection: sqlite3.Connection, table: str, texts: Mapping[int, str], summary: Summary | None
) -> None:
    with sqlite_file.transaction(connection):
        connection.executemany(
            "UPDATE entries SET word = ? WHERE game = ? AND n = ?",
            [(text, table, n) for n, text in texts.items()],
        )
        if summary:
            given = (table, summary.status, summary.text, True, None, None, None)
            connection.execute(_SUMMARISE, (json.dumps([given]),))


def _probe(connection: sqlite3.Connection, *, writing: bool) -> None:
    with sqlite_file.transaction(connection):
        if writing:
            connection.execute(_PROBE, (PROBE_KEY, time_text(datetime.now(UTC))))


def _data_version(connection: sqlite3.Connection) -> int:
    """Return a number that changes when another connection writes."""
    version: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return version
