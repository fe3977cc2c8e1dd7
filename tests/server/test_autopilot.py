"""What a table does by itself, with bots that break, cheat and dawdle."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from heckmeck.hosting.autopilot import Timing
from heckmeck.hosting.live import LiveTable
from heckmeck.rules import AnyState, legal, word
from heckmeck.server.hub import Hub
from heckmeck.server.store.sqlite import SqliteStore
from heckmeck.server.thinking import Thinker
from heckmeck.table.commands import SitDown
from heckmeck.table.keys import hash_of
from heckmeck.table.lobby import STAND_IN
from heckmeck.wire import requests as m
from heckmeck.wire.setup import Setup
from tests.server.scenario import scenario
from tests.server.test_live import HOST, SECRETS, Ear


class Strange(Thinker):
    """A thinker whose bots behave as their names say."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.delay = 0.0

    async def choose(self, bot: str, state: AnyState, asker: str = "") -> str:
        self.asked.append(bot)
        await asyncio.sleep(self.delay)
        if bot == "chick":
            raise ZeroDivisionError("the chick fell over")
        if bot == "fox":
            return "=WWWWWWWW"
        return word(legal(state)[0])


@asynccontextmanager
async def hub_in(folder: Path) -> AsyncIterator[tuple[Hub, Strange]]:
    thinker = Strange()
    hub = Hub(SqliteStore(folder / "db"), thinker, Timing(absence=0.05, roll_call=0.05))
    await hub.open()
    try:
        yield hub, thinker
    finally:
        await hub.close()


async def until(live: LiveTable, n: int) -> None:
    """Wait until the table has come to entry ``n``."""
    while live.table.n < n:
        await asyncio.sleep(0.005)


async def bots_playing(hub: Hub, bot: str, pace: int = 0) -> str:
    """A table of two bots, seat 0 to move."""
    name = await hub.create(Setup("classic", first=0, pace=pace), [bot, bot], HOST)
    async with hub.table(name) as live:
        await live.run(m.Start("s"), [hash_of(HOST)])
    return name


@scenario
async def test_a_bot_that_breaks_down_does_not_break_up_the_table(tmp_path: Path) -> None:
    async with (
        hub_in(tmp_path) as (hub, thinker),
        hub.table(await bots_playing(hub, "chick")) as live,
    ):
        ear = Ear()
        live.join(ear, m.Hello("h"))
        await until(live, 10)
        live.leave(ear)
        assert thinker.asked[:4] == ["chick", "random", "chick", "random"]


@scenario
async def test_a_bot_that_cheats_is_overruled(tmp_path: Path) -> None:
    async with (
        hub_in(tmp_path) as (hub, thinker),
        hub.table(await bots_playing(hub, "fox")) as live,
    ):
        ear = Ear()
        live.join(ear, m.Hello("h"))
        await until(live, 10)
        live.leave(ear)
        assert thinker.asked[:2] == ["fox", "random"]


@scenario
async def test_bots_take_their_time(tmp_path: Path) -> None:
    async with (
        hub_in(tmp_path) as (hub, _),
        hub.table(await bots_playing(hub, "random", pace=100)) as live,
    ):
        ear = Ear()
        began, n = time.monotonic(), live.table.n
        live.join(ear, m.Hello("h"))
        await until(live, n + 3)
        assert time.monotonic() - began > 0.19
        live.leave(ear)


@scenario
async def test_a_bot_thinks_once_about_a_position(tmp_path: Path) -> None:
    """Whatever else happens at the table meanwhile; about the next one while this one is seen."""
    async with (
        hub_in(tmp_path) as (hub, thinker),
        hub.table(await bots_playing(hub, "random")) as live,
    ):
        thinker.delay = 0.2
        ears = [Ear() for _ in range(5)]
        for ear in ears:
            live.join(ear, m.Hello("h"))
            await asyncio.sleep(0.02)
        await live.run(m.SetPace("p", 10_000), [hash_of(HOST)])
        await asyncio.sleep(0.3)
        assert thinker.asked == ["random", "random"]
        for ear in ears:
            live.leave(ear)


async def people_playing(hub: Hub, patience: int) -> str:
    """A table of two people, seat 0 to move."""
    name = await hub.create(Setup("classic", first=0, patience=patience), [], HOST)
    async with hub.table(name) as live:
        for seat, secret in enumerate(SECRETS):
            await live.run(SitDown(f"Player {seat}", seat, hash_of(secret)))
        await live.run(m.Start("s"), [hash_of(HOST)])
    return name


def done_in(ear: Ear) -> list[str]:
    """What a listener has heard of."""
    happened = []
    for message in ear.heard:
        events = message.get("entries", [])
        assert isinstance(events, list)
        happened += [event["what"]["do"] for event in events]
    return happened


@scenario
async def test_somebody_who_never_came_gets_a_stand_in(tmp_path: Path) -> None:
    """After a restart nobody knows who was there: the one to move is missed, then played for."""
    async with (
        hub_in(tmp_path) as (hub, thinker),
        hub.table(await people_playing(hub, patience=1)) as live,
    ):
        ben = Ear(SECRETS[1])
        live.join(ben, m.Hello("h"))
        await until(live, live.table.n + 3)
        assert done_in(ben)[:3] == ["went_away", "stood_in", "played"]
        assert thinker.asked[0] == STAND_IN
        ada = Ear(SECRETS[0])
        live.join(ada, m.Hello("h"))
        while "came_back" not in done_in(ada):
            await asyncio.sleep(0.005)
        live.leave(ada)
        live.leave(ben)


@scenario
async def test_whoever_is_not_there_when_the_first_one_looks_is_away(tmp_path: Path) -> None:
    async with (
        hub_in(tmp_path) as (hub, _),
        hub.table(await people_playing(hub, patience=0)) as live,
    ):
        watcher = Ear()
        live.join(watcher, m.Hello("h"))
        await until(live, live.table.n + 2)
        assert done_in(watcher) == ["went_away", "went_away"]
        live.leave(watcher)


@scenario
async def test_without_patience_everybody_waits_for_ever(tmp_path: Path) -> None:
    async with (
        hub_in(tmp_path) as (hub, _),
        hub.table(await people_playing(hub, patience=0)) as live,
    ):
        ben = Ear(SECRETS[1])
        live.join(ben, m.Hello("h"))
        await asyncio.sleep(0.4)
        assert done_in(ben) == ["went_away"]
        live.leave(ben)


@scenario
async def test_everybody_learns_how_long_the_table_waits_and_may_stop_the_clock(
    tmp_path: Path,
) -> None:
    async with (
        hub_in(tmp_path) as (hub, _),
        hub.table(await people_playing(hub, patience=1)) as live,
    ):
        ben = Ear(SECRETS[1])
        live.join(ben, m.Hello("h"))
        while "countdown" not in [message["type"] for message in ben.heard]:
            await asyncio.sleep(0.005)
        (told, *_) = [message for message in ben.heard if message["type"] == "countdown"]
        assert told["seat"] == 0
        assert 0 < float(str(told["seconds"])) <= 1
        await live.run(m.Wait("w", 0), [hash_of(SECRETS[1])])
        await asyncio.sleep(1.3)
        assert done_in(ben) == ["went_away", "awaited"]
        await live.run(m.FillIn("f", 0), [hash_of(SECRETS[1])])
        await until(live, live.table.n + 1)
        assert done_in(ben)[:4] == ["went_away", "awaited", "stood_in", "played"]
        live.leave(ben)


@scenario
async def test_a_seat_is_away_only_when_its_last_connection_is_gone(tmp_path: Path) -> None:
    async with (
        hub_in(tmp_path) as (hub, _),
        hub.table(await people_playing(hub, patience=0)) as live,
    ):
        phone, tablet, ben = Ear(SECRETS[0]), Ear(SECRETS[0]), Ear(SECRETS[1])
        for ear in (phone, tablet, ben):
            live.join(ear, m.Hello("h"))
        live.leave(phone)
        await asyncio.sleep(0.15)
        assert done_in(ben) == []
        live.leave(tablet)
        while done_in(ben) != ["went_away"]:
            await asyncio.sleep(0.005)
        live.leave(ben)
