"""Backups: a single file with the whole database, which either kind of database can restore.

A backup is an SQLite database with our schema and one additional row that describes its contents.
It is written and read completely or not at all. Like the database, it contains the tables' secrets.
"""

import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from heckmeck.server.store import StoreError, StoreUnavailable, is_postgres, sqlite_file
from heckmeck.server.store.schema import BACKUP_KEY, PROBE_KEY, SQLITE

_GAMES: Final = """
    SELECT id, created, public, edition, status, summary, hex(secret) FROM games ORDER BY id
"""
_ENTRIES: Final = "SELECT game, n, at, word FROM entries ORDER BY game, n"
#: Books came later: older backups have none, and their checksums are without them.
_LATER: Final = {
    "books": "SELECT id, created, secret, name, people FROM books ORDER BY id",
    "pages": "SELECT game, number, book, n, at, record FROM pages ORDER BY game, number",
}
_GAPS: Final = """
    SELECT id FROM games LEFT JOIN entries ON game = id
    GROUP BY id HAVING min(n) IS NOT 0 OR max(n) <> count(n) - 1
    ORDER BY id
"""
_FORGET: Final = "DELETE FROM meta WHERE key IN (?, ?)"


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a backup: their size, and the SHA-256 of all rows in order."""

    made: str
    games: int
    entries: int
    sha256: str
    books: int = 0
    pages: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The contents of a backup, and the ids of the games whose logs have gaps."""

    contents: Contents
    broken: tuple[str, ...]


async def back_up(location: str, target: Path, *, force: bool = False) -> Found:
    """Write a consistent snapshot of the database to a file; a server may be running.

    Raise `StoreError` if the database cannot be read or the file cannot be written. An existing
    file is then unchanged.
    """
    if target.exists() and not force:
        raise StoreError(f"{target} already exists. Choose another name, or use --force.")
    with _new_file(target) as draft:
        if is_postgres(location):
            from heckmeck.server.store.postgres import dump

            with sqlite_file.explained(draft):
                sqlite_file.prepare(draft, SQLITE)
                with closing(sqlite_file.connect(draft)) as copy:
                    await dump(location, copy)
        else:
            source = Path(location)
            sqlite_file.find(source, SQLITE, older_too=True)
            with sqlite_file.explained(source), closing(sqlite_file.read_only(source)) as database:
                _copy(database, draft)
        return _sealed(draft)


async def restore(source: Path, location: str, *, force: bool = False) -> Found:
    """Replace the contents of the database with those of a backup, in one transaction.

    Raise `StoreError`, and change nothing, if the backup is damaged, if the database contains games
    and ``force`` is false, or if a server is running on it.
    """
    if not source.is_file():
        raise StoreError(f"The backup {source} does not exist.")
    if is_postgres(location):
        from heckmeck.server.store.postgres import fill

        with tempfile.TemporaryDirectory(prefix="heckmeck-") as folder:
            draft = Path(folder) / "restoring"
            found = _unsealed(source, draft)
            with sqlite_file.explained(draft), closing(sqlite_file.read_only(draft)) as copy:
                await fill(location, copy, found.contents.games, force=force)
            return found
    target = Path(location)
    sqlite_file.check_place(target)
    with sqlite_file.explained(target), sqlite_file.claimed(target):
        if not force and _holds_games(target):
            raise holds_games(str(target))
        with _new_file(target) as draft:
            found = _unsealed(source, draft)
            _clear_the_way(target)
        return found


def holds_games(place: str) -> StoreError:
    """Return the error for a database that is not empty."""
    return StoreError(
        f"The database {place} already contains tables. Nothing was changed. Use --force to "
        "replace them with those of the backup."
    )


# --- files ----------------------------------------------------------------------------------------


@contextmanager
def _new_file(target: Path) -> Iterator[Path]:
    """Yield a temporary path next to ``target``; flush it and move it to ``target`` on success."""
    sqlite_file.check_place(target)
    with sqlite_file.explained(target):
        # Readable only by the owner, and on the same disk.
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        os.close(handle)
        draft = Path(name)
        try:
            yield draft
            _flush(draft)
            draft.replace(target)
            _flush(target.parent)
        finally:
            for suffix in ("", "-wal", "-shm", "-journal"):
                Path(f"{name}{suffix}").unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Flush a file or a folder to disk; Windows cannot flush folders."""
    if os.name == "nt" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _copy(source: sqlite3.Connection, target: Path) -> None:
    """Copy a snapshot of a database in one step: a write between steps would restart the copy."""
    with closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # a single file, without a WAL


def _holds_games(path: Path) -> bool:
    """Whether the file exists and is not an empty database of ours."""
    if not path.exists() or not path.stat().st_size:
        return False
    try:
        sqlite_file.find(path, SQLITE)
        with sqlite_file.explained(path), closing(sqlite_file.read_only(path)) as database:
            found = "SELECT 1 FROM games UNION ALL SELECT 1 FROM books LIMIT 1"
            return database.execute(found).fetchone() is not None
    except StoreError:
        return True  # not our database, so do not replace it without --force


def _clear_the_way(target: Path) -> None:
    """Remove files next to ``target`` that SQLite would take for a part of the new database.

    The WAL of a readable database is merged first, so the old database is complete until it is
    replaced.
    """
    with suppress(StoreUnavailable):  # it may be replaced because it is damaged
        if target.exists():
            with sqlite_file.explained(target), closing(sqlite_file.connect(target)) as database:
                database.execute("PRAGMA journal_mode = DELETE")
    for suffix in ("-wal", "-shm", "-journal"):
        Path(f"{target}{suffix}").unlink(missing_ok=True)


# --- contents -------------------------------------------------------------------------------------


def _sealed(draft: Path) -> Found:
    """Check a new backup and store the description of its contents in it."""
    with sqlite_file.explained(draft), closing(sqlite3.connect(draft)) as backup:
        backup.execute("PRAGMA journal_mode = DELETE")
        found = _look_through(backup)
        with backup:
            backup.execute(_FORGET, (BACKUP_KEY, PROBE_KEY))
            backup.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?)",
                (BACKUP_KEY, json.dumps(asdict(found.contents))),
            )
        return found


def _unsealed(source: Path, draft: Path) -> Found:
    """Copy a backup, check the copy against its description, and migrate it."""
    with _whole(source):
        with closing(sqlite_file.read_only(source)) as backup:
            SQLITE.missing(sqlite_file.version(backup, source), str(source))
            _copy(backup, draft)
        with closing(sqlite3.connect(draft)) as copy:
            found = _look_through(copy)
            promised = copy.execute(
                "SELECT value FROM meta WHERE key = ?", (BACKUP_KEY,)
            ).fetchone()
            if promised is not None:
                contents = Contents(**json.loads(promised[0]))
                if contents.sha256 != found.contents.sha256:
                    raise sqlite3.DatabaseError("its contents do not match its checksum")
                found = Found(contents, found.broken)
            with copy:
                copy.execute(_FORGET, (BACKUP_KEY, PROBE_KEY))
        sqlite_file.prepare(draft, SQLITE)
        with closing(sqlite3.connect(draft)) as copy:
            copy.execute("PRAGMA journal_mode = DELETE")
    return found


@contextmanager
def _whole(source: Path) -> Iterator[None]:
    """Turn errors in reading a backup into a `StoreError`."""
    try:
        yield
    except (sqlite3.Error, OSError, StoreUnavailable) as error:
        raise StoreError(
            f"The backup {source} cannot be used: {error}. Nothing was changed. Use another backup."
        ) from error


def _look_through(connection: sqlite3.Connection) -> Found:
    """Check every page and every row; raise `sqlite3.DatabaseError` if they are damaged."""
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise sqlite3.DatabaseError(f"it is malformed ({' '.join(answer.split())})")
    digest = hashlib.sha256()
    games, entries = (_digested(connection, query, digest) for query in (_GAMES, _ENTRIES))
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    later = {
        name: _digested(connection, query, digest)
        for name, query in _LATER.items()
        if name in there
    }
    now = datetime.now(UTC).isoformat(timespec="seconds")
    broken = tuple(game for (game,) in connection.execute(_GAPS))
    return Found(Contents(now, games, entries, digest.hexdigest(), **later), broken)


def _digested(connection: sqlite3.Connection, query: str, digest: "hashlib._Hash") -> int:
    """Add the rows of a query to a digest; return how many there were."""
    count = 0
    for row in connection.execute(query):
        digest.update(json.dumps(row).encode() + b"\n")
        count += 1
    return count
