"""Tables for the databases that are kept of every schema version.

``python -m tests.server.store.make_tables VERSION`` plays with the code of today and writes
``data/version-VERSION.tables.*.sql``. Run it once, when a version is released, and never again.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from heckmeck.bots import BOTS
from heckmeck.dice import SeededLuck
from heckmeck.dice.fair import promise
from heckmeck.hosting.live import LiveTable, remember
from heckmeck.record import Record
from heckmeck.rules import word
from heckmeck.server.admin import find, live_table, records
from heckmeck.server.store import Store, StoredTable, open_store
from heckmeck.table.commands import BotMove, Command, MarkKept, PutIn, SitDown
from heckmeck.table.keys import Vault, hash_of
from heckmeck.table.lobby import new_table, table_from_record
from heckmeck.table.play import bot_to_move
from heckmeck.table.views import summary
from heckmeck.wire import requests as m
from heckmeck.wire.setup import Setup, Status
from tests.server.store.places import Place

DATA = Path(__file__).with_name("data")
HOST = "a secret of the host's"
ADA = "a secret of Ada's"
BOOK = "boka-miru-tela"
WORDS = "Käse & 'Würmer'"


async def make(store: Store) -> None:
    """Play at tables of every kind."""
    for edition in ("classic", "deluxe", "barbecue", "junior"):
        live = await new(store, f"over-{edition}", Setup(edition, public=True), ["rooster"])
        await sit(live, "Ada “A.” Lovelace")
        await run(live, m.PromiseSalt("w", 0, promise(WORDS)), ADA)
        await play(live)
    await run(live, m.Rematch("r"), HOST)
    await run(live, m.Rename("n", 0, "Countess"), ADA)
    await run(live, PutIn(BOOK), HOST)
    await play(live)
    (owed,) = live.table.owed
    await live.run(MarkKept(owed.game, owed.n))
    waiting = await new(store, "waiting", Setup("deluxe", seats=4), ["chick", "fox"])
    await sit(waiting, "Ben")
    await run(waiting, m.Leave("l", 0), ADA)
    playing = await new(store, "playing", Setup("classic"), ["rooster"])
    await sit(playing, "Ada")
    await play(playing, moves=9)
    closed = await new(store, "closed", Setup("junior"), ["chick", "chick"])
    await play(closed, moves=5)
    await run(closed, m.Close("c"), HOST)
    (record,) = records(await find(store, "over-classic"))
    await from_record(store, "import", record)


async def new(store: Store, name: str, setup: Setup, bots: Sequence[str]) -> LiveTable:
    vault = Vault(hash_of(name).encode()[:32])
    words = new_table(setup, bots, hash_of(HOST), vault)
    return await added(store, name, setup, words, vault)


async def added(
    store: Store, name: str, setup: Setup, words: tuple[str, ...], vault: Vault
) -> LiveTable:
    now = summary(remember(words).table)
    table = StoredTable.new(name, setup.public, setup.edition, vault.secret, now, words)
    await store.create(table)
    return live_table(store, table)


async def from_record(store: Store, name: str, record: Record) -> None:
    vault = Vault(hash_of(name).encode()[:32])
    words = table_from_record(record, 30, False, hash_of(HOST), vault)
    setup = remember(words).table.setup
    live = await added(store, name, setup, words, vault)
    for seat in range(setup.seats):
        await run(live, m.SetBot("b", seat, "rooster"), HOST)
    await play(live)


async def run(live: LiveTable, command: Command, secret: str = "") -> None:
    await live.run(command, [hash_of(secret)])


async def sit(live: LiveTable, name: str) -> None:
    await live.run(SitDown(name, 0, hash_of(ADA)))


async def play(live: LiveTable, moves: int = 10_000) -> None:
    """Let the rooster play for everybody, from the start if that was not yet."""
    rooster = BOTS["rooster"].load()
    if live.table.status is Status.WAITING:
        await run(live, m.Start("s"), HOST)
    if live.table.called is not None:
        await run(live, m.ShowSalt("w", 0, WORDS), ADA)
    for number in range(moves):
        match = live.table.match
        if match is None or live.table.status is not Status.PLAYING:
            return
        choice = word(rooster.choose(match.state, SeededLuck(number)))
        if bot_to_move(live.table):
            await live.run(BotMove(live.table.n, choice))
        else:
            await run(live, m.Move(f"m{number}", live.table.n, choice), ADA)


def statements(place: Place, *, postgres: bool) -> str:
    """Return all rows as SQL."""

    def value(of: object, column: str) -> str:
        if isinstance(of, bytes):
            return f"'\\x{of.hex()}'" if postgres else f"x'{of.hex()}'"
        if column == "public" and postgres:
            return "true" if of else "false"
        return str(of) if isinstance(of, int) else "'" + str(of).replace("'", "''") + "'"

    lines = []
    for table, columns, order in (
        ("games", ("id", "created", "public", "status", "edition", "secret", "summary"), "id"),
        ("entries", ("game", "n", "at", "word"), "game, n"),
    ):
        listed = ", ".join(columns)
        query = f"SELECT {listed} FROM {table} ORDER BY {order}"  # noqa: S608
        rows = [f"({', '.join(map(value, row, columns))})" for row in place.rows(query)]
        lines.append(f"INSERT INTO {table} ({listed}) VALUES\n" + ",\n".join(rows) + ";\n")
    return "".join(lines)


async def main(version: int) -> None:
    """Write the files."""
    with TemporaryDirectory() as folder:
        place = Place(str(Path(folder) / "tables"))
        store = open_store(place.location)
        await store.open()
        await make(store)
        await store.close()
        for kind in ("sqlite", "postgres"):
            text = statements(place, postgres=kind == "postgres")
            (DATA / f"version-{version}.tables.{kind}.sql").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
