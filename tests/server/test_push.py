"""Push messages: who is not connected is told, nothing but that, and never at a wrong place."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from heckmeck.hosting.autopilot import Timing
from heckmeck.server import admin, push
from heckmeck.server.hub import Hub
from heckmeck.server.push import MOST_DEVICES, Push
from heckmeck.server.store.backup import back_up, restore
from heckmeck.table.commands import SitDown
from heckmeck.table.keys import hash_of
from heckmeck.wire import requests as m
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.setup import Setup, Tempo
from tests.server.push_service import HERE, PushService
from tests.server.scenario import scenario
from tests.server.store.places import Place
from tests.server.test_autopilot import Strange
from tests.server.test_live import HOST, SECRETS, Ear
from tests.server.test_tempo import SLOW, slow_table

ADA, BEN = map(hash_of, SECRETS)


@asynccontextmanager
async def world(folder: Path, place: Place) -> AsyncIterator[tuple[Hub, Push, PushService]]:
    """A server and a push service."""
    async with PushService(folder) as service, place.opened() as store:
        told = Push(store, HERE, service.trusting())
        hub = Hub(store, Strange(), Timing(absence=0.02, roll_call=0.02, due=0.05), None, told)
        await hub.open()
        try:
            yield hub, told, service
        finally:
            await hub.close()


@pytest.fixture
def place(location: str) -> Place:
    return Place(location)


def wanted(service: PushService, path: str = "/x", language: str = "en") -> m.Subscribe:
    return m.Subscribe("s", 0, **service.subscription(path), language=language)


async def play_turn(hub: Hub, name: str, seat: int) -> None:
    """Let a player lose their turn: roll and keep whatever there is, until it is over."""
    async with hub.table(name) as live:
        while live.table.match is not None and live.table.match.state.seat == seat:
            choice = await Strange().choose("random", live.table.match.state)
            await live.run(m.Move("x", live.table.n, choice), [hash_of(SECRETS[seat])])


@scenario
async def test_who_is_not_there_is_told_once_a_turn(tmp_path: Path, place: Place) -> None:
    async with world(tmp_path, place) as (hub, told, service):
        name = await slow_table(hub, SLOW)
        await told.subscribe(name, BEN, wanted(service, language="de"), "https://play.example.org")
        await play_turn(hub, name, 0)
        assert await service.heard(1) == [{"table": name, "text": f"Du bist dran: {name}"}]
        head = service.heads[0]
        assert head.startswith("POST /x HTTP/1.1\r\n")
        assert "TTL: 259200\r\n" in head
        assert service.is_signed_by(told.key, head)
        assert name.encode() not in service.bodies[0]
        await asyncio.sleep(0.2)
        assert len(service.bodies) == 1


@scenario
async def test_who_is_there_is_not_told(tmp_path: Path, place: Place) -> None:
    async with world(tmp_path, place) as (hub, told, service):
        name = await slow_table(hub, SLOW)
        await told.subscribe(name, BEN, wanted(service), "")
        async with hub.table(name) as live:
            ben = Ear(SECRETS[1])
            live.join(ben, m.Hello("h"))
            await play_turn(hub, name, 0)
            await asyncio.sleep(0.2)
            live.leave(ben)
        assert service.bodies == []


@pytest.mark.parametrize("status", [404, 410])
@scenario
async def test_a_subscription_that_is_gone_is_deleted(
    tmp_path: Path, place: Place, status: int
) -> None:
    async with world(tmp_path, place) as (hub, told, service):
        service.status = status
        name = await slow_table(hub, SLOW)
        await told.subscribe(name, BEN, wanted(service), "")
        await play_turn(hub, name, 0)
        while await hub.store.subscriptions(name, BEN):
            await asyncio.sleep(0.02)


@scenario
async def test_a_service_that_hangs_holds_up_nobody(
    tmp_path: Path, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "SECONDS", 0.3)
    async with world(tmp_path, place) as (hub, told, service):
        service.hangs = True
        name = await slow_table(hub, SLOW)
        for seat in (ADA, BEN):
            await told.subscribe(name, seat, wanted(service), "")
        await play_turn(hub, name, 0)
        await service.heard(1)
        await play_turn(hub, name, 1)
        await service.heard(2)
        assert await hub.store.subscriptions(name, BEN)  # it may answer again


@scenario
async def test_subscriptions_go_with_the_seat_and_the_table(tmp_path: Path, place: Place) -> None:
    async with world(tmp_path, place) as (hub, told, service):
        name = await hub.create(Setup("classic", tempo=Tempo.DAYS), [], HOST)
        async with hub.table(name) as live:
            for seat, secret in enumerate(SECRETS):
                await live.run(SitDown(f"Player {seat}", seat, hash_of(secret)))
                await told.subscribe(name, hash_of(secret), wanted(service), "")
            await live.run(m.Leave("l", 0), [ADA])
            while await hub.store.subscriptions(name, ADA):
                await asyncio.sleep(0.02)
            assert await hub.store.subscriptions(name, BEN)
            await live.run(m.Close("c"), [hash_of(HOST)])
            while await hub.store.subscriptions(name, BEN):
                await asyncio.sleep(0.02)


@scenario
async def test_a_deleted_table_leaves_nothing(tmp_path: Path, place: Place) -> None:
    async with world(tmp_path, place) as (hub, told, service):
        name = await slow_table(hub, SLOW)
        await told.subscribe(name, BEN, wanted(service), "")
        await admin.delete(hub.store, name)
        assert place.rows("SELECT count(*) FROM pushes") == [(0,)]


@scenario
async def test_a_seat_has_a_few_devices(tmp_path: Path, place: Place) -> None:
    async with world(tmp_path, place) as (hub, told, service):
        for number in range(MOST_DEVICES + 3):
            await told.subscribe("fox", BEN, wanted(service, f"/{number}"), "")
        kept = await hub.store.subscriptions("fox", BEN)
        assert {endpoint[-1] for endpoint in kept} == set("34567")
        await hub.store.unsubscribe("fox", BEN, min(kept))
        assert len(await hub.store.subscriptions("fox", BEN)) == MOST_DEVICES - 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://10.1.2.3/x",
        "https://169.254.169.254/latest/meta-data",
        "https://192.168.1.1/",
        "https://0.0.0.0/",
        "https://224.0.0.1/",
        "https://8.8.8.8:22/",
        "https://user@8.8.8.8/",
        "https://8.8.8.8:port/",
        "https:///x",
        "https://[8.8.8.8/",
    ],
)
@scenario
async def test_no_message_goes_to_a_place_of_our_own(tmp_path: Path, endpoint: str) -> None:
    async with PushService(tmp_path) as service, Place(str(tmp_path / "db")).opened() as store:
        told = Push(store)
        given = {**service.subscription(), "endpoint": endpoint}
        with pytest.raises(Refused) as refused:
            await told.subscribe("fox", BEN, m.Subscribe("s", 0, **given), "")
        assert refused.value.code is Code.NO_PUSH
        assert await store.subscriptions("fox", BEN) == {}


@pytest.mark.parametrize(("key", "value"), [("auth", "AAAA"), ("p256dh", "AAAA"), ("auth", "A")])
@scenario
async def test_keys_are_checked(tmp_path: Path, key: str, value: str) -> None:
    async with PushService(tmp_path) as service, Place(str(tmp_path / "db")).opened() as store:
        given = {**service.subscription(), key: value}
        with pytest.raises(Refused, match="cannot be used"):
            await Push(store, HERE).subscribe("fox", BEN, m.Subscribe("s", 0, **given), "")


@scenario
async def test_the_key_is_made_once_and_is_in_backups(tmp_path: Path, place: Place) -> None:
    keys = []
    for _ in range(2):
        async with place.opened() as store:
            told = Push(store)
            await told.open()
            keys.append(told.key)
            await store.subscribe("fox", BEN, "https://push.example.org/", "{}", 5)
    assert keys[0] == keys[1]
    await back_up(place.location, tmp_path / "backup")
    await restore(tmp_path / "backup", place.location, force=True)
    async with place.opened() as store:
        told = Push(store)
        await told.open()
        assert told.key == keys[0]
        assert await store.subscriptions("fox", BEN) == {"https://push.example.org/": "{}"}
