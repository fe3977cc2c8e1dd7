"""Administration of tables, whether or not the server is running.

Everything that concerns people at a table goes through its log, so a running server notices:
at once on PostgreSQL, within about a second on SQLite.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Final

from heckmeck.record import Record
from heckmeck.server import messages as m
from heckmeck.server.keys import Vault
from heckmeck.server.live import LiveTable, remember
from heckmeck.server.retention import retire
from heckmeck.server.store import NoSuchGame, Overview, Status, Store, StoredGame
from heckmeck.server.table import Step, Table, fold, record_of

_PAGE: Final = 500


class _Nobody:
    """A watcher that ignores all changes."""

    def table_changed(self, live: LiveTable, steps: Sequence[Step]) -> None:
        """Do nothing."""


async def tables(store: Store) -> AsyncIterator[Overview]:
    """Yield all tables, in the order of their ids."""
    after = ""
    while page := await store.overview(after, _PAGE):
        for overview in page:
            yield overview
        after = page[-1].row.id


async def find(store: Store, name: str) -> StoredGame:
    """Return a table with its log; raise `NoSuchGame`."""
    stored = await store.load(name)
    if stored is None:
        raise NoSuchGame(name)
    return stored


def live_table(store: Store, stored: StoredGame) -> LiveTable:
    """Return the table, ready for commands; raise `BadEntry` if its log cannot be read."""
    memory = remember(entry.word for entry in stored.entries)
    return LiveTable(stored.row.id, memory, Vault(stored.secret), store, _Nobody())


def records(stored: StoredGame) -> list[Record]:
    """Return all games started at a table; raise `BadEntry` if its log cannot be read."""
    last: dict[int, Table] = {}
    for table, _ in fold(entry.word for entry in stored.entries):
        last[table.round] = table
    return [record_of(table, table.match) for table in last.values() if table.match is not None]


async def close(store: Store, name: str) -> bool:
    """Close a table as its host would; return False if it was already closed.

    Raise `NoSuchGame`, `BadEntry` if its log cannot be read, and `Refused` if it cannot be closed
    right now.
    """
    live = live_table(store, await find(store, name))
    if live.table.status is Status.CLOSED:
        return False
    await live.run(m.Close("admin"), [live.table.host])
    return True


async def delete(store: Store, name: str) -> None:
    """Delete a table; raise `NoSuchGame`. Connected clients see it close."""
    stored = await find(store, name)
    last = stored.entries[-1]
    await retire(store, Overview(stored.row, last.n, last.at))
