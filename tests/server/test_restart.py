"""A server that ends, well or badly, and starts again: nobody notices more than a short break."""

import asyncio
import random
import signal
import time
from pathlib import Path

import pytest

from heckmeck.server.store import is_postgres
from tests.server.client import Client, Dropped, create
from tests.server.conftest import Count
from tests.server.scenario import scenario
from tests.server.serving import Server
from tests.server.truth import agreed, sent_with

#: Long enough for a machine that is busy with other things.
BACK_WITHIN = 60.0


class Stubborn:
    """A player who sends a move again until it is answered, as a page does."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name
        self.acknowledged: dict[str, int] = {}
        self.away = asyncio.Event()
        self.may_return = asyncio.Event()
        self.may_return.set()
        self.stop = False

    async def play(self) -> None:
        """Play until told to stop."""
        while not self.stop:
            try:
                await self.client.until(lambda me: self.stop or me.is_over or me.is_to_move, 0.2)
            except TimeoutError:
                if self.client.is_connected:
                    continue
                await self._come_back()
            if self.client.is_over:
                await self._rematch()
            elif self.client.is_to_move and not self.stop:
                await self._move()

    async def _move(self) -> None:
        name = f"{self.name}-{self.client.new_id()}"
        at, word = self.client.n, self.client.some_word()
        while True:
            try:
                answer = await self.client.ask("move", id=name, at=at, move=word)
            except Dropped:
                await self._come_back()
                continue
            if answer["type"] == "refused" and answer["code"] == "unavailable":
                await asyncio.sleep(0.05)
                continue
            assert answer["type"] == "ok", answer
            self.acknowledged[name] = answer["n"]
            return

    async def _rematch(self) -> None:
        """Both players ask; one of them is first."""
        for do in ("rematch", "start"):
            try:
                await self.client.ask(do)
            except Dropped:
                await self._come_back()

    async def _come_back(self) -> None:
        self.away.set()
        await self.may_return.wait()
        await self.client.back_within(BACK_WITHIN)
        self.away.clear()


async def tables_of_two(server: Server, count: int) -> list[Stubborn]:
    """Players at so many tables, all of them playing."""
    players: list[Stubborn] = []
    for table in range(count):
        made = await create(server.url, "junior" if table % 2 else "classic")
        for seat in range(2):
            client = Client(server.url, made["id"], [made["secret"]])
            await client.connect()
            await client.sit(f"Player {seat}", seat)
            players.append(Stubborn(client, f"p{len(players)}"))
        await players[-1].client.do("start")
    return players


async def check(location: str, players: list[Stubborn]) -> int:
    """No acknowledged move is missing, none is doubled, everybody saw what the log says."""
    moves = 0
    for name in {player.client.name for player in players}:
        here = [player for player in players if player.client.name == name]
        words = await agreed(location, [player.client for player in here])
        for player in here:
            for sender, n in player.acknowledged.items():
                assert sent_with(words, sender) == [n], f"{sender} in {words}"
                moves += 1
        ids = [word.partition(" ")[2] for word in words if " " in word and word[0] != "{"]
        assert len(ids) == len(set(ids)), "a move was played twice"
    return moves


async def kill_again_and_again(server: Server, times: int, tables: int, seed: int) -> int:
    """Kill the server under load, so often; return how many moves were acknowledged."""
    chance = random.Random(seed)
    players = await tables_of_two(server, tables)
    async with asyncio.TaskGroup() as games:
        for player in players:
            games.create_task(player.play())
        for _ in range(times):
            await asyncio.sleep(chance.uniform(0.05, 0.4))
            await kill_once(server, players)
        await asyncio.sleep(0.2)
        for player in players:
            player.stop = True
    moves = await check(server.location, players)
    for player in players:
        await player.client.drop()
    return moves


async def kill_once(server: Server, players: list[Stubborn]) -> None:
    """Kill it, start it, and wait until everybody is back in step."""
    for player in players:
        player.may_return.clear()
    server.kill()
    await asyncio.gather(*(player.away.wait() for player in players))
    server.launch()
    await asyncio.to_thread(server.wait)
    began = time.monotonic()
    for player in players:
        player.may_return.set()
    while any(player.away.is_set() for player in players):
        assert time.monotonic() - began < BACK_WITHIN, "not everybody is back in step"
        await asyncio.sleep(0.02)


def count_kills(count: Count, server: Server, kills: int, moves: int) -> None:
    kind = "PostgreSQL" if is_postgres(server.location) else "SQLite"
    count(f"kills of a server on {kind}", kills)
    count(f"moves acknowledged by killed servers on {kind}, all there once", moves)


@scenario
async def test_kill_under_load(location: str, tmp_path: Path, count: Count) -> None:
    with Server(tmp_path / "server", location) as server:
        moves = await kill_again_and_again(server, times=6, tables=4, seed=1)
    count_kills(count, server, 6, moves)
    assert moves > 50


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
@scenario
async def test_kill_under_load_for_long(
    location: str, tmp_path: Path, seed: int, count: Count
) -> None:
    with Server(tmp_path / "server", location) as server:
        moves = await kill_again_and_again(server, times=10, tables=6, seed=seed)
    count_kills(count, server, 10, moves)
    assert moves > 100


@scenario
async def test_a_restart_in_mid_turn(location: str, tmp_path: Path) -> None:
    with Server(tmp_path / "server", location) as server:
        players = await tables_of_two(server, 2)
        clients = [player.client for player in players]
        for client in clients:
            if client.is_to_move:
                await client.move("roll")
        for client in clients:
            await client.until(lambda me: me.state is not None and me.state["turn"]["roll"])
        before = [(client.n, client.state) for client in clients]
        assert server.stop() == 0
        server.start()
        for client in clients:
            await client.back_within(BACK_WITHIN)
        assert [(client.n, client.state) for client in clients] == before
        await asyncio.gather(*(client.play_on() for client in clients))
        assert all(client.is_over for client in clients)
        for client in clients:
            await client.drop()


@scenario
async def test_a_bot_goes_on_thinking_after_a_restart(tmp_path: Path) -> None:
    with Server(tmp_path / "server") as server:
        made = await create(server.url, "junior", bots=["chick", "chick"], pace=30)
        host = Client(server.url, made["id"], [made["secret"]])
        await host.connect()
        await host.do("start")
        await host.until(lambda me: me.n > 6)
        server.kill()
        server.start()
        await host.back_within(BACK_WITHIN)
        await host.do("pace", pace=0)
        await host.until(lambda me: me.is_over)
        await host.drop()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
@scenario
async def test_it_ends_cleanly_when_asked_to(tmp_path: Path, sign: signal.Signals) -> None:
    """Clients are told that the service restarts, and no traceback is left behind."""
    with Server(tmp_path / "server") as server:
        made = await create(server.url, bots=["random"], pace=0)
        client = Client(server.url, made["id"], [made["secret"]])
        await client.connect()
        await client.sit("Ada")
        await client.do("start")
        await client.until(lambda me: me.n > 10 or me.is_to_move)
        status = await asyncio.to_thread(server.stop, sign)
        await client.until(lambda me: not me.is_connected)
        assert client.close_code == 1012
        assert status == 0, server.log
        assert "Traceback" not in server.log
