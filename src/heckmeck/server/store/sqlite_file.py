"""The SQLite file of a store: claiming, migrating and opening it, and a thread to use it in.

A server's changes reach only the people connected to it, so a file is served by one process at a
time. That process holds a lock on a file next to the database, which contains its address. The
system releases the lock when the process ends, however it ends.
"""

import asyncio
import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock, Timer
from typing import Final, Self, TypeVar

from heckmeck.server.store import StoreError, StoreUnavailable
from heckmeck.server.store.schema import VERSION_KEY, Schema

#: How long to wait while another process is writing to the file.
PATIENCE_SECONDS: Final = 2.5
#: How long to check a file for damage on opening: enough for a few hundred megabytes.
CHECK_SECONDS: Final = 2.0

_OURS: Final = "SELECT value FROM meta WHERE key = ?"


def prepare(path: Path, schema: Schema) -> None:
    """Create or migrate the file; raise `StoreError` if it cannot be used.

    A file of a newer heckmeck or of another program, or one found to be damaged, is left unchanged.
    """
    check_place(path)
    with explained(path):
        if path.exists() and path.stat().st_size:
            with closing(read_only(path)) as found:
                schema.missing(version(found, path), str(path))
                check(found, path, CHECK_SECONDS)
        else:
            # The file will contain secrets. SQLite gives its companion files the same permissions.
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        with closing(connect(path)) as connection, transaction(connection):
            for number, step in schema.missing(version(connection, path), str(path)):
                for statement in step:
                    connection.execute(statement)
                connection.execute(
                    "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
                    (VERSION_KEY, str(number)),
                )


def find(path: Path, schema: Schema, *, older_too: bool = False) -> None:
    """Raise `StoreError` unless the file exists and has the current schema version.

    With ``older_too``, older versions are accepted too. Changes nothing, so a server may be
    running.
    """
    if not path.is_file():
        raise StoreError(f"There is no database {path}. Choose one with --db, as for serve.")
    with explained(path), closing(read_only(path)) as found:
        check = schema.missing if older_too else schema.require
        check(version(found, path), str(path))


def read_only(path: Path) -> sqlite3.Connection:
    """Open the file for reading; others may be writing to it."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=PATIENCE_SECONDS, isolation_level=None)


def check(connection: sqlite3.Connection, path: Path, seconds: float) -> None:
    """Check for damage for up to ``seconds``; raise `StoreUnavailable` if any is found."""
    found = _checked_soon(connection, seconds)
    if found != "ok":
        what = " ".join(found.removeprefix("*** in database main ***").split())
        raise StoreUnavailable(_damaged(path, what))


def _checked_soon(connection: sqlite3.Connection, seconds: float) -> str:
    # SQLite calls no progress handler while it checks a page, but it can be interrupted.
    timer = Timer(seconds, connection.interrupt)
    timer.start()
    try:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        return "ok"
    finally:
        timer.cancel()
        timer.join()
    return str(found)


def connect(path: Path) -> sqlite3.Connection:
    """Open the file for reading and writing; commits are durable."""
    connection = sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None)
    try:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise StoreError(
                f"The file system of {path} does not support write-ahead logging (SQLite reports "
                f"{mode!r}). Put the database on a local disk."
            )
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # on macOS a plain fsync is not enough
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold the file's write lock for the block; commit at its end, or roll back if it raises."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the system into `StoreUnavailable`."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(_sentence(path, error)) from error


def check_place(path: Path) -> None:
    """Raise `StoreError` if the database cannot be at this path."""
    if not path.parent.is_dir():
        raise StoreError(
            f"The database {path} cannot be created: the folder {path.parent} does not exist. "
            "Create the folder, or choose another path."
        )
    if path.exists() and not path.is_file():
        raise StoreError(f"The database {path} cannot be opened: it is not a file. Choose a file.")


def version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema version, 0 for an empty database; raise `StoreError` for foreign ones."""
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return 0
    try:
        row = connection.execute(_OURS, (VERSION_KEY,)).fetchone()
    except sqlite3.OperationalError as error:
        if "no such" not in str(error):
            raise
        row = None
    if row is None or not str(row[0]).isdecimal():
        raise StoreError(
            f"{path} is a database, but not one of heckmeck's. Nothing was changed. "
            "Choose another file."
        )
    return int(row[0])


def time_text(moment: datetime) -> str:
    """Return UTC with all digits, so that the texts sort chronologically."""
    return moment.isoformat(timespec="microseconds")


def _sentence(path: Path, error: Exception) -> str:
    what = str(error)
    if "not a database" in what:
        return f"{path} is not an SQLite database. Nothing was changed. Choose another file."
    if "malformed" in what or "corrupt" in what:
        return _damaged(path, what)
    if "full" in what:
        return f"The database {path} cannot be written: the disk is full. Free some space."
    if "locked" in what:
        return (
            f"The database {path} has been locked by another process for more than "
            f"{PATIENCE_SECONDS:g} seconds. Stop that process, or use PostgreSQL."
        )
    return f"The database {path} cannot be used: {what}."


def _damaged(path: Path, what: str) -> str:
    return (
        f"The database {path} is damaged ({what}). Restore a backup with 'heckmeck admin restore "
        "BACKUP --force', or recover what is left with: sqlite3 FILE .recover"
    )


# --- a thread with its own connection -------------------------------------------------------------


T = TypeVar("T")

#: Timeout for a call, including the time for earlier calls and for a disk that hangs.
LIMIT_SECONDS: Final = 5.0


class SqliteThread:
    """Runs calls on its connection, one after the other, outside the event loop."""

    def __init__(self, path: Path, name: str) -> None:
        """Use the file at ``path``; ``name`` is the thread's, for debugging."""
        self._path = path
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Connect."""
        self._connection = await self._elsewhere(lambda: connect(self._path))

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work``; raise `StoreUnavailable` for errors of SQLite and after the timeout.

        If the caller is cancelled, work that has begun is finished; otherwise it is not begun.
        """
        connection = self._connection
        if connection is None:
            raise StoreUnavailable(f"The database {self._path} is not open.")
        return await self._elsewhere(lambda: work(connection))

    async def close(self) -> None:
        """Disconnect after all queued work. May be called twice."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await self._elsewhere(connection.close)
        self._executor.shutdown(wait=False)

    async def _elsewhere(self, work: Callable[[], T]) -> T:
        # Not with asyncio's executor, whose overhead is a fifth of the time of a commit.
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def run() -> None:
            if answer.done():
                return  # the caller has gone
            try:
                with explained(self._path):
                    result = work()
            except Exception as error:  # noqa: BLE001 (passed on to the caller)
                loop.call_soon_threadsafe(_fail, answer, error)
            else:
                loop.call_soon_threadsafe(_succeed, answer, result)

        self._executor.submit(run)
        timer = loop.call_later(LIMIT_SECONDS, self._give_up, answer)
        try:
            return await answer
        finally:
            timer.cancel()

    def _give_up(self, answer: "asyncio.Future[T]") -> None:
        sentence = (
            f"The database {self._path} has not answered for {LIMIT_SECONDS:g} seconds. Check its "
            "disk, and whether the machine is overloaded."
        )
        _fail(answer, StoreUnavailable(sentence))


def _succeed(answer: "asyncio.Future[T]", result: T) -> None:
    if not answer.done():
        answer.set_result(result)


def _fail(answer: "asyncio.Future[T]", error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)


# --- one server per file, and how a second one finds the first ------------------------------------


#: How long a server may take to write its address after taking the lock.
ADDRESS_SECONDS: Final = 5.0
_ADDRESS_STEP: Final = 0.05
#: Offset of the lock: far beyond the text, because locked bytes cannot be read on Windows.
_FAR: Final = 1 << 30


class AlreadyServed(StoreError):
    """Another process serves the tables, at ``url`` (empty if unknown)."""

    def __init__(self, database: Path, url: str) -> None:
        """Store the address."""
        self.url = url
        super().__init__(
            f"The tables in {database} are already being served{f' at {url}' if url else ''}. Use "
            "that server, stop it first, or choose other tables with --db."
        )


class Claim:
    """The right to serve a database, until every holder in this process has closed it."""

    def __init__(self, place: Path, descriptor: int) -> None:
        """Hold the locked file."""
        self._place = place
        self._descriptor = descriptor
        self._holders = 1

    def announce(self, url: str) -> None:
        """Record the address at which the tables are served."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, json.dumps({"url": url}).encode())

    def share(self) -> Self:
        """Add a holder."""
        self._holders += 1
        return self

    def close(self) -> None:
        """Remove a holder; the last one releases the lock."""
        with _lock:
            self._holders -= 1
            if not self._holders:
                del _held[self._place]
                os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


#: The claims of this process, and the lock that guards them.
_held: Final[dict[Path, Claim]] = {}
_lock: Final = Lock()


def claimed(database: Path) -> Claim:
    """Return the claim on an SQLite file; raise `AlreadyServed` if another process holds it.

    Raise `OSError` if the lock file cannot be written.
    """
    with _lock:
        return _claimed(database)


def shared(database: Path) -> Claim:
    """Return the claim as `claimed` does, or share the one that this process already holds."""
    with _lock:
        claim = _held.get(database.resolve())
        return _claimed(database) if claim is None else claim.share()


def _claimed(database: Path) -> Claim:
    place = database.resolve()
    note = place.with_name(f"{place.name}.server")
    descriptor = os.open(note, os.O_RDWR | os.O_CREAT, 0o600)
    if not try_lock(descriptor):
        os.close(descriptor)
        raise AlreadyServed(database, _address_in(note))
    claim = _held[place] = Claim(place, descriptor)
    claim.announce("")
    return claim


def _address_in(note: Path) -> str:
    """Return the address written by the holder of the claim, after waiting briefly for it."""
    until = time.monotonic() + ADDRESS_SECONDS
    while True:
        try:
            url: str = json.loads(note.read_text(encoding="utf-8"))["url"]
        except (ValueError, KeyError, TypeError):  # it is being written
            url = ""
        if url or time.monotonic() > until:
            return url
        time.sleep(_ADDRESS_STEP)


def try_lock(descriptor: int) -> bool:
    """Lock a file until it is closed; return whether the lock was free."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
