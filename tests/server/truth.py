"""What the log on disk says, to compare clients with."""

import asyncio
import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from heckmeck.server.store import open_store
from heckmeck.table import views
from heckmeck.table.model import Table, fold
from heckmeck.wire import answers as m
from tests.server.client import Client


async def texts_of(location: str, table: str) -> list[str]:
    """Return all entries of a table's log."""
    store = open_store(location, beside=True)
    await store.open()
    try:
        stored = await store.load(table)
        assert stored is not None
        assert [entry.n for entry in stored.entries] == [*range(len(stored.entries))]
        return [entry.text for entry in stored.entries]
    finally:
        await store.close()


def replayed(words: list[str]) -> tuple[Table, dict[int, dict[str, Any]]]:
    """Return the table that a log comes to, and all events as clients are told them."""
    events: dict[int, dict[str, Any]] = {}
    for table, what in fold(words):
        events[table.n] = json.loads(m.write(views.entry(table.n, what)))["what"]
    return table, events


def state_of(table: Table) -> dict[str, Any] | None:
    """Return the state of the game as clients are told it."""
    state = views.table_state(table)
    return None if state is None else json.loads(m.write(state))


def _has_seen(n: int, client: Client) -> bool:
    return client.n >= n


async def agreed(location: str, clients: Sequence[Client]) -> list[str]:
    """Return the log of a table, when all of its clients have seen just that and nothing else.

    Bots and people who come and go may still write for a moment: then look again.
    """
    async with asyncio.timeout(30):
        while True:
            words = await texts_of(location, clients[0].name)
            table, events = replayed(words)
            for client in clients:
                await client.until(partial(_has_seen, table.n))
                assert {n: w for n, w in client.entries.items() if n <= table.n}.items() <= (
                    events.items()
                )
            if all(client.n == table.n for client in clients):
                assert all(client.state == state_of(table) for client in clients)
                return words


def sent_with(words: list[str], sender: str) -> list[int]:
    """Return the numbers of the entries that were sent under an id."""
    return [n for n, word in enumerate(words) if word.endswith(f" {sender}")]
