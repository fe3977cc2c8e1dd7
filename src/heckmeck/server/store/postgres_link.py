"""Connections to PostgreSQL, which reconnect when they break and are cut when they hang."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TypeAlias, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import DuplicateTable, UndefinedColumn
from psycopg.rows import TupleRow

from heckmeck.server.store import Change, Missed, News, StoreError, StoreUnavailable
from heckmeck.server.store.schema import VERSION_KEY, Schema

T = TypeVar("T")
#: The first of the two keys of the advisory lock that every server shares while it runs; the second
#: is for the schema. Any number will do.
SERVING_LOCK: Final = 0x7461626C
Connection: TypeAlias = psycopg.AsyncConnection[TupleRow]

#: The total time of a read or a write: for its turn, for the database to come back, and for the
#: answer. After that the caller gets an error and may try again.
PATIENCE_SECONDS: Final = 4.0
#: The same while the database is known to be away: many callers may be queued.
SHORT_PATIENCE_SECONDS: Final = 1.0
#: PostgreSQL's own timeout for a statement. It is shorter than ours, so that an abandoned statement
#: is not executed later and does not hold locks.
STATEMENT_SECONDS: Final = 3.0
#: How often a connection that only listens is asked whether the server is still there.
LISTEN_SECONDS: Final = 5.0
FIRST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 1.0

# Detect within seconds that the peer has vanished. The address may override these.
_DEFAULTS: Final = {
    "application_name": "heckmeck",
    "connect_timeout": "3",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
# Override a server setting that acknowledges commits before they are on disk; use UTC.
_SETTINGS: Final = """
    SELECT set_config('TimeZone', 'UTC', false), set_config(
        'synchronous_commit',
        replace(current_setting('synchronous_commit'), 'off', 'on'),
        false
    ), set_config('statement_timeout', %s, false)
"""


class DatabaseAddress:
    """The address of the database, shown without its password."""

    def __init__(self, url: str) -> None:
        """Parse the address; raise `StoreError` if it is not valid."""
        try:
            given = conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            # The original message may quote the address, including the password.
            raise StoreError(
                "The address of the database is not valid. It must look like "
                "postgresql://user:password@host:5432/database, with special characters in the "
                "password written as %XX."
            ) from None
        self._conninfo = make_conninfo("", **{**_DEFAULTS, **given})
        self._shown = "/".join(
            str(given[key]) for key in ("host", "port", "dbname") if given.get(key)
        )

    def __str__(self) -> str:
        return f"PostgreSQL at {self._shown}" if self._shown else "PostgreSQL"

    async def connect(self, statement_seconds: float = 0) -> Connection:
        """Connect; each statement is its own transaction and is on disk when it returns.

        ``statement_seconds`` is the timeout for each statement, or 0 for none.
        """
        connection = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
        try:
            await connection.execute(_SETTINGS, (f"{statement_seconds * 1000:.0f}ms",))
        except BaseException:
            await connection.close()
            raise
        return connection

    def trouble(self, error: Exception) -> StoreUnavailable:
        """Return the error for a failure of PostgreSQL or of the network."""
        mute = isinstance(error, TimeoutError)
        what = "it does not answer" if mute else " ".join(str(error).split()).rstrip(".")
        return StoreUnavailable(f"{self} cannot be used: {what}.")


class Link:
    """One connection: opened on first use, cut when it hangs, then opened again.

    Calls run one at a time.
    """

    def __init__(self, address: DatabaseAddress) -> None:
        """Connect on first use."""
        self._address = address
        self._connection: Connection | None = None
        self._turn = asyncio.Lock()
        self._is_away = False
        self._closed = False

    @property
    def backend(self) -> int | None:
        """The server's process id for our connection, which identifies our notifications."""
        return self._connection.info.backend_pid if self._connection else None

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run ``work``; run it again on a new connection if the connection breaks.

        So ``work`` may find that it has already been done. Raise `StoreUnavailable` after the time
        limit, or at once for an error that retrying cannot fix.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (SHORT_PATIENCE_SECONDS if self._is_away else PATIENCE_SECONDS)
        for pause in pauses():
            try:
                done = await self._once(work, deadline)
            except (psycopg.OperationalError, TimeoutError) as error:
                if loop.time() + pause > deadline:
                    self._is_away = True
                    raise self._address.trouble(error) from error
            except psycopg.Error as error:
                raise self._address.trouble(error) from error
            else:
                self._is_away = False
                return done
            await asyncio.sleep(pause)
        raise AssertionError("pauses never end")

    async def _once(self, work: Callable[[Connection], Awaitable[T]], deadline: float) -> T:
        async with asyncio.timeout_at(deadline):
            await self._turn.acquire()
        try:
            async with asyncio.timeout_at(deadline):
                connection = await self._live()
            # Not by cancellation: psycopg would wait for a server that does not answer.
            with _cut_at(deadline, connection):
                return await work(connection)
        finally:
            self._turn.release()

    async def close(self) -> None:
        """Disconnect for good. May be called twice."""
        self._closed = True
        async with self._turn:
            if self._connection is not None:
                await self._connection.close()

    async def _live(self) -> Connection:
        if self._closed:
            raise StoreUnavailable(f"The connection to {self._address} is closed.")
        if self._connection is None or self._connection.closed:
            self._connection = await self._address.connect(STATEMENT_SECONDS)
        return self._connection


@contextmanager
def _cut_at(deadline: float, connection: Connection) -> Iterator[None]:
    """Cut the connection at the deadline, which raises an error in pending calls."""
    cut = False

    def hang_up() -> None:
        nonlocal cut
        cut = True
        # A duplicate handle, because libpq closes the socket itself.
        with suppress(OSError), socket.fromfd(connection.fileno(), -1, -1) as line:
            line.shutdown(socket.SHUT_RDWR)

    timer = asyncio.get_running_loop().call_at(deadline, hang_up)
    try:
        yield
    except psycopg.OperationalError as error:
        if cut:
            raise TimeoutError from error
        raise
    finally:
        timer.cancel()


def pauses() -> Iterator[float]:
    """Yield growing delays in seconds between attempts, without end."""
    pause = FIRST_PAUSE_SECONDS
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


# --- notifications of writes by other processes ---------------------------------------------------


_LOG: Final = logging.getLogger(__name__)
_SERVING: Final = "SELECT pg_advisory_lock_shared(%s, hashtext(current_schema()))"


async def listen(
    address: DatabaseAddress, tell: Callable[[News], None], our_backend: Callable[[], int | None]
) -> None:
    """Report every change by another process, until cancelled.

    Reports `Missed` whenever it starts listening, because earlier notifications are lost. While it
    listens it holds a shared lock, so that the tables of a running server cannot be replaced.
    ``our_backend`` returns the server's process id for the connection that makes our own changes.
    A server that hangs is silent, like one without news: now and then it has to answer.
    """
    loop = asyncio.get_running_loop()
    waits = pauses()
    is_told = False
    while True:
        try:
            async with await address.connect() as connection:
                await connection.execute(_SERVING, (SERVING_LOCK,))
                await connection.execute("LISTEN heckmeck")
                waits = pauses()
                is_told = False
                tell(Missed())
                while True:
                    async for notice in connection.notifies(timeout=LISTEN_SECONDS):
                        change = _change(notice.payload)
                        if change and notice.pid != our_backend():
                            tell(change)
                    with _cut_at(loop.time() + PATIENCE_SECONDS, connection):
                        await connection.execute("SELECT 'listening'")
        except (psycopg.Error, TimeoutError) as error:
            if not is_told:  # log once per outage
                _LOG.warning("%s; listening again soon", address.trouble(error))
            is_told = True
        await asyncio.sleep(next(waits))


def _change(payload: str) -> Change | None:
    """Parse ``<table>:<n>``; return None for anything else, which is not from heckmeck."""
    table, _, n = payload.rpartition(":")
    return Change(table, int(n)) if table and n.isdecimal() else None


# --- migrations -----------------------------------------------------------------------------------


# Any number will do, as long as all workers use the same: they start simultaneously.
_LOCK: Final = 0x6865636B
#: How long to wait for locks: another worker may be running the same migration.
_PATIENCE: Final = "30s"
_VERSION: Final = """
    INSERT INTO meta (key, value) VALUES (%s, %s)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""


async def migrate(address: DatabaseAddress, schema: Schema) -> None:
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
