"""An SQLite file as the store needs it: found to be ours, brought up to date, opened durably."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Timer
from typing import Final

from heckmeck.server.store.errors import StoreError, StoreUnavailable
from heckmeck.server.store.schema import VERSION_KEY, Schema

#: How long to wait for another process that is writing to the same file.
PATIENCE_SECONDS: Final = 2.5
#: How long to look for damage when a file is opened: some hundred megabytes on a usual disk.
CHECK_SECONDS: Final = 2.0

_OURS: Final = "SELECT value FROM meta WHERE key = ?"


def prepare(path: Path, schema: Schema) -> None:
    """Make the file, or bring it up to date; raise `StoreError` if it cannot be the store's.

    A file of a newer heckmeck, of another program or with damage that is found soon is left as it
    is.
    """
    check_place(path)
    with explained(path):
        if path.exists() and path.stat().st_size:
            with closing(read_only(path)) as found:
                schema.missing(version(found, path), str(path))
                check(found, path, CHECK_SECONDS)
        else:
            # It will hold secrets. SQLite gives the files beside it the same rights.
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
    """Raise `StoreError` unless the file is there, and one that this heckmeck would leave as it is.

    Or, with ``older_too``, one that it can bring up to date. Changes nothing, so a server may be
    running.
    """
    if not path.is_file():
        raise StoreError(f"There is no database {path}. Name it with --db, as for heckmeck serve.")
    with explained(path), closing(read_only(path)) as found:
        check = schema.missing if older_too else schema.require
        check(version(found, path), str(path))


def read_only(path: Path) -> sqlite3.Connection:
    """Open the file for reading, beside whoever writes to it."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=PATIENCE_SECONDS, isolation_level=None)


def check(connection: sqlite3.Connection, path: Path, seconds: float) -> None:
    """Look for damage so long; raise `StoreUnavailable` for what is found till then."""
    found = _checked_soon(connection, seconds)
    if found != "ok":
        what = " ".join(found.removeprefix("*** in database main ***").split())
        raise StoreUnavailable(_damaged(path, what))


def _checked_soon(connection: sqlite3.Connection, seconds: float) -> str:
    # SQLite asks nobody whether to go on while it looks at a page, but it can be interrupted.
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
    """Open the file for reading and writing; what is committed is on disk."""
    connection = sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None)
    try:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise StoreError(
                f"The file system of {path} cannot do write-ahead logging (SQLite answers "
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
    """Hold the file's write lock for the block; commit at its end, or undo it if it raises."""
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
    """Turn what SQLite and the system say about the file into sentences of ours."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(_sentence(path, error)) from error


def check_place(path: Path) -> None:
    """Raise `StoreError` where no database can be."""
    if not path.parent.is_dir():
        raise StoreError(
            f"The database {path} cannot be made: there is no folder {path.parent}. "
            "Make the folder, or choose another place."
        )
    if path.exists() and not path.is_file():
        raise StoreError(f"The database {path} cannot be opened: it is no file. Name a file.")


def version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema version; 0 for an empty database. Refuse what another program made."""
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
    """Return UTC with all digits, so that the texts sort like the times."""
    return moment.isoformat(timespec="microseconds")


def _sentence(path: Path, error: Exception) -> str:
    what = str(error)
    if "not a database" in what:
        return f"{path} is not an SQLite database. Nothing was changed. Choose another file."
    if "malformed" in what or "corrupt" in what:
        return _damaged(path, what)
    if "full" in what:
        return f"The database {path} cannot be written: the disk is full. Make room on it."
    if "locked" in what:
        return (
            f"The database {path} is held by another process for more than "
            f"{PATIENCE_SECONDS:g} seconds. Stop that process, or use PostgreSQL for several."
        )
    return f"The database {path} cannot be used: {what}."


def _damaged(path: Path, what: str) -> str:
    return (
        f"The database {path} is damaged ({what}). Put a backup in its place with 'heckmeck admin "
        "restore BACKUP --force', or save what can be saved with: sqlite3 FILE .recover"
    )
