"""The store in one SQLite file, for one process.

One thread writes and another reads, each with its own connection. Write-ahead logging lets them
work side by side; ``synchronous=FULL`` has every commit on disk before it returns.

Rows travel as one JSON text, in a handful of statements whatever the number of rows. A thread
must win the interpreter back after every row it touches, and a busy event loop makes that slow.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from heckmeck.server.store import sqlite_file
from heckmeck.server.store.batcher import Batcher
from heckmeck.server.store.errors import Conflict, GameExists, NoSuchGame, StoreError
from heckmeck.server.store.model import (
    Entry,
    GameRow,
    NewGame,
    News,
    Status,
    StoreCounts,
    StoredGame,
    Summary,
)
from heckmeck.server.store.requests import Append, checked, is_text, stored
from heckmeck.server.store.schema import SQLITE, Schema
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
    SET status = json_extract(told.value, '$[1]'), summary = json_extract(told.value, '$[2]')
    FROM json_each(?) AS told
    WHERE games.id = json_extract(told.value, '$[0]')
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


class SqliteStore:
    """A `Store` in the file at ``path``."""

    def __init__(self, path: Path, schema: Schema = SQLITE) -> None:
        """Remember where; `open` does the rest."""
        self._path = path
        self._schema = schema
        self._writer = SqliteThread(path, "heckmeck-sqlite-writer")
        self._reader = SqliteThread(path, "heckmeck-sqlite-reader")
        self._batcher = Batcher(self._commit)
        self._closed = asyncio.Event()

    @property
    def commits(self) -> int:
        """How many batches of appends this store has committed."""
        return self._batcher.commits

    async def open(self) -> None:
        """See `Store.open`."""
        await asyncio.to_thread(sqlite_file.prepare, self._path, self._schema)
        await self._writer.open()
        await self._reader.open()

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

    async def changes(self) -> AsyncIterator[News]:
        """Yield nothing, until the store is closed: there is no other process."""
        await self._closed.wait()
        nobody: tuple[News, ...] = ()
        for news in nobody:
            yield news

    async def close(self) -> None:
        """See `Store.close`."""
        await self._batcher.close()
        await self._writer.close()
        await self._reader.close()
        self._closed.set()

    async def _commit(self, batch: Sequence[Append]) -> Sequence[StoreError | None]:
        return await self._writer.run(lambda connection: _append(connection, batch))


def _append(connection: sqlite3.Connection, batch: Sequence[Append]) -> Sequence[StoreError | None]:
    """Write the batch's appends that fit; return why each of the others does not."""
    claims = _claims(batch)
    with sqlite_file.transaction(connection):
        (answer,) = connection.execute(_REFUSED, (claims,)).fetchone()
        refused: dict[int, int | None] = dict(json.loads(answer))
        fitting = [append for place, append in enumerate(batch) if place not in refused]
        connection.execute(_INSERT, (_claims(fitting) if refused else claims,))
        told = [
            (append.game, append.summary.status, append.summary.text)
            for append in fitting
            if append.summary
        ]
        if told:
            connection.execute(_SUMMARISE, (json.dumps(told),))
    return [
        _refusal(append, refused[place]) if place in refused else None
        for place, append in enumerate(batch)
    ]


def _refusal(append: Append, following: int | None) -> StoreError:
    """Say why the append does not fit; ``following`` is the game's next number, if it exists."""
    return NoSuchGame(append.game) if following is None else Conflict(append.game, append.first)


def _claims(batch: Sequence[Append]) -> str:
    return json.dumps(
        [
            (
                append.game,
                append.first,
                _time(append.entries[0].at),
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
                    _time(row.created),
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


def _time(moment: datetime) -> str:
    """Return UTC with all digits, so that the texts sort like the times."""
    return moment.isoformat(timespec="microseconds")
