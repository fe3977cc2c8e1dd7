"""The log of entries on disk: SQLite for one process, PostgreSQL for several, one interface.

A game is what its entries say, in their order. ``(game, n)`` is the primary key: the lock against
two writers, and the guard against an entry written twice.
"""

from pathlib import Path

from heckmeck.installation import to_add
from heckmeck.server.store.errors import (
    Conflict,
    GameExists,
    NoSuchGame,
    StoreError,
    StoreTooNew,
    StoreUnavailable,
)
from heckmeck.server.store.model import (
    Change,
    Entry,
    GameRow,
    Missed,
    NewGame,
    News,
    Overview,
    Status,
    StoreCounts,
    StoredGame,
    Summary,
)
from heckmeck.server.store.protocol import Store

__all__ = [
    "Change",
    "Conflict",
    "Entry",
    "GameExists",
    "GameRow",
    "Missed",
    "NewGame",
    "News",
    "NoSuchGame",
    "Overview",
    "Status",
    "Store",
    "StoreCounts",
    "StoreError",
    "StoreTooNew",
    "StoreUnavailable",
    "StoredGame",
    "Summary",
    "is_postgres",
    "open_store",
]


def is_postgres(location: str) -> bool:
    """Whether ``location`` is the URL of a PostgreSQL database, not the path of a file."""
    return location.startswith(("postgres://", "postgresql://"))


def open_store(location: str | Path, *, beside: bool = False) -> Store:
    """Return the store at a PostgreSQL URL or in an SQLite file; `Store.open` connects it.

    ``beside`` is for tools that work next to a server: opening creates and migrates nothing, and
    does not claim the right to serve an SQLite file.

    Raise `StoreError` if ``location`` is neither, or if the package for PostgreSQL is missing.
    """
    place = str(location)
    if is_postgres(place):
        return _postgres(place, beside)
    if "://" in place:
        scheme = place.partition("://")[0]
        raise StoreError(
            f"A {scheme}:// address is not supported. Give the path of a file for SQLite, or "
            "postgresql://user@host/database for PostgreSQL."
        )
    from heckmeck.server.store.sqlite import SqliteStore

    return SqliteStore(Path(place), beside=beside)


def _postgres(url: str, beside: bool) -> Store:
    try:
        from heckmeck.server.store.postgres import PostgresStore
    except ImportError as error:
        raise StoreError(
            f"PostgreSQL needs a package that is not installed here. {to_add('postgres')}"
        ) from error
    return PostgresStore(url, beside=beside)
