"""Migrations of a PostgreSQL database."""

from typing import Final

import psycopg
from psycopg.errors import DuplicateTable, UndefinedColumn

from heckmeck.server.store.errors import StoreError
from heckmeck.server.store.postgres_link import Address, Connection
from heckmeck.server.store.schema import VERSION_KEY, Schema

# Any number will do, as long as all workers use the same: they start simultaneously.
_LOCK: Final = 0x6865636B
#: How long to wait for locks: another worker may be running the same migration.
_PATIENCE: Final = "30s"
_VERSION: Final = """
    INSERT INTO meta (key, value) VALUES (%s, %s)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""


async def migrate(address: Address, schema: Schema) -> None:
    """Run the missing migrations in one transaction; raise `StoreError` if that is not possible.

    Changes nothing in a database of a newer heckmeck, or if another program has tables of these
    names.
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
    """Return the schema version, 0 without tables; raise `StoreError` for foreign tables."""
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
        f"{place} contains tables of another program with the names that heckmeck needs (meta, "
        "games, entries). Nothing was changed. Give heckmeck its own database."
    )
