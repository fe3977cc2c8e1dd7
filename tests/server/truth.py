"""What the log on disk says, to compare clients with."""

import json
from typing import Any

from heckmeck.server import messages as m
from heckmeck.server import views
from heckmeck.server.store import open_store
from heckmeck.server.table import Table, fold


async def words_of(location: str, table: str) -> list[str]:
    """Return all entries of a table's log."""
    store = open_store(location)
    await store.open()
    try:
        stored = await store.load(table)
        assert stored is not None
        assert [entry.n for entry in stored.entries] == [*range(len(stored.entries))]
        return [entry.word for entry in stored.entries]
    finally:
        await store.close()


def replayed(words: list[str]) -> tuple[Table, dict[int, dict[str, Any]]]:
    """Return the table that a log comes to, and all events as clients are told them."""
    events: dict[int, dict[str, Any]] = {}
    for table, what in fold(words):
        events[table.n] = json.loads(m.write(views.happening(table.n, what)))["what"]
    return table, events


def state_of(table: Table) -> dict[str, Any] | None:
    """Return the state of the game as clients are told it."""
    state = views.table_state(table)
    return None if state is None else json.loads(m.write(state))


def sent_with(words: list[str], sender: str) -> list[int]:
    """Return the numbers of the entries that were sent under an id."""
    return [n for n, word in enumerate(words) if word.endswith(f" {sender}")]
