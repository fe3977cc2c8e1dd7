"""Bring a PostgreSQL database up to date."""

from typing import Final

import psycopg
from psycopg.errors import DuplicateTable, UndefinedColumn

from heckmeck.server.store.errors import StoreError
from heckmeck.server.store.postgres_link import Address, Connection
from heckmeck.server.store.schema import VERSION_KEY, Schema

# Any number will do, as long as all of us take the same: workers start at the same moment.
_LOCK: Final = 0x6865636B
#: How long to wait for others who hold what we need: another worker may be taking the same steps.
_PATIENCE: Final = "30s"
_VERSION: Final = """
    INSERT INTO meta (key, value) VALUES (%s, %s)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""


async def migrate(address: Address, schema: Schema) -> None:
    """Take the missing steps, all or none; raise `StoreError` if that cannot be done.

    Changes nothing in a database of a newer heckmeck or where others have tables of our names.
    """
    place = str(address)
    try:
        async with await address.connect() as connection, connection.transaction():
            await connection.execute("SELECT set_config('lock_timeout', %s, true)", (_PATIENCE,))
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            for number, step in schema.missing(await version(connection, place), place):
                for statement in step:
                    await connection.execute(statement)
                await connection.execute(_VERSION, (VERSION_KEY, str(number)))
    except (DuplicateTable, UndefinedColumn) as error:
        raise _not_ours(place) from error
    except psycopg.Error as error:
        raise address.trouble(error) from error


async def version(connection: Connection, place: str) -> int:
    """Return the schema version, 0 if our tables are not there; raise `StoreError` for others'."""
    found = await connection.execute("SELECT to_regclass('meta') IS NOT NULL")
    if await found.fetchone() == (False,):
        return 0
    try:
        found = await connection.execute("SELECT value FROM meta WHERE key = %s", (VERSION_KEY,))
    except UndefinedColumn as error:
        raise _not_ours(place) from error
    row = await found.fetchone()
    if row is None or not str(row[0]).isdecimal():
        raise _not_ours(place)
    return int(row[0])


def _not_ours(place: str) -> StoreError:
    return StoreError(
        f"{place} holds tables of another program that have the names of ours (meta, games, "
        "entries). Nothing was changed. Give heckmeck a database of its own."
    )
