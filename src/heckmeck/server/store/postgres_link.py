"""A connection to PostgreSQL that is made again when it breaks, and cut when it hangs."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TypeAlias, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from heckmeck.server.store.errors import StoreError, StoreUnavailable

T = TypeVar("T")
#: The first of two numbers of a lock that every server shares while it runs; the second one is for
#: the schema. Any number will do.
SERVING_LOCK: Final = 0x7461626C
Connection: TypeAlias = psycopg.AsyncConnection[TupleRow]

#: How long a read or a write waits in all: for its turn, for the database to come back, for its
#: answer. Then whoever asked is told, and asks again.
PATIENCE_SECONDS: Final = 4.0
#: How long one waits when the one before waited in vain: many may ask, one after the other.
SHORT_PATIENCE_SECONDS: Final = 1.0
#: How long PostgreSQL itself works on a statement of ours. Less than anybody waits: what nobody
#: waits for any more should not be done later, nor hold locks.
STATEMENT_SECONDS: Final = 3.0
FIRST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 1.0

# A peer that vanished without a word is noticed within seconds. An address may say otherwise.
_DEFAULTS: Final = {
    "application_name": "heckmeck",
    "connect_timeout": "3",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
# A server may be set up to acknowledge before writing to disk. Not to us. And times are in UTC.
_SETTINGS: Final = """
    SELECT set_config('TimeZone', 'UTC', false), set_config(
        'synchronous_commit',
        replace(current_setting('synchronous_commit'), 'off', 'on'),
        false
    ), set_config('statement_timeout', %s, false)
"""


class Address:
    """Where the database is; shown without its password."""

    def __init__(self, url: str) -> None:
        """Raise `StoreError` for an address that PostgreSQL cannot read."""
        try:
            given = conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            # Its message may quote the address, and with it the password.
            raise StoreError(
                "The address of the database cannot be read. It must look like "
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
        """Connect; each statement is a transaction of its own, on disk when it returns.

        A statement may take so long, 0: as long as it likes.
        """
        connection = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
        try:
            await connection.execute(_SETTINGS, (f"{statement_seconds * 1000:.0f}ms",))
        except BaseException:
            await connection.close()
            raise
        return connection

    def trouble(self, error: Exception) -> StoreUnavailable:
        """Return the sentence for what PostgreSQL, or the way to it, answered."""
        mute = isinstance(error, TimeoutError)
        what = "it does not answer" if mute else " ".join(str(error).split()).rstrip(".")
        return StoreUnavailable(f"{self} cannot be used: {what}.")


class Link:
    """One connection: made when it is first needed, cut when it hangs, and then made again.

    One piece of work at a time: how long it takes is not how long others took before it.
    """

    def __init__(self, address: Address) -> None:
        """Do not connect yet."""
        self._address = address
        self._connection: Connection | None = None
        self._turn = asyncio.Lock()
        self._is_away = False
        self._closed = False

    @property
    def backend(self) -> int | None:
        """The process id of our connection at the server, which signs our notifications."""
        return self._connection.info.backend_pid if self._connection else None

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do the work, and again on a new connection if it breaks meanwhile.

        So ``work`` may find that it has been done already. Raise `StoreUnavailable` when the
        patience is over, and at once for an error that waiting does not mend.
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
            # Not by cancelling: psycopg would wait for a server that does not answer.
            with _cut_at(deadline, connection):
                return await work(connection)
        finally:
            self._turn.release()

    async def close(self) -> None:
        """Disconnect for good. Closing twice is fine."""
        self._closed = True
        async with self._turn:
            if self._connection is not None:
                await self._connection.close()

    async def _live(self) -> Connection:
        if self._closed:
            raise StoreUnavailable(f"{self._address} is not open any more.")
        if self._connection is None or self._connection.closed:
            self._connection = await self._address.connect(STATEMENT_SECONDS)
        return self._connection


@contextmanager
def _cut_at(deadline: float, connection: Connection) -> Iterator[None]:
    """Cut the connection when the time comes; what waits for an answer then hears that it broke."""
    cut = False

    def hang_up() -> None:
        nonlocal cut
        cut = True
        # A copy of the handle: the socket itself is libpq's to close.
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
    """Yield, without end, how many seconds to wait before each new try: longer and longer."""
    pause = FIRST_PAUSE_SECONDS
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
