"""Several workers on one PostgreSQL: whoever writes first is right, and everybody hears of it."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from heckmeck.hosting.autopilot import Timing
from heckmeck.server.limits import Rate
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import GENEROUS, Server
from tests.server.store.postgres import Postgres
from tests.server.truth import replayed, sent_with, state_of, texts_of


@pytest.fixture(scope="module")
def pair(
    postgres: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    """Two servers with one database; they have time to answer each other, however busy we are."""
    location = postgres.fresh()
    folder = tmp_path_factory.mktemp("pair")
    patient = asdict(Timing(absence=0.2, roll_call=5))
    with (
        Server(folder / "one", location, timing=patient) as one,
        Server(folder / "two", location, timing=patient) as two,
    ):
        yield one, two


async def one_on_each(pair: tuple[Server, Server], edition: str = "junior") -> list[Client]:
    """Two players of one game, each on a server of their own."""
    made = await create(pair[0].url, edition, pace=0)
    clients = [Client(server.url, made["id"], [made["secret"]]) for server in pair]
    for client, name in zip(clients, ("Ada", "Ben"), strict=True):
        await client.connect()
        await client.sit(name)
    await clients[0].until(lambda me: None not in me.table["seats"])
    return clients


@scenario
async def test_a_game_across_two_workers(pair: tuple[Server, Server]) -> None:
    ada, ben = await one_on_each(pair)
    await ben.do("start")
    await asyncio.gather(ada.play_on(), ben.play_on())
    await asyncio.gather(ada.until(lambda me: me.n >= ben.n), ben.until(lambda me: me.n >= ada.n))
    table, events = replayed(await texts_of(pair[0].location, ada.name))
    assert ada.entries == ben.entries == events
    assert ada.state == ben.state == state_of(table)
    await ada.drop()
    await ben.drop()


@scenario
async def test_of_two_workers_who_write_at_once_one_loses_cleanly(
    pair: tuple[Server, Server],
) -> None:
    ada, ben = await one_on_each(pair)
    answers = await asyncio.gather(*(client.ask("start") for client in (ada, ben)))
    assert sorted(answer["type"] for answer in answers) == ["ok", "refused"]
    assert next(a for a in answers if a["type"] == "refused")["code"] == "already_started"
    await asyncio.gather(*(client.until(lambda me: me.state is not None) for client in (ada, ben)))

    mover = ada if ada.is_to_move else ben
    async with (
        Client(pair[0].url, ada.name, mover.secrets) as phone,
        Client(pair[1].url, ada.name, mover.secrets) as tablet,
    ):
        at = phone.n
        rolls = await asyncio.gather(
            phone.ask("move", at=at, move="roll", id="one"),
            tablet.ask("move", at=at, move="roll", id="two"),
        )
        assert sorted(roll["type"] for roll in rolls) == ["ok", "refused"]
        assert next(roll for roll in rolls if roll["type"] == "refused")["code"] == "stale"
    await ada.drop()
    await ben.drop()


@scenario
async def test_a_move_sent_again_to_another_worker_is_played_once(
    pair: tuple[Server, Server],
) -> None:
    ada, ben = await one_on_each(pair)
    await ada.do("start")
    await asyncio.gather(*(client.until(lambda me: me.state is not None) for client in (ada, ben)))
    mover = ada if ada.is_to_move else ben
    at = mover.n
    answer = await mover.ask("move", id="again", at=at, move="roll")
    other = pair[1] if mover is ada else pair[0]
    async with Client(other.url, mover.name, mover.secrets) as elsewhere:
        assert await elsewhere.ask("move", id="again", at=at, move="roll") == answer
    await ada.drop()
    await ben.drop()


@scenario
async def test_a_move_on_an_old_table_is_refused_with_the_new_one(
    pair: tuple[Server, Server],
) -> None:
    """News of a move may reach another worker's clients after its answer: nothing is lost by it."""
    ada, ben = await one_on_each(pair)
    await ada.do("start")
    await asyncio.gather(*(client.until(lambda me: me.state is not None) for client in (ada, ben)))
    mover = ada if ada.is_to_move else ben
    other = pair[1] if mover is ada else pair[0]
    async with Client(other.url, mover.name, mover.secrets) as elsewhere:
        old = elsewhere.n
        rolled = await mover.do("move", id="first", at=old, move="roll")
        refused = await elsewhere.ask("move", id="early", at=old, move="roll")
        assert (refused["type"], refused["code"]) == ("refused", "stale")
        assert refused["n"] > rolled["n"]
        keep = refused["state"]["legal"][0]
        again = await elsewhere.do("move", id="again", at=refused["n"], move=keep)
        words = await texts_of(pair[0].location, mover.name)
        assert sent_with(words, "first") == [rolled["n"]]
        assert sent_with(words, "early") == []
        assert sent_with(words, "again") == [again["n"]]
    await ada.drop()
    await ben.drop()


@scenario
async def test_joining_races_between_workers(pair: tuple[Server, Server]) -> None:
    made = await create(pair[0].url, seats=4)
    clients = [Client(pair[place % 2].url, made["id"]) for place in range(8)]
    for client in clients:
        await client.connect()
    answers = await asyncio.gather(
        *(client.ask("sit", name=f"P{place}") for place, client in enumerate(clients))
    )
    assert sorted(a["seat"] for a in answers if a["type"] == "seated") == [0, 1, 2, 3]
    assert [a["code"] for a in answers if a["type"] == "refused"] == ["table_full"] * 4
    for client in clients:
        await client.until(lambda me: None not in me.table["seats"])
        await client.drop()


@scenario
async def test_a_player_on_another_worker_is_not_taken_for_absent(
    pair: tuple[Server, Server],
) -> None:
    """A worker that misses the player to move calls the roll; the other one answers."""
    ada, ben = await one_on_each(pair)
    await ada.do("options", patience=1)
    await ada.do("start")
    await asyncio.gather(*(client.until(lambda me: me.state is not None) for client in (ada, ben)))
    await asyncio.sleep(2)
    await ada.until(lambda me: not any(seat.get("away") for seat in me.table["seats"]))
    done = [what["do"] for what in ada.entries.values()]
    assert "stood_in" not in done
    assert done.count("came_back") == done.count("went_away") > 0
    await ada.drop()
    await ben.drop()


@scenario
async def test_a_table_looked_at_without_a_seat_is_up_to_date_everywhere(
    pair: tuple[Server, Server],
) -> None:
    ada, ben = await one_on_each(pair)
    async with httpx.AsyncClient() as http:
        await http.get(f"{pair[1].url}/api/tables/{ada.name}")
        await ben.drop()
        await ada.do("name", seat=0, name="Adele")
        for _ in range(100):
            now = (await http.get(f"{pair[1].url}/api/tables/{ada.name}")).json()
            if now["n"] == ada.n:
                break
            await asyncio.sleep(0.05)
    assert now["table"]["seats"][0]["name"] == "Adele"
    await ada.drop()


@scenario
async def test_bots_are_moved_by_one_worker_at_a_time(pair: tuple[Server, Server]) -> None:
    """Both workers look after the table; each move is made once."""
    made = await create(pair[0].url, "junior", bots=["chick", "chick"], pace=0)
    async with (
        Client(pair[0].url, made["id"], [made["secret"]]) as one,
        Client(pair[1].url, made["id"]) as two,
    ):
        await one.do("start")
        await asyncio.gather(*(client.until(lambda me: me.is_over) for client in (one, two)))
        await asyncio.gather(
            one.until(lambda me: me.n >= two.n), two.until(lambda me: me.n >= one.n)
        )
        assert one.entries == two.entries


def test_workers_end_when_their_parent_is_killed(postgres: Postgres, tmp_path: Path) -> None:
    """Otherwise they would keep the port, and the next server could not start."""
    with Server(tmp_path / "server", postgres.fresh(), workers=2) as server:
        server.kill()
        deadline = time.monotonic() + 20
        while True:
            try:
                httpx.get(f"{server.url}/healthz")
            except httpx.TransportError:
                break
            assert time.monotonic() < deadline, "the workers are still there"
            time.sleep(0.05)
        server.start()


@scenario
async def test_the_command_starts_several_workers(postgres: Postgres, tmp_path: Path) -> None:
    """Eight players on two processes that share a port; it ends cleanly, both of them."""
    with Server(tmp_path / "server", postgres.fresh(), workers=2) as server:
        made = await create(server.url, seats=7)
        clients = [Client(server.url, made["id"], [made["secret"]]) for _ in range(7)]
        for place, client in enumerate(clients):
            await client.back_within(20)
            await client.sit(f"P{place}")
        await clients[3].do("start")
        for client in clients:
            await client.until(lambda me: me.state is not None)
        await asyncio.gather(*(client.play_on(1) for client in clients if client.is_to_move))
        newest = max(client.n for client in clients)
        for client in clients:
            await client.until(lambda me: me.n >= newest)
            await client.drop()
        assert await asyncio.to_thread(server.stop) == 0
        assert "Traceback" not in server.log


@scenario
async def test_limits_hold_for_all_workers_together(postgres: Postgres, tmp_path: Path) -> None:
    limits = asdict(replace(GENEROUS, connections=6, tables=Rate(0.0001, 4)))
    with Server(tmp_path, postgres.fresh(), workers=2, limits=limits) as server:
        made = [await _new_table(server) for _ in range(16)]
        names = [name for name in made if name is not None]
        assert 2 <= len(names) <= 4
        clients = [Client(server.url, names[0]) for _ in range(24)]
        connected = 0
        for client in clients:
            with suppress(InvalidStatus):
                await client.connect()
                connected += 1
        assert 3 <= connected <= 6
        for client in clients:
            await client.drop()


async def _new_table(server: Server) -> str | None:
    """Make a table on a connection of its own, so that any worker may get it."""
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as http:
        answer = await http.post("/api/tables", json={"setup": {"edition": "classic"}})
    name: str | None = answer.json().get("id")
    return name
