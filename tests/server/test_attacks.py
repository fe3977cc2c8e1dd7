"""What one stranger can do to everybody else, at full scale: nothing worth speaking of."""

import asyncio
import json
import time
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from heckmeck.server.limits import Limits
from tests.server.client import Client, Made, create
from tests.server.conftest import Count
from tests.server.scenario import scenario
from tests.server.serving import MANY, Server

STRANGER = "127.0.0.2"
#: 256 KB of these are 35,718 legal words.
TURN = "roll =11111111 keep:1 "


def memory_of(server: Server) -> int:
    """The server's memory in MB, without that of its processes."""
    status = Path(f"/proc/{server.pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


async def strange_hints(url: str, made: Made, count: int) -> Counter[str]:
    """Sit down at a table of one's own, and ask for so many hints; return what was answered."""
    answers: Counter[str] = Counter()
    live = url.replace("http", "ws") + f"/api/tables/{made['id']}/live"
    async with connect(live, local_addr=(STRANGER, 0)) as socket:
        requests = [
            {"do": "hello", "id": "1", "secrets": [made["secret"]]},
            {"do": "sit", "id": "2", "name": "Eve"},
            {"do": "start", "id": "3"},
            *({"do": "hint", "id": f"hint-{number}"} for number in range(count)),
        ]
        for request in requests:
            await socket.send(json.dumps(request))
            await asyncio.sleep(0.05)
        async with asyncio.timeout(60):
            while answers.total() < count // 2:
                answer = json.loads(await socket.recv())
                if str(answer.get("id")).startswith("hint-"):
                    answers[answer["type"]] += 1
        socket.transport.abort()
    return answers


@pytest.mark.soak
@scenario
async def test_hints_for_64_connections_leave_bots_alone(
    location: str, tmp_path: Path, count: Count
) -> None:
    limits = replace(Limits(), tables=MANY, requests=MANY)
    with Server(tmp_path, location, limits=asdict(limits), advisor=True) as server:
        tables = [await create(server.url, bots=["chick"], hints=True, first=0) for _ in range(64)]
        mine = await create(server.url, "junior", bots=["fox"], pace=0, hints=True, first=0)
        began = time.monotonic()
        strangers = [asyncio.create_task(strange_hints(server.url, made, 40)) for made in tables]
        async with Client(server.url, mine["id"], [mine["secret"]]) as ada:
            await ada.sit("Ada")
            await ada.do("start")
            await ada.play_on()
            assert ada.is_over
            answers = sum(await asyncio.gather(*strangers), Counter[str]())
            seconds = time.monotonic() - began
            await ada.do("rematch")
            await ada.do("start")
            assert (await ada.do("hint"))["type"] == "hint"
    count("hints asked for by strangers and answered or refused", answers.total())
    assert answers["hint"] <= limits.hints.burst + limits.hints.per_second * seconds
    assert answers["refused"] > answers["hint"]


@pytest.mark.soak
@scenario
async def test_records_of_35718_words_are_turned_away(
    location: str, tmp_path: Path, count: Count
) -> None:
    with Server(tmp_path, location, limits=asdict(Limits())) as server:
        before = memory_of(server)
        record = f"edition: classic\nseats: A, B\n\n{TURN * 11_906}".encode()
        assert len(record) < Limits().record_bytes
        transport = httpx.AsyncHTTPTransport(local_address=STRANGER)
        async with httpx.AsyncClient(
            base_url=server.url, transport=transport, timeout=60
        ) as stranger:
            answers = await asyncio.gather(
                *(stranger.post("/api/records", content=record) for _ in range(20))
            )
            long = f"edition: classic\nseats: A, B\n\n{TURN * 1_666}".encode()
            await asyncio.sleep(25)  # until the stranger may make a table again
            made = (await stranger.post("/api/records", content=long)).json()
            async with Client(server.url, made["id"], [made["secret"]]) as host:
                for seat in (0, 1):
                    await host.do("set_bot", seat=seat, bot="chick")
                await host.do("start")
            replays = await asyncio.gather(
                *(stranger.get(f"/api/tables/{made['id']}/replay") for _ in range(15))
            )
        count("hostile records and replays", len(answers) + len(replays))
        assert {answer.status_code for answer in answers} <= {413, 429}
        assert {answer.status_code for answer in replays} <= {200, 429}
        assert 200 in {answer.status_code for answer in replays}
        assert memory_of(server) < before + 50
