"""A live table whose store fails, lies or is overtaken: nothing is lost, nothing happens twice."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from heckmeck.hosting.autopilot import Timing
from heckmeck.hosting.live import LiveTable
from heckmeck.server.hub import Hub
from heckmeck.server.store import Entry, StoreError, StoreUnavailable, Summary
from heckmeck.server.store.sqlite import SqliteStore
from heckmeck.server.thinking import Thinker
from heckmeck.table.commands import SitDown
from heckmeck.table.keys import hash_of
from heckmeck.wire import requests as m
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.setup import Setup
from tests.server.frames import text_in
from tests.server.scenario import scenario

SECRETS = [f"{seat}" * 32 for seat in range(2)]
HOST = "h" * 32


class Flaky(SqliteStore):
    """A store that fails when told to: before it writes, or after."""

    fail_before = False
    fail_after = False

    async def append(
        self, game: str, n: int, words: Sequence[str], summary: Summary | None = None
    ) -> tuple[Entry, ...]:
        if self.fail_before:
            raise StoreUnavailable("the disk is full")
        entries = await super().append(game, n, words, summary)
        if self.fail_after:
            raise StoreUnavailable("the line went dead")
        return entries

    async def entries(self, game: str, after: int) -> list[Entry]:
        if self.fail_before:
            raise StoreUnavailable("the disk is full")
        return await super().entries(game, after)


class Ear:
    """A listener that keeps what it hears."""

    def __init__(self, *secrets: str) -> None:
        self.hashes = tuple(map(hash_of, secrets))
        self.heard: list[dict[str, object]] = []

    def send(self, frame: bytes) -> None:
        self.heard.append(json.loads(text_in(frame)))


async def open_hub(path: Path) -> tuple[Hub, Flaky]:
    store = Flaky(path / "tables.sqlite3")
    hub = Hub(store, Thinker(), Timing(absence=0.05, roll_call=0.05))
    await hub.open()
    return hub, store


async def play_table(hub: Hub) -> str:
    """A table of two with its game begun, seat 0 to move."""
    name = await hub.create(Setup("classic", first=0), [], HOST)
    async with hub.table(name) as live:
        for seat, secret in enumerate(SECRETS):
            await live.run(SitDown(f"Player {seat}", seat, hash_of(secret)))
        await live.run(m.Start("s"), [hash_of(HOST)])
    return name


def roll(live: LiveTable, name: str = "r") -> m.Move:
    return m.Move(name, live.table.n, "roll")


@scenario
async def test_a_write_that_failed_is_not_true(tmp_path: Path) -> None:
    hub, store = await open_hub(tmp_path)
    async with hub.table(await play_table(hub)) as live:
        ear = Ear()
        live.join(ear, m.Hello("h"))
        request, n = roll(live), live.table.n
        store.fail_before = True
        for _ in range(2):
            with pytest.raises(Refused) as refused:
                await live.run(request, [hash_of(SECRETS[0])])
            assert refused.value.code is Code.UNAVAILABLE
        assert live.table.n == n
        assert [message["type"] for message in ear.heard] == ["welcome"]
        store.fail_before = False
        done = await live.run(request, [hash_of(SECRETS[0])])
        assert done.n == n + 1
        assert not done.again
        assert [message["type"] for message in ear.heard] == ["welcome", "entries"]
    await hub.close()


@scenario
async def test_a_write_that_happened_without_our_knowing_is_found(tmp_path: Path) -> None:
    """The connection to the database broke after the commit: the same move again is no second."""
    hub, store = await open_hub(tmp_path)
    async with hub.table(await play_table(hub)) as live:
        ear = Ear()
        live.join(ear, m.Hello("h"))
        request, n = roll(live), live.table.n
        store.fail_after = True
        with pytest.raises(Refused):
            await live.run(request, [hash_of(SECRETS[0])])
        store.fail_after = False
        done = await live.run(request, [hash_of(SECRETS[0])])
        assert (done.n, done.again) == (n + 1, True)
        assert live.table.n == n + 2
        assert [message["type"] for message in ear.heard] == ["welcome", "entries"]
    await hub.close()


@scenario
async def test_who_is_overtaken_decides_again_on_what_is_true(tmp_path: Path) -> None:
    """Two workers, each with its own memory of one table, on one database."""
    hub, _ = await open_hub(tmp_path)
    other, _ = await open_hub(tmp_path)
    name = await play_table(hub)
    async with hub.table(name) as here, other.table(name) as there:
        ear = Ear()
        there.join(ear, m.Hello("h"))
        n = here.table.n
        mine, theirs = roll(here, "mine"), roll(there, "theirs")
        await here.run(mine, [hash_of(SECRETS[0])])
        with pytest.raises(Refused) as refused:
            await there.run(theirs, [hash_of(SECRETS[0])])
        assert refused.value.code is Code.STALE
        assert there.table == here.table
        assert (await there.run(mine, [hash_of(SECRETS[0])])).again
        events = ear.heard[1]["entries"]
        assert isinstance(events, list)
        assert [event["n"] for event in events] == [n + 1, n + 2]
        done = await there.run(m.Rename("x", 1, "Bob"), [hash_of(SECRETS[1])])
        assert done.n == n + 3
        await here.notice(n + 3)
        assert here.table == there.table
    await hub.close()
    await other.close()


@scenario
async def test_nothing_is_refused_by_an_old_memory(tmp_path: Path) -> None:
    """Here nobody sits on seat 1 yet; there somebody has just taken it."""
    hub, _ = await open_hub(tmp_path)
    other, _ = await open_hub(tmp_path)
    name = await hub.create(Setup("classic"), [], HOST)
    async with hub.table(name) as here, other.table(name) as there:
        for seat, secret in enumerate(SECRETS):
            await there.run(SitDown(f"Player {seat}", seat, hash_of(secret)))
        assert here.table.n == 0
        assert (await here.run(m.Start("s"), [hash_of(HOST)])).n == 3
    await hub.close()
    await other.close()


@scenario
async def test_a_table_is_opened_once_however_many_ask(tmp_path: Path) -> None:
    hub, _ = await open_hub(tmp_path)
    name = await play_table(hub)
    hub.tidy()
    hub.tidy()
    assert len(hub) == 0

    async def look() -> LiveTable:
        async with hub.table(name) as live:
            await asyncio.sleep(0.01)
            return live

    tables = await asyncio.gather(*(look() for _ in range(5)))
    assert len(set(map(id, tables))) == 1
    await hub.close()


@scenario
async def test_tables_in_use_are_not_forgotten(tmp_path: Path) -> None:
    hub, _ = await open_hub(tmp_path)
    async with hub.table(await play_table(hub)):
        for _ in range(3):
            hub.tidy()
        assert len(hub) == 1
    await hub.close()


@scenario
async def test_a_log_that_cannot_be_read_breaks_only_its_own_table(tmp_path: Path) -> None:
    hub, store = await open_hub(tmp_path)
    name = await play_table(hub)
    async with hub.table(name) as live:
        await store.append(name, live.table.n + 1, ["stop"])
    hub.tidy()
    hub.tidy()
    with pytest.raises(Refused) as refused:
        async with hub.table(name):
            pass
    assert refused.value.code is Code.INTERNAL
    await play_table(hub)
    await hub.close()


@scenario
async def test_a_store_that_is_away_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, store = await open_hub(tmp_path)

    async def fail(*_: object) -> None:
        raise StoreError("away")

    for method in ("create", "load", "list_public", "count"):
        monkeypatch.setattr(store, method, fail)
    for work in (hub.create(Setup("classic"), [], HOST), hub.public_tables()):
        with pytest.raises(Refused) as refused:
            await work
        assert refused.value.code is Code.UNAVAILABLE
    with pytest.raises(Refused) as refused:
        async with hub.table("boka-miru-tela"):
            pass
    assert refused.value.code is Code.UNAVAILABLE
    monkeypatch.undo()
    await hub.close()
