"""The store in PostgreSQL, for one process or several.

Every write is one statement, and so one transaction and one round trip: it writes the appends of a
batch that fit and returns which they were. NOTIFY informs other processes when it commits.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, LiteralString, TypeAlias

from psycopg.rows import TupleRow

from heckmeck.server.store.batcher import Batcher
from heckmeck.server.store.errors import Conflict, GameExists, NoSuchGame, StoreError
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
from heckmeck.server.store.postgres_link import Address, Connection, Link
from heckmeck.server.store.postgres_listener import listen
from heckmeck.server.store.postgres_schema import migrate, version
from heckmeck.server.store.requests import Append, checked, is_text, stored
from heckmeck.server.store.schema import POSTGRES, PROBE_KEY, Schema

# Claims are made in the order of the games' ids, so that two writers of the same games cannot
# deadlock. The writer that has claimed the next number of a game owns the game, and so the numbers
# that follow, until the end of the transaction.
_APPEND: Final = """
    WITH claim AS (
        SELECT * FROM unnest(
            %(games)s::text[], %(firsts)s::int[], %(lasts)s::int[],
            %(times)s::timestamptz[], %(words)s::text[]
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
            %(more_times)s::timestamptz[], %(more_words)s::text[]
        ) AS more (game, n, at, word)
        JOIN won USING (game)
    ), summarised AS (
        UPDATE games SET status = given.status, summary = given.summary
        FROM unnest(
            %(given_games)s::text[], %(given_statuses)s::text[], %(given_summaries)s::text[]
        ) AS given (game, status, summary)
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
        FROM made, unnest(%(words)s::text[]) WITH ORDINALITY AS words (word, place)
    )
    SELECT id, pg_notify('heckmeck', id || ':' || %(last)s::int) FROM made
"""
_HEADS: Final = """
    SELECT claim.game, at, word
    FROM unnest(%s::text[], %s::int[]) AS claim (game, first)
    JOIN games ON games.id = claim.game
    LEFT JOIN entries ON entries.game = claim.game AND entries.n = claim.first
"""
_GAME: Final = """
    SELECT id, created, public, edition, status, summary, secret FROM games WHERE id = %s
"""
_ENTRIES: Final = "SELECT n, at, word FROM entries WHERE game = %s AND n > %s ORDER BY n"
_LIST: Final = """
    SELECT id, created, public, edition, status, summary FROM games
    WHERE public AND status IN ('waiting', 'playing')
    ORDER BY created DESC LIMIT %s
"""
_COUNT: Final = "SELECT status, count(*) FROM games GROUP BY status"
_LAST: Final = """
    SELECT id, created, public, edition, status, summary, n, at
    FROM games CROSS JOIN LATERAL (
        SELECT n, at FROM entries WHERE game = id ORDER BY n DESC LIMIT 1
    ) AS last
"""
_OVERVIEW: Final = f"{_LAST} WHERE id > %s ORDER BY id LIMIT %s"
# Without an order, so that the scan can stop at the limit.
_STALE: Final = f"{_LAST} WHERE status = ANY(%s) AND created < %s AND at < %s LIMIT %s"
_DELETE: Final = """
    WITH gone AS (
        DELETE FROM games WHERE id = %s AND status = 'closed' RETURNING id
    ), emptied AS (
        DELETE FROM entries USING gone WHERE game = id
    )
    SELECT id FROM gone
"""
_REWRITE: Final = """
    WITH rewritten AS (
        UPDATE entries SET word = given.word
        FROM unnest(%(ns)s::int[], %(words)s::text[]) AS given (n, word)
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

_Value: TypeAlias = str | int | bytes | datetime | None
_Values: TypeAlias = dict[str, _Value | list[str] | list[int] | list[datetime]]


class PostgresStore:
    """A `Store` in the PostgreSQL database at ``url``.

    With ``beside``, opening it does not migrate the database.
    """

    def __init__(self, url: str, schema: Schema = POSTGRES, *, beside: bool = False) -> None:
        """Connect to nothing yet; see `open`. Raise `StoreError` if the address is not valid."""
        self._address = Address(url)
        self._schema = schema
        self._beside = beside
        self._writer = Link(self._address)
        self._reader = Link(self._address)
        self._batcher = Batcher(self._commit)
        self._listeners: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def commits(self) -> int:
        """The number of batches of appends that this store has committed."""
        return self._batcher.commits

    async def open(self) -> None:
        """See `Store.open`."""
        place = str(self._address)
        found = await self._writer.run(lambda connection: version(connection, place))
        if self._beside:
            self._schema.require(found, place)
        elif self._schema.missing(found, place):
            await migrate(self._address, self._schema)

    async def create(self, game: NewGame) -> StoredGame:
        """See `Store.create`."""
        made = stored(game)
        values = _create_values(made)
        tries = 0

        async def write(connection: Connection) -> bool:
            nonlocal tries
            tries += 1
            return bool(await (await connection.execute(_CREATE, values)).fetchall())

        # If the connection broke, the existing game may be from our own first attempt.
        if await self._writer.run(write) or (tries > 1 and await self.load(game.id) == made):
            return made
        raise GameExists(game.id)

    async def load(self, game: str) -> StoredGame | None:
        """See `Store.load`."""
        if not is_text(game):
            return None
        rows = await self._read(_GAME, (game,))
        if not rows:
            return None
        *columns, secret = rows[0]
        return StoredGame(_game_row(*columns), secret, tuple(await self.entries(game, -1)))

    async def entries(self, game: str, after: int) -> list[Entry]:
        """See `Store.entries`."""
        if not is_text(game):
            return []
        return [Entry(*row) for row in await self._read(_ENTRIES, (game, after))]

    async def append(
        self, game: str, n: int, words: Sequence[str], summary: Summary | None = None
    ) -> tuple[Entry, ...]:
        """See `Store.append`."""
        append = checked(game, n, words, summary)
        await self._batcher.add(append)
        return append.entries

    async def list_public(self, limit: int) -> list[GameRow]:
        """See `Store.list_public`."""
        return [_game_row(*row) for row in await self._read(_LIST, (limit,))]

    async def count(self) -> StoreCounts:
        """See `Store.count`."""
        rows = await self._read(_COUNT)
        return StoreCounts({Status(status): number for status, number in rows})

    async def overview(self, after: str, limit: int) -> list[Overview]:
        """See `Store.overview`."""
        return _overviews(await self._read(_OVERVIEW, (after, limit)))

    async def stale(
        self, statuses: Collection[Status], before: datetime, limit: int
    ) -> list[Overview]:
        """See `Store.stale`."""
        values = ([status.value for status in statuses], before, before, limit)
        return _overviews(await self._read(_STALE, values))

    async def delete(self, game: str) -> bool:
        """See `Store.delete`."""
        return is_text(game) and bool(await self._write(_DELETE, (game,)))

    async def rewrite(
        self, game: str, words: Mapping[int, str], summary: Summary | None = None
    ) -> None:
        """See `Store.rewrite`."""
        values: _Values = {
            "game": game,
            "ns": [*words],
            "words": [*words.values()],
            "status": summary.status.value if summary else None,
            "summary": summary.text if summary else None,
        }
        await self._write(_REWRITE, values)

    async def probe(self, *, writing: bool) -> None:
        """See `Store.probe`."""
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        await self._write(_PROBE, (PROBE_KEY, now, writing))

    async def changes(self) -> AsyncIterator[News]:
        """See `Store.changes`."""
        if self._closed:
            return
        news: asyncio.Queue[News | None] = asyncio.Queue()
        listener = asyncio.create_task(
            listen(self._address, news.put_nowait, lambda: self._writer.backend)
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

    async def _write(self, query: LiteralString, values: Sequence[_Value] | _Values) -> int:
        """Run a statement that may be run twice; return the number of rows written or found."""

        async def execute(connection: Connection) -> int:
            return (await connection.execute(query, values)).rowcount

        return await self._writer.run(execute)

    async def _read(
        self, query: LiteralString, values: Sequence[_Value | list[str] | list[int]] = ()
    ) -> list[TupleRow]:
        async def fetch(connection: Connection) -> list[TupleRow]:
            return await (await connection.execute(query, values)).fetchall()

        return await self._reader.run(fetch)

    async def _commit(self, batch: Sequence[Append]) -> Sequence[StoreError | None]:
        values = _batch_values(batch)
        tries = 0

        async def write(connection: Connection) -> set[str]:
            nonlocal tries
            tries += 1
            written = await connection.execute(_APPEND, values)
            return {game for game, _ in await written.fetchall()}

        won = await self._writer.run(write)
        lost = [append for append in batch if append.game not in won]
        refusals = await self._refusals(lost, in_doubt=tries > 1) if lost else {}
        return [refusals.get(append.game) for append in batch]

    async def _refusals(self, lost: Sequence[Append], *, in_doubt: bool) -> dict[str, StoreError]:
        """Return for each of these appends why it was not written.

        If the connection broke, a first attempt may have been written after all: an entry with our
        word and our time, to the microsecond, is ours.
        """
        rows = await self._read(
            _HEADS, ([append.game for append in lost], [append.first for append in lost])
        )
        heads = {game: (at, word) for game, at, word in rows}
        refusals: dict[str, StoreError] = {}
        for append in lost:
            head = append.entries[0]
            if append.game not in heads:
                refusals[append.game] = NoSuchGame(append.game)
            elif not in_doubt or heads[append.game] != (head.at, head.word):
                refusals[append.game] = Conflict(append.game, append.first)
        return refusals


def _batch_values(batch: Sequence[Append]) -> _Values:
    more = [(append.game, entry) for append in batch for entry in append.entries[1:]]
    given = [(append.game, append.summary) for append in batch if append.summary]
    return {
        "games": [append.game for append in batch],
        "firsts": [append.first for append in batch],
        "lasts": [append.last for append in batch],
        "times": [append.entries[0].at for append in batch],
        "words": [append.entries[0].word for append in batch],
        "more_games": [game for game, _ in more],
        "more_ns": [entry.n for _, entry in more],
        "more_times": [entry.at for _, entry in more],
        "more_words": [entry.word for _, entry in more],
        "given_games": [game for game, _ in given],
        "given_statuses": [summary.status.value for _, summary in given],
        "given_summaries": [summary.text for _, summary in given],
    }


def _create_values(game: StoredGame) -> _Values:
    row = game.row
    return {
        "id": row.id,
        "created": row.created,
        "public": row.public,
        "edition": row.edition,
        "status": row.summary.status.value,
        "summary": row.summary.text,
        "secret": game.secret,
        "words": [entry.word for entry in game.entries],
        "last": game.entries[-1].n,
    }


def _overviews(rows: list[TupleRow]) -> list[Overview]:
    return [Overview(_game_row(*row), n, at) for *row, n, at in rows]


def _game_row(
    game: str, created: datetime, public: bool, edition: str, status: str, summary: str
) -> GameRow:
    return GameRow(game, created, public, edition, Summary(Status(status), summary))


async def _end(*tasks: "asyncio.Task[None]") -> None:
    """Cancel the tasks and wait for them to end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
