"""Records made to be long: they are refused, paged, or read where nobody has to wait."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from heckmeck.hosting.games import MOST_MOVES, PAGE, imported, replay_page
from heckmeck.hosting.live import remember
from heckmeck.record import read_record, replay
from heckmeck.server.thinking import MOST_OF_ONE, Thinker
from heckmeck.table.keys import Vault
from heckmeck.table.model import after
from heckmeck.wire import answers as m
from heckmeck.wire import entries as a
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.states import game_state
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server

TURN = ["roll", "=11111111", "keep:1"]


def endless(words: int) -> dict[str, Any]:
    """A game of two who always fail; it never ends."""
    moves = (TURN * (words // 3 + 1))[:words]
    return {"heckmeck": 1, "edition": "classic", "seats": ["Ada", "Ben"], "moves": moves}


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("address", ["/api/records", "/api/records?at=3", "/api/review"])
def test_a_record_of_too_many_words_is_refused(http: httpx.Client, address: str, form: str) -> None:
    record = endless(MOST_MOVES + 1)
    text = "edition: classic\nseats: Ada, Ben\n\n" + " ".join(record["moves"])
    content = json.dumps(record) if form == "json" else text
    answer = http.post(address, content=content.encode())
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert f"up to {MOST_MOVES} moves" in answer.json()["message"]


def test_moves_are_counted_before_any_is_played() -> None:
    record = endless(MOST_MOVES + 1)
    record["moves"][0] = "stop"
    with pytest.raises(Refused) as refused:
        imported(json.dumps(record).encode(), None, False, "", Vault(b""))
    assert refused.value.code is Code.TOO_LARGE


def test_a_long_replay_comes_in_pages(http: httpx.Client) -> None:
    record = endless(2 * PAGE + 7)
    made = http.post("/api/records", json=record).json()
    address = f"/api/tables/{made['id']}/replay"
    assert http.get(address).json()["code"] == "not_playing"
    asyncio.run(_start(str(http.base_url), made))
    pages = [
        msgspec.json.decode(http.get(f"{address}?from={first}").content, type=m.Replay)
        for first in (0, PAGE, 2 * PAGE, 2 * PAGE + 7)
    ]
    assert [len(page.moments) for page in pages] == [PAGE, PAGE, 8, 1]
    assert [page.moves for page in pages] == [2 * PAGE + 7] * 4
    moments = [moment for page in pages[:3] for moment in page.moments]
    assert [moment.move for moment in moments] == [None, *record["moves"]]
    assert [moment.after for moment in moments] == [*range(2 * PAGE + 8)]
    assert pages[3].moments == moments[-1:]
    states = [
        msgspec.to_builtins(game_state(step.state))
        for step in replay(read_record(json.dumps(record).encode()))
    ]
    assert http.get(f"{address}?from=5").json()["moments"][0]["state"] == states[4]
    beyond = http.get(f"{address}?from={2 * PAGE + 8}")
    assert (beyond.status_code, beyond.json()["code"]) == (400, "bad_message")


async def _start(url: str, made: dict[str, str]) -> None:
    async with Client(url.rstrip("/"), made["id"], [made["secret"]]) as ada:
        for seat in (0, 1):
            await ada.do("set_bot", seat=seat, bot="chick")
        await ada.do("pace", pace=5000)
        await ada.do("start")


def test_the_start_plays_no_word_of_the_record_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It happens on the event loop: others would wait for it."""
    entries, _ = imported(json.dumps(endless(MOST_MOVES)).encode(), None, False, "", Vault(b""))
    table = remember(entries).table
    monkeypatch.setattr("heckmeck.table.model.replay", None)
    started = after(table, a.Started(0, drawn=False, salts=("", ""))).table
    assert started.match is not None
    assert started.match.imported == MOST_MOVES
    assert started.match.plays.moves == table.opening.moves


@scenario
async def test_a_long_record_is_there_again_after_a_restart(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with Server(tmp_path_factory.mktemp("long")) as server:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
            made = (await http.post("/api/records", json=endless(MOST_MOVES))).json()
            server.stop()
            server.start()
            now = (await http.get(f"/api/tables/{made['id']}")).json()
    assert now["table"]["moves"] == MOST_MOVES


@scenario
async def test_who_breaks_off_a_request_is_not_worked_for(server: Server) -> None:
    """More requests than may wait for one address, all broken off: the next is answered."""
    made = await create(server.url, bots=["chick", "chick"])
    async with Client(server.url, made["id"], [made["secret"]]) as ada:
        await ada.do("start")
        async with httpx.AsyncClient(base_url=server.url) as http:
            body = json.dumps(endless(1500)).encode()
            hasty = httpx.Timeout(60, read=0.05)
            for _ in range(MOST_OF_ONE + 4):
                with pytest.raises(httpx.ReadTimeout):
                    await http.post("/api/review", content=body, timeout=hasty)
            answer = await http.get(f"/api/tables/{made['id']}/review", timeout=60)
    assert answer.status_code == 200, answer.text


@scenario
async def test_tables_survive_the_way_from_a_process() -> None:
    thinker = Thinker()
    sent = json.dumps(endless(900)).encode()
    vault = Vault(b"v" * 32)
    entries, made = await thinker.records.run("ada", imported, sent, 600, True, "host", vault)
    memory = await thinker.records.run("ada", remember, entries)
    assert memory.table == made.table == remember(entries).table
    with pytest.raises(Refused) as refused:
        await thinker.records.run("ada", replay_page, made.table, 0)
    assert refused.value.code is Code.NOT_PLAYING
    thinker.close()
