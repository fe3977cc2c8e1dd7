"""Bring a PostgreSQL database up to date."""

from typing import Final

from psycopg.errors import DuplicateTable, UndefinedColumn

from heckmeck.server.store.errors import StoreError
from heckmeck.server.store.postgres_link import Connection
from heckmeck.server.store.schema import VERSION_KEY, Schema

# Any number will do, as long as all of us take the same: workers start at the same moment.
_LOCK: Final = 0x6865636B
_VERSION: Final = """
    INSERT INTO meta (key, value) VALUES (%s, %s)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""


async def migrate(connection: Connection, schema: Schema, place: str) -> None:
    """Take the missing steps, all or none; raise `StoreError` if that cannot be done.

    Changes nothing in a database of a newer heckmeck or where others have tables of our names.
    """
    try:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            for version, step in schema.missing(await _version(connection), place):
                for statement in step:
                    await connection.execute(statement)
                await connection.execute(_VERSION, (VERSION_KEY, str(version)))
    except (DuplicateTable, UndefinedColumn, _NotOurs) as error:
        raise StoreError(
            f"{place} holds tables of another program that have the names of ours (meta, games, "
            "entries). Nothing was changed. Give heckmeck a database of its own."
        ) from error


async def _version(connection: Connection) -> int:
    """Return the schema version, 0 if our tables are not there."""
    found = await connection.execute("SELECT to_regclass('meta') IS NOT NULL")
    if await found.fetchone() == (False,):
        return 0
    found = await connection.execute("SELECT value FROM meta WHERE key = %s", (VERSION_KEY,))
    row = await found.fetchone()
    if row is None or not str(row[0]).isdecimal():
        raise _NotOurs
    return int(row[0])


class _NotOurs(Exception):
    """There is a table ``meta`` without our version in it."""
