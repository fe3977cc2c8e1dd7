"""Tables played over hours and days: nobody is hurried, nobody is waited for in vain."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from heckmeck.hosting.autopilot import Timing
from heckmeck.hosting.live import LiveTable
from heckmeck.rules import legal, word
from heckmeck.server import admin
from heckmeck.server.hub import Hub
from heckmeck.server.store import Store, StoredTable
from heckmeck.server.store import Summary as Listed
from heckmeck.server.store.sqlite import SqliteStore
from heckmeck.table.commands import BotMove, SitDown, StandIn
from heckmeck.table.keys import hash_of
from heckmeck.table.model import Table
from heckmeck.table.play import Wait, bot_to_move, wait
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.refusals import Code
from heckmeck.wire.setup import Setup, Status, Tempo
from tests.server.scenario import scenario
from tests.server.store.places import Place
from tests.server.tables import HOST as HOST_RIGHTS
from tests.server.tables import WATCHER, do, entries_of, full, move, player, playing, refusal
from tests.server.test_autopilot import Strange, done_in
from tests.server.test_live import HOST, SECRETS, Ear

SLOW = Setup("classic", first=0, tempo=Tempo.DAYS)
DAYS = 3 * 86_400


# --- the core -------------------------------------------------------------------------------------


def asked(table: Table) -> int:
    assert table.match is not None
    return table.match.asked


def test_a_table_of_now_waits_for_nobody_by_itself() -> None:
    assert wait(playing()) is None
    assert Tempo.NOW.seconds is None


def test_a_slow_table_gives_time_for_each_move() -> None:
    table = playing(SLOW)
    assert wait(full(SLOW)) is None
    assert wait(table) == Wait(table.n, DAYS)
    rolled = move(table, "roll")
    assert wait(rolled) == Wait(rolled.n, DAYS)


def test_when_the_time_is_over_a_bot_plays_that_turn_and_no_other() -> None:
    table = playing(SLOW)
    assert entries_of(table, StandIn(asked(table), 0), WATCHER) == (
        a.StoodIn(0, "rooster", once=True),
    )
    table = do(table, StandIn(asked(table), 0), WATCHER)
    assert bot_to_move(table) == "rooster"
    assert wait(table) == Wait(table.n, 0)
    while table.match is not None and table.match.state.seat == 0:
        table = do(table, BotMove(table.n, _first(table)), WATCHER)
    ada = table.person(0)
    assert ada is not None
    assert (ada.stand_in, ada.once) == (None, False)
    assert wait(table) == Wait(table.n, DAYS)


def _first(table: Table) -> str:
    assert table.match is not None
    return word(legal(table.match.state)[0])


def test_who_comes_back_in_time_has_all_of_it_again() -> None:
    table = playing(SLOW)
    before = asked(table)
    table = do(table, StandIn(before, 0), WATCHER)
    table = do(table, m.Reclaim("r", 0), player(0))
    assert bot_to_move(table) is None
    assert wait(table) == Wait(table.n, DAYS)
    assert refusal(table, StandIn(before, 0), WATCHER)[0] is Code.STALE


def test_a_bot_that_somebody_asked_for_stays_until_they_return() -> None:
    table = do(playing(SLOW), m.Leave("l", 0), player(0))
    while table.match is not None and table.match.state.seat == 0:
        table = do(table, BotMove(table.n, _first(table)), WATCHER)
    ada = table.person(0)
    assert ada is not None
    assert ada.stand_in == "rooster"


def test_the_tempo_is_chosen_before_the_game() -> None:
    table = do(full(), m.Options("o", tempo=Tempo.HOURS), HOST_RIGHTS)
    assert table.setup.tempo is Tempo.HOURS
    assert refusal(playing(SLOW), m.Options("o", tempo=Tempo.NOW), HOST_RIGHTS) == (
        Code.ALREADY_STARTED,
        (
            "Game, seats, house rules and tempo can change only before the game begins. "
            "This game has already begun."
        ),
    )


# --- the store ------------------------------------------------------------------------------------


@scenario
async def test_the_store_finds_what_is_due(location: str) -> None:
    async with Place(location).opened() as store:
        summary = Listed(Status.PLAYING, "{}")
        for name in ("soon", "later", "never"):
            await store.create(StoredTable.new(name, False, "classic", b"", summary, ["x"]))
        (entry,) = await store.append("later", 1, ["y"], _waiting(1, 500))
        await store.append("soon", 1, ["y", "z"], _waiting(2, 60))
        now = entry.at
        assert await store.due(now, 9) == []
        assert await store.due(now + timedelta(minutes=30), 9) == ["soon", "later"]
        assert await store.due(now + timedelta(minutes=30), 1) == ["soon"]
        # The clock of a turn does not begin again because somebody changes their name ...
        await store.append("soon", 3, ["named"], _waiting(2, 60))
        await store.rewrite("soon", {}, Listed(Status.PLAYING, "[]"))
        assert await store.due(now + timedelta(seconds=90), 9) == ["soon"]
        # ... and ends with the game.
        await store.append("soon", 4, ["over"], Listed(Status.OVER, "{}"))
        assert await store.due(now + timedelta(minutes=30), 9) == ["later"]


def _waiting(n: int, seconds: int) -> Listed:
    return Listed(Status.PLAYING, "{}", Wait(n, seconds))


@scenario
async def test_a_table_is_not_abandoned_while_a_turn_has_time(location: str) -> None:
    async with Place(location).opened() as store:
        summary = Listed(Status.PLAYING, '{"seats": 2, "players": []}')
        for name in ("slow", "quick"):
            await store.create(StoredTable.new(name, False, "classic", b"", summary, ["x"]))
        await store.append("slow", 1, ["y"], Listed(Status.PLAYING, summary.text, Wait(1, DAYS)))
        later = datetime.now(UTC) + timedelta(days=2)
        assert await admin.prune(store, admin.Keep(abandoned=1), later) == 1
        assert [each.row.id async for each in admin.tables(store)] == ["slow"]


# --- the server -----------------------------------------------------------------------------------


class Clocked:
    """A hub on a file whose tables can be made older: days pass while no server runs."""

    def __init__(self, folder: Path) -> None:
        self.place = Place(str(folder / "db"))

    async def __aenter__(self) -> Hub:
        self.thinker = Strange()
        timing = Timing(absence=0.02, roll_call=0.02, due=0.05)
        self.hub = Hub(SqliteStore(Path(self.place.location)), self.thinker, timing)
        await self.hub.open()
        return self.hub

    async def __aexit__(self, *_: object) -> None:
        await self.hub.close()

    def days_pass(self, days: int) -> None:
        """Make everything in the database older."""
        for table, column in (("entries", "at"), ("games", "due")):
            older = f"strftime('%Y-%m-%dT%H:%M:%f000+00:00', {column}, '-{days} days')"
            change = f"UPDATE {table} SET {column} = {older}"  # noqa: S608
            self.place.execute(f"{change} WHERE {column} IS NOT NULL")


async def slow_table(hub: Hub, setup: Setup = SLOW, bots: tuple[str, ...] = ()) -> str:
    name = await hub.create(setup, bots, HOST)
    async with hub.table(name) as live:
        for seat in range(setup.seats - len(bots)):
            await live.run(SitDown(f"Player {seat}", seat, hash_of(SECRETS[seat])))
        await live.run(m.Start("s"), [hash_of(HOST)])
    return name


async def stored(store: Store, name: str) -> LiveTable:
    return admin.live_table(store, await admin.find(store, name))


async def turn_of(hub: Hub, name: str, seat: int) -> LiveTable:
    """Wait until the store says that it is somebody's turn."""
    while True:
        live = await stored(hub.store, name)
        if live.table.match is not None and live.table.match.state.seat == seat:
            return live
        await asyncio.sleep(0.02)


@scenario
async def test_nobody_is_replaced_before_the_time_is_over(tmp_path: Path) -> None:
    world = Clocked(tmp_path)
    async with world as hub:
        name = await slow_table(hub)
    world.days_pass(2)
    async with world as hub:
        ben = Ear(SECRETS[1])
        async with hub.table(name) as live:
            live.join(ben, m.Hello("h"))
            due = ben.heard[0]["due"]
            assert isinstance(due, str)
            left = datetime.fromisoformat(due) - datetime.now(UTC)
            assert timedelta(hours=23) < left < timedelta(hours=25)
            await asyncio.sleep(0.3)
            live.leave(ben)
        assert "stood_in" not in done_in(ben)
        assert world.thinker.asked == []
        hub.tidy()
        hub.tidy()
        assert len(hub) == 0  # no memory, no timer: the store knows when it is due


@scenario
async def test_days_later_a_bot_has_played_one_turn_though_nobody_looked(tmp_path: Path) -> None:
    world = Clocked(tmp_path)
    async with world as hub:
        name = await slow_table(hub)
    world.days_pass(4)
    async with world as hub:
        live = await turn_of(hub, name, 1)
        ada = live.table.person(0)
        assert ada is not None
        assert ada.stand_in is None
        await asyncio.sleep(0.2)
        assert (await stored(hub.store, name)).table.n == live.table.n  # Ben has his own time
        log = await hub.log_of(name)
        assert '{"do":"stood_in","seat":0,"bot":"rooster","once":true}' in log
        hub.tidy()
        hub.tidy()
        assert len(hub) == 0
    world.days_pass(4)
    async with world as hub:
        async with hub.table(name) as live:
            before = live.table.n
        live = await turn_of(hub, name, 0)
        assert live.table.n > before


@scenario
async def test_bots_play_on_when_everybody_has_gone(tmp_path: Path) -> None:
    """Also after a restart in the middle of a bot's turn."""
    world = Clocked(tmp_path)
    setup = Setup("classic", seats=3, first=1, tempo=Tempo.HOURS)
    async with world as hub:
        world.thinker.delay = 0.02
        name = await slow_table(hub, setup, ("random", "random"))
        while (await stored(hub.store, name)).table.n < 8:
            await asyncio.sleep(0.01)
    async with world as hub:
        live = await turn_of(hub, name, 0)
        assert "stood_in" not in "".join(await hub.log_of(name))
        assert live.due is not None


@scenario
async def test_who_moves_is_back(tmp_path: Path) -> None:
    world = Clocked(tmp_path)
    async with world as hub:
        name = await slow_table(hub)
    world.days_pass(4)
    async with world as hub:
        world.thinker.delay = 0.5
        async with hub.table(name) as live:
            while bot_to_move(live.table) is None:
                await asyncio.sleep(0.01)
            await live.run(m.Move("x", live.table.n, "roll"), [hash_of(SECRETS[0])])
            assert bot_to_move(live.table) is None


@scenario
async def test_a_log_that_cannot_be_read_is_tried_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    world = Clocked(tmp_path)
    async with world as hub:
        name = await slow_table(hub)
    world.days_pass(4)
    world.place.execute("UPDATE entries SET word = 'nonsense' WHERE n = 1")
    async with world as hub:
        await asyncio.sleep(0.4)
    assert (capfd.readouterr().err.count(name)) <= 1
