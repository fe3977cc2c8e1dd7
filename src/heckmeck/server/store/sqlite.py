"""The store in one SQLite file, served by one process.

One thread writes and another reads, each with its own connection. Write-ahead logging lets them
run concurrently; with ``synchronous=FULL`` every commit is on disk before it returns.

Rows are passed as one JSON text, so the number of statements does not depend on the number of
rows. A thread has to reacquire the GIL after every row, which is slow while the event loop is busy.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from heckmeck.server.store import sqlite_file
from heckmeck.server.store.batcher import Batcher
from heckmeck.server.store.claim import Claim, shared
from heckmeck.server.store.errors import (
    Conflict,
    GameExists,
    NoSuchGame,
    StoreError,
    StoreUnavailable,
)
from heckmeck.server.store.model import (
    Entry,
    GameRow,
    Missed,
    NewGame,
    News,
    Overview,
    Status,
    StoreCounts,
    StoredGame,
    Summary,
)
from heckmeck.server.store.requests import Append, checked, is_text, stored
from heckmeck.server.store.schema import PROBE_KEY, SQLITE, Schema
from heckmeck.server.store.sqlite_file import time_text
from heckmeck.server.store.sqlite_thread import SqliteThread

# A batch is a JSON array of claims, and a claim is [game, first number, time, [word, ...]].
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
# Summaries are a JSON array of [game, status, text].
_SUMMARISE: Final = """
    UPDATE games
    SET status = json_extract(given.value, '$[1]'), summary = json_extract(given.value, '$[2]')
    FROM json_each(?) AS given
    WHERE games.id = json_extract(given.value, '$[0]')
"""
_CREATE: Final = """
    INSERT INTO games (id, created, public, edition, status, summary, secret)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_GAME: Final = """
    SELECT id, created, public, edition, status, summary, secret FROM games WHERE id = ?
"""
_ENTRIES: Final = """
    SELECT json_group_array(json_array(n, at, word))
    FROM (SELECT n, at, word FROM entries WHERE game = ? AND n > ? ORDER BY n)
"""
_LIST: Final = """
    SELECT id, created, public, edition, status, summary FROM games INDEXED BY games_listed
    WHERE public AND status IN ('waiting', 'playing')
    ORDER BY created DESC LIMIT ?
"""
_COUNT: Final = "SELECT status, count(*) FROM games GROUP BY status"
_OVERVIEW: Final = """
    SELECT id, created, public, edition, status, summary, n, at
    FROM games
    JOIN entries ON game = id AND n = (SELECT max(n) FROM entries WHERE game = id)
    WHERE id > ?
    ORDER BY id LIMIT ?
"""
# Without an order, so that the scan can stop at the limit.
_STALE: Final = """
    SELECT id, created, public, edition, status, summary, n, at
    FROM games
    JOIN entries ON game = id AND n = (SELECT max(n) FROM entries WHERE game = id)
    WHERE status IN (SELECT value FROM json_each(?)) AND created < ? AND at < ?
    LIMIT ?
"""
_PROBE: Final = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"

#: How often to check whether another process has written.
LOOK_SECONDS: Final = 1.0


class SqliteStore:
    """A `Store` in the file at ``path``.

    It claims the file for this process. With ``beside``, it does not, and opening it neither
    creates nor migrates the file.
    """

    def __init__(self, path: Path, schema: Schema = SQLITE, *, beside: bool = False) -> None:
        """Open nothing yet; see `open`."""
        self._path = path
        self._schema = schema
        self._beside = beside
        self._claim: Claim | None = None
        self._writer = SqliteThread(path, "heckmeck-sqlite-writer")
        self._reader = SqliteThread(path, "heckmeck-sqlite-reader")
        self._batcher = Batcher(self._commit)
        self._closed = asyncio.Event()

    @property
    def commits(self) -> int:
        """The number of batches of appends that this store has committed."""
        return self._batcher.commits

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

    async def create(self, game: NewGame) -> StoredGame:
        """See `Store.create`."""
        made = stored(game)
        await self._writer.run(lambda connection: _create(connection, made))
        return made

    async def load(self, game: str) -> StoredGame | None:
        """See `Store.load`."""
        if not is_text(game):
            return None
        return await self._reader.run(lambda connection: _load(connection, game))

    async def entries(self, game: str, after: int) -> list[Entry]:
        """See `Store.entries`."""
        if not is_text(game):
            return []
        return await self._reader.run(lambda connection: _entries(connection, game, after))

    async def append(
        self, game: str, n: int, words: Sequence[str], summary: Summary | None = None
    ) -> tuple[Entry, ...]:
        """See `Store.append`."""
        append = checked(game, n, words, summary)
        await self._batcher.add(append)
        return append.entries

    async def list_public(self, limit: int) -> list[GameRow]:
        """See `Store.list_public`."""
        rows = await self._reader.run(
            lambda connection: connection.execute(_LIST, (limit,)).fetchall()
        )
        return [_game_row(*row) for row in rows]

    async def count(self) -> StoreCounts:
        """See `Store.count`."""
        rows = await self._reader.run(lambda connection: connection.execute(_COUNT).fetchall())
        return StoreCounts({Status(status): number for status, number in rows})

    async def overview(self, after: str, limit: int) -> list[Overview]:
        """See `Store.overview`."""
        return await self._overviews(_OVERVIEW, (after, limit))

    async def stale(
        self, statuses: Collection[Status], before: datetime, limit: int
    ) -> list[Overview]:
        """See `Store.stale`."""
        moment = time_text(before)
        return await self._overviews(_STALE, (json.dumps([*statuses]), moment, moment, limit))

    async def _overviews(self, query: str, values: tuple[str | int, ...]) -> list[Overview]:
        rows = await self._reader.run(
            lambda connection: connection.execute(query, values).fetchall()
        )
        return [Overview(_game_row(*row), n, datetime.fromisoformat(at)) for *row, n, at in rows]

    async def delete(self, game: str) -> bool:
        """See `Store.delete`."""
        if not is_text(game):
            return False
        return await self._writer.run(lambda connection: _delete(connection, game))

    async def rewrite(
        self, game: str, words: Mapping[int, str], summary: Summary | None = None
    ) -> None:
        """See `Store.rewrite`."""
        await self._writer.run(lambda connection: _rewrite(connection, game, words, summary))

    async def probe(self, *, writing: bool) -> None:
        """See `Store.probe`."""
        await self._writer.run(lambda connection: _probe(connection, writing=writing))

    async def changes(self) -> AsyncIterator[News]:
        """See `Store.changes`."""
        known: int | None = None
        while not self._closed.is_set():
            with suppress(StoreUnavailable):  # readers and writers get the error; try again later
                version = await self._writer.run(_data_version)
                if known is not None and version != known:
                    yield Missed()
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

    async def _commit(self, batch: Sequence[Append]) -> Sequence[StoreError | None]:
        return await self._writer.run(lambda connection: _append(connection, batch))


def _append(connection: sqlite3.Connection, batch: Sequence[Append]) -> Sequence[StoreError | None]:
    """Write the appends that fit; return for each of the batch why not, or None."""
    claims = _claims(batch)
    with sqlite_file.transaction(connection):
        (answer,) = connection.execute(_REFUSED, (claims,)).fetchone()
        refused: dict[int, int | None] = dict(json.loads(answer))
        fitting = [append for place, append in enumerate(batch) if place not in refused]
        connection.execute(_INSERT, (_claims(fitting) if refused else claims,))
        given = [
            (append.game, append.summary.status, append.summary.text)
            for append in fitting
            if append.summary
        ]
        if given:
            connection.execute(_SUMMARISE, (json.dumps(given),))
    return [
        _refusal(append, refused[place]) if place in refused else None
        for place, append in enumerate(batch)
    ]


def _refusal(append: Append, following: int | None) -> StoreError:
    """Return why the append does not fit; ``following`` is the game's next number, if it exists."""
    return NoSuchGame(append.game) if following is None else Conflict(append.game, append.first)


def _claims(batch: Sequence[Append]) -> str:
    return json.dumps(
        [
            (
                append.game,
                append.first,
                time_text(append.entries[0].at),
                [entry.word for entry in append.entries],
            )
            for append in batch
        ]
    )


def _create(connection: sqlite3.Connection, game: StoredGame) -> None:
    row = game.row
    with sqlite_file.transaction(connection):
        try:
            connection.execute(
                _CREATE,
                (
                    row.id,
                    time_text(row.created),
                    row.public,
                    row.edition,
                    row.summary.status,
                    row.summary.text,
                    game.secret,
                ),
            )
        except sqlite3.IntegrityError as error:
            raise GameExists(row.id) from error
        connection.execute(_INSERT, (_claims([Append(row.id, game.entries)]),))


def _load(connection: sqlite3.Connection, game: str) -> StoredGame | None:
    row = connection.execute(_GAME, (game,)).fetchone()
    if row is None:
        return None
    *columns, secret = row
    return StoredGame(_game_row(*columns), secret, tuple(_entries(connection, game, -1)))


def _entries(connection: sqlite3.Connection, game: str, after: int) -> list[Entry]:
    (answer,) = connection.execute(_ENTRIES, (game, after)).fetchone()
    return [Entry(n, datetime.fromisoformat(at), word) for n, at, word in json.loads(answer)]


def _delete(connection: sqlite3.Connection, game: str) -> bool:
    with sqlite_file.transaction(connection):
        found = connection.execute("DELETE FROM games WHERE id = ? AND status = 'closed'", (game,))
        if found.rowcount:
            connection.execute("DELETE FROM entries WHERE game = ?", (game,))
        return bool(found.rowcount)


def _rewrite(
    connection: sqlite3.Connection, game: str, words: Mapping[int, str], summary: Summary | None
) -> None:
    with sqlite_file.transaction(connection):
        connection.executemany(
            "UPDATE entries SET word = ? WHERE game = ? AND n = ?",
            [(word, game, n) for n, word in words.items()],
        )
        if summary:
            given = (game, summary.status, summary.text)
            connection.execute(_SUMMARISE, (json.dumps([given]),))


def _probe(connection: sqlite3.Connection, *, writing: bool) -> None:
    with sqlite_file.transaction(connection):
        if writing:
            connection.execute(_PROBE, (PROBE_KEY, time_text(datetime.now(UTC))))


def _data_version(connection: sqlite3.Connection) -> int:
    """Return a number that changes when another connection writes."""
    version: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return version


def _game_row(
    game: str, created: str, public: int, edition: str, status: str, summary: str
) -> GameRow:
    return GameRow(
        game,
        datetime.fromisoformat(created),
        bool(public),
        edition,
        Summary(Status(status), summary),
    )
