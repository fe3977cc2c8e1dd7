"""Bots that the host of a server brought, at its tables: good ones, bad ones, and strangers."""

import asyncio
import time
from pathlib import Path

import httpx
import pytest

from heckmeck.bots import BotMisbehaved
from heckmeck.rules import new_game
from heckmeck.server.thinking import Thinker
from tests.server.client import Client, Made, create
from tests.server.scenario import scenario
from tests.server.serving import Server

GUESTS = {
    name: f"py:tests.server.guests:{name}"
    for name in ("First", "AtOnce", "Breaks", "Cheats", "Hangs", "Dies")
}
STATE = new_game("classic", 2)


async def over(server: Server, made: Made) -> Client:
    """Watch a table of bots until its game is over."""
    client = Client(server.url, made["id"], [made["secret"]])
    await client.connect()
    await client.do("start")
    await client.until(lambda me: me.is_over, seconds=60)
    return client


@pytest.mark.parametrize("guest", ["First", "AtOnce", "Breaks", "Cheats"])
@scenario
async def test_a_guest_plays_to_the_end_or_is_replaced(tmp_path: Path, guest: str) -> None:
    with Server(tmp_path, bots=GUESTS) as server:
        made = await create(server.url, "junior", bots=[guest, "chick"], seats=2, pace=0)
        client = await over(server, made)
        assert [seat["bot"] for seat in client.table["seats"]] == [guest, "chick"]
        assert client.table["seats"][0]["name"] == guest
        await client.drop()
        failed = server.log.count("bot_failed")
    assert (failed > 0) is (guest in ("Breaks", "Cheats"))
    if guest == "Breaks":
        assert "ZeroDivisionError: at seat 0" in server.log
    if guest == "Cheats":
        assert "'pinch:6', which is not legal; legal are" in server.log


@scenario
async def test_strangers_see_names_and_can_name_nothing_else(tmp_path: Path) -> None:
    with Server(tmp_path, bots=GUESTS) as server:
        async with httpx.AsyncClient(base_url=server.url) as http:
            listed = {bot["name"]: bot for bot in (await http.get("/api/bots")).json()["bots"]}
            assert listed["First"]["about"] == "Takes the first of everything."
            assert listed["AtOnce"]["about"] == ""
            assert "tests.server" not in str(listed)
            for bot in (
                "py:tests.server.guests:First",
                "py:antigravity:X",
                "exec:ls",
                "champion:x",
            ):
                body = {"setup": {"edition": "junior"}, "bots": [bot]}
                answer = await http.post("/api/tables", json=body)
                assert answer.json()["code"] == "no_such_bot"
        made = await create(server.url, "junior", seats=2)
        client = Client(server.url, made["id"], [made["secret"]])
        await client.connect()
        refused = await client.ask("set_bot", seat=0, bot="py:tests.server.guests:First")
        assert refused["code"] == "no_such_bot"
        await client.drop()
    with Server(tmp_path / "other") as server, httpx.Client(base_url=server.url) as plain:
        body = {"setup": {"edition": "junior"}, "bots": ["First"]}
        assert plain.post("/api/tables", json=body).json()["code"] == "no_such_bot"


@scenario
async def test_one_that_hangs_or_dies_holds_up_nobody_else() -> None:
    thinker = Thinker(guests=GUESTS, move_seconds=1)
    for bot in ("First", "chick"):  # their processes have started
        assert await thinker.choose(bot, STATE) == "roll"
    stuck = [asyncio.create_task(thinker.choose(bot, STATE)) for bot in ("Hangs", "Dies")]
    await asyncio.sleep(0.1)
    assert await thinker.choose("chick", STATE) == "roll"
    assert not stuck[0].done()
    began = time.monotonic()
    for task, bot in zip(stuck, ("Hangs", "Dies"), strict=True):
        with pytest.raises(BotMisbehaved, match=f"{bot} ended its process, or did not answer"):
            await task
    assert await thinker.choose("AtOnce", STATE) == "roll"
    assert time.monotonic() - began < 30
    thinker.close()
