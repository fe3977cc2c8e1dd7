"""Checking, migrating and opening the SQLite file of a store."""

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
