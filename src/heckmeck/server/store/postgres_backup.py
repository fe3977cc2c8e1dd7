"""Dumping and restoring a PostgreSQL database in one transaction."""

import sqlite3
from datetime import datetime
from typing import Final

import psycopg

from heckmeck.server.store import sqlite_file
from heckmeck.server.store.backup import holds_games
from heckmeck.server.store.errors import StoreError
from heckmeck.server.store.postgres_link import SERVING_LOCK, Address
from heckmeck.server.store.postgres_schema import migrate, version
from heckmeck.server.store.schema import POSTGRES

_ROWS: Final = 2000
_GAMES: Final = "SELECT id, created, public, status, edition, secret, summary FROM games"
_ENTRIES: Final = "SELECT game, n, at, word FROM entries"
_ONE_MOMENT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_NOBODY_SERVES: Final = "SELECT pg_try_advisory_xact_lock(%s, hashtext(current_schema()))"


async def dump(url: str, target: sqlite3.Connection) -> None:
    """Write a snapshot of all games and entries to an empty SQLite database with our schema."""
    address = Address(url)
    try:
        async with await address.connect() as connection, connection.transaction():
            await connection.execute(_ONE_MOMENT)
            POSTGRES.require(await version(connection, str(address)), str(address))
            with sqlite_file.transaction(target):
                async with connection.cursor("games") as games:
                    await games.execute(_GAMES)
                    while rows := await games.fetchmany(_ROWS):
                        target.executemany(
                            "INSERT INTO games (id, created, public, status, edition, secret, "
                            "summary) VALUES (?, ?, ?, ?, ?, ?, ?)",
                            [(game, sqlite_file.time_text(at), *more) for game, at, *more in rows],
                        )
                async with connection.cursor("entries") as entries:
                    await entries.execute(_ENTRIES)
                    while rows := await entries.fetchmany(_ROWS):
                        target.executemany(
                            "INSERT INTO entries (game, n, at, word) VALUES (?, ?, ?, ?)",
                            [
                                (game, n, sqlite_file.time_text(at), word)
                                for game, n, at, word in rows
                            ],
                        )
    except psycopg.Error as error:
        raise address.trouble(error) from error


async def fill(url: str, source: sqlite3.Connection, games: int, *, force: bool) -> None:
    """Replace all games and entries with those of an SQLite database with our schema."""
    address = Address(url)
    await migrate(address, POSTGRES)
    try:
        async with await address.connect() as connection, connection.transaction():
            free = await (await connection.execute(_NOBODY_SERVES, (SERVING_LOCK,))).fetchone()
            if free != (True,):
                raise StoreError(
                    f"A server is running on {address}. Nothing was changed. Stop the server "
                    "first; it would not notice that its tables were replaced."
                )
            found = await connection.execute("SELECT EXISTS (SELECT FROM games)")
            if not force and await found.fetchone() == (True,):
                raise holds_games(str(address))
            await connection.execute("DELETE FROM games")
            await connection.execute("DELETE FROM entries")
            async with connection.cursor() as cursor:
                async with cursor.copy(
                    "COPY games (id, created, public, status, edition, secret, summary) FROM STDIN"
                ) as copy:
                    for game, created, public, *more in source.execute(_GAMES):
                        moment = datetime.fromisoformat(created)
                        await copy.write_row((game, moment, bool(public), *more))
                async with cursor.copy("COPY entries (game, n, at, word) FROM STDIN") as copy:
                    for row in source.execute(_ENTRIES):
                        await copy.write_row(row)
            written = await (await connection.execute("SELECT count(*) FROM games")).fetchone()
            if written != (games,):
                raise StoreError(
                    f"{address} stored only {written} of {games} tables. Nothing was changed."
                )
    except psycopg.Error as error:
        raise address.trouble(error) from error
