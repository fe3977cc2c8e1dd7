"""A process that writes until it is killed.

``python -m tests.server.store.doomed_writer LOCATION RUN`` plays at several tables at once and
prints ``game n word`` for each entry, after the store has acknowledged it.
"""

from __future__ import annotations

import asyncio
import os
import sys

from heckmeck.server.store import Store, TableExists, open_store
from tests.server.store.places import new_game

GAMES = [f"game-{index}" for index in range(8)]


async def play(store: Store, game: str, run: str) -> None:
    """Append for ever; every word is written once in all runs."""
    n = 1 + (await store.entries(game, -1))[-1].n
    while True:
        words = [f"{run}/{n + part}" for part in range(1 + n % 3)]
        for entry in await store.append(game, n, words):
            # One write system call: the line is out, whole, before anything else happens.
            os.write(sys.stdout.fileno(), f"{game} {entry.n} {entry.text}\n".encode())
        n += len(words)


async def main(location: str, run: str) -> None:
    """Open the store, make the games if this is the first run, and play."""
    store = open_store(location)
    await store.open()
    for game in GAMES:
        try:
            await store.create(new_game(game, [f"created/{run}"]))
        except TableExists:
            continue
    await asyncio.gather(*(play(store, game, run) for game in GAMES))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
