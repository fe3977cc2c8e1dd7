"""The schema of the database, and the migrations from older versions.

A schema is a list of steps; after step k the database has version k. A released step never
changes; changes are new steps.

Entries have no foreign key to their game. An entry is written only after an earlier one of its
game, and the first one together with the game's row, so a foreign key would cost every move a
lookup and (in PostgreSQL) a lock without preventing anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from heckmeck.server.store import LISTED, StoreError, StoreTooNew

#: The keys of the table ``meta``: the schema version, the time of the last probe, the private key
#: that signs push messages, and (only in a backup) the description of the contents.
VERSION_KEY: Final = "schema"
PROBE_KEY: Final = "probe"
PUSH_KEY: Final = "push"
BACKUP_KEY: Final = "backup"


@dataclass(frozen=True, slots=True)
class Schema:
    """The statements of each step, from an empty database to the current version."""

    steps: tuple[tuple[str, ...], ...]

    @property
    def version(self) -> int:
        """The schema version of this heckmeck."""
        return len(self.steps)

    def missing(self, found: int, place: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Return the steps that a database of version ``found`` needs, each with its version.

        Raise `StoreTooNew`, naming ``place``, if the database is newer than this heckmeck.
        """
        if found > self.version:
            raise StoreTooNew(
                f"The database {place} was written by a newer heckmeck: it has schema version "
                f"{found}, and this heckmeck knows versions up to {self.version}. "
                "Nothing was changed. Update heckmeck, or choose another database."
            )
        return [(index + 1, self.steps[index]) for index in range(found, self.version)]

    def require(self, found: int, place: str) -> None:
        """Raise `StoreError`, naming ``place``, unless version ``found`` is the current one."""
        if self.missing(found, place):
            raise StoreError(
                f"The database {place} is empty or was written by an older heckmeck: it has "
                f"schema version {found}, and this heckmeck needs {self.version}. Start "
                "'heckmeck serve' with it once to update it."
            )


def _first_step(time: str, flag: str, data: str, tail: str = "") -> tuple[str, ...]:
    """Return the first step with the types of a kind of database."""
    return (
        f"CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) {tail}",
        f"""
        CREATE TABLE games (
            id TEXT PRIMARY KEY,
            created {time} NOT NULL,
            public {flag} NOT NULL,
            status TEXT NOT NULL,
            edition TEXT NOT NULL,
            secret {data} NOT NULL,
            summary TEXT NOT NULL
        )
        """,
        f"CREATE INDEX games_listed ON games (created) WHERE {LISTED}",
        "CREATE INDEX games_status ON games (status)",
        f"""
        CREATE TABLE entries (
            game TEXT NOT NULL,
            n INTEGER NOT NULL,
            at {time} NOT NULL,
            word TEXT NOT NULL,
            PRIMARY KEY (game, n)
        ) {tail}
        """,
    )


def _second_step(time: str, tail: str = "") -> tuple[str, ...]:
    """Return the second step: when the server has to act, and push subscriptions."""
    return (
        f"ALTER TABLE games ADD COLUMN due {time}",
        "CREATE INDEX games_due ON games (due) WHERE due IS NOT NULL",
        f"""
        CREATE TABLE pushes (
            game TEXT NOT NULL,
            seat TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            at {time} NOT NULL,
            subscription TEXT NOT NULL,
            PRIMARY KEY (game, seat, endpoint)
        ) {tail}
        """,
    )


def _third_step(time: str) -> tuple[str, ...]:
    """Return the third step: family books, and their pages with a game on each.

    ``n`` is the entry that the page is as of. ``facts`` and ``judged`` are computed from the
    record: a step that changes how sets them to NULL.
    """
    return (
        f"""
        CREATE TABLE books (
            id TEXT PRIMARY KEY,
            created {time} NOT NULL,
            secret TEXT NOT NULL,
            name TEXT NOT NULL,
            people TEXT NOT NULL
        )
        """,
        f"""
        CREATE TABLE pages (
            game TEXT NOT NULL,
            number INTEGER NOT NULL,
            book TEXT NOT NULL,
            n INTEGER NOT NULL,
            at {time} NOT NULL,
            record TEXT NOT NULL,
            facts TEXT,
            judged TEXT,
            PRIMARY KEY (game, number)
        )
        """,
        "CREATE INDEX pages_book ON pages (book, at)",
    )


SQLITE: Final = Schema(
    steps=(
        _first_step("TEXT", "INTEGER", "BLOB", "WITHOUT ROWID"),
        _second_step("TEXT", "WITHOUT ROWID"),
        _third_step("TEXT"),
    )
)
POSTGRES: Final = Schema(
    steps=(
        _first_step("timestamptz", "boolean", "bytea"),
        _second_step("timestamptz"),
        _third_step("timestamptz"),
    )
)
