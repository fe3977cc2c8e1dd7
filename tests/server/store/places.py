"""Databases to test a store on, and games to put into it."""

from __future__ import annotations

import asyncio
import functools
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec

import psycopg

from heckmeck.server.store import Store, StoredTable, Summary, is_postgres, open_store
from heckmeck.server.store.postgres import PostgresStore
from heckmeck.server.store.schema import POSTGRES, SQLITE, Schema
from heckmeck.server.store.sqlite import SqliteStore
from heckmeck.wire.setup import Status

P = ParamSpec("P")

SECRET = bytes(range(32))
WAITING = Summary(Status.WAITING, "{}")


@dataclass(frozen=True, slots=True)
class Place:
    """A database that is empty when the test begins."""

    location: str

    @property
    def kind(self) -> str:
        """The name of the database, as files are named after it."""
        return "postgres" if is_postgres(self.location) else "sqlite"

    def execute(self, script: str) -> None:
        """Run statements past the store."""
        if self.kind == "postgres":
            with psycopg.connect(self.location, autocommit=True) as postgres:
                postgres.execute(script.encode())
        else:
            with closing(sqlite3.connect(self.location)) as sqlite:
                sqlite.executescript(script)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return what a query finds past the store."""
        if self.kind == "postgres":
            with psycopg.connect(self.location, autocommit=True) as postgres:
                return postgres.execute(query.encode()).fetchall()
        with closing(sqlite3.connect(self.location)) as sqlite:
            return sqlite.execute(query).fetchall()

    def store(self, schema: Schema | None = None) -> SqliteStore | PostgresStore:
        """Return a store on it that is not open yet, with today's schema or another."""
        if self.kind == "postgres":
            return PostgresStore(self.location, schema or POSTGRES)
        return SqliteStore(Path(self.location), schema or SQLITE)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Store]:
        """Open a store on it; several at once are like several processes."""
        store = open_store(self.location)
        try:
            await store.open()
            yield store
        finally:
            await store.close()


def in_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run an asynchronous test in an event loop of its own."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def whole() -> None:
            await asyncio.wait_for(test(*args, **kwargs), 60)

        asyncio.run(whole())

    return run


def new_game(
    name: str,
    texts: Sequence[str] = ("created",),
    *,
    public: bool = True,
    summary: Summary = WAITING,
) -> StoredTable:
    """Return a game with everything filled in."""
    return StoredTable.new(name, public, "classic", SECRET, summary, tuple(texts))


async def texts_of(store: Store, game: str) -> list[str]:
    """Return the texts of a game's entries, having checked that their numbers have no gaps."""
    entries = await store.entries(game, -1)
    assert [entry.n for entry in entries] == list(range(len(entries)))
    return [entry.text for entry in entries]


def commits(store: Store) -> int:
    """Return how many batches the store has committed."""
    assert isinstance(store, SqliteStore | PostgresStore)
    return store.commits
