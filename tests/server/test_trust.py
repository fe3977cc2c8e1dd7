"""Limits and origins of a real server with its own, ungenerous limits."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from heckmeck.server.limits import Limits, Rate
from tests.server.attackers import deaf
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server

STRICT = Limits(
    messages=Rate(10, 15),
    changes=Rate(0.01, 8),
    requests=Rate(1000, 1000),
    tables=Rate(1, 5),
    connections=6,
    strikes=20,
)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("strict"), limits=asdict(STRICT)) as running:
        yield running


async def table(server: Server) -> str:
    """A table, as soon as one may be made."""
    async with httpx.AsyncClient(base_url=server.url) as http:
        while True:
            answer = await http.post("/api/tables", json={"setup": {"edition": "classic"}})
            if answer.status_code == 201:
                return str(answer.json()["id"])
            await asyncio.sleep(0.2)


def live(server: Server, name: str) -> str:
    return f"{server.url.replace('http', 'ws')}/api/tables/{name}/live"


@scenario
async def test_a_message_may_have_4_kib(strict: Server) -> None:
    url = live(strict, await table(strict))
    async with connect(url, compression=None) as socket:
        padding = " " * (4096 - len('{"do":"ping","id":"a"}'))
        await socket.send('{"do":"ping","id":"a"' + padding + "}")
        assert json.loads(await socket.recv())["type"] == "pong"
        await socket.send('{"do":"ping","id":"a"' + padding + " }")
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


@scenario
async def test_a_message_in_pieces_has_the_same_limit(strict: Server) -> None:
    url = live(strict, await table(strict))
    async with connect(url, compression=None) as socket:
        await socket.send("x" * 1000 for _ in range(5))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


@scenario
async def test_who_is_too_fast_is_told_and_then_let_go(strict: Server) -> None:
    url = live(strict, await table(strict))
    async with connect(url, compression=None) as socket:
        for _ in range(50):
            await socket.send('{"do":"ping","id":"a"}')
        codes = []
        with suppress(ConnectionClosed):
            while True:
                codes.append(json.loads(await socket.recv()).get("code"))
        assert socket.close_code == 1008
    assert codes.count(None) >= 15
    assert codes.count("too_fast") == 19


@scenario
async def test_who_does_not_read_is_cut_off(server: Server) -> None:
    """A phone in a tunnel, or worse: it says hello again and again and never listens."""
    made = await create(server.url)
    async with Client(server.url, made["id"], [made["secret"]]) as host:
        for pace in range(100):
            await host.do("pace", pace=pace)
    hello = b'{"do":"hello","id":"a"}'
    assert await deaf(server.port, made["id"], hello, every=0.001, most=10_000) < 10_000
    await server.logged("too_slow")


@scenario
async def test_saying_hello_again_counts_as_a_change(strict: Server) -> None:
    async with Client(strict.url, await table(strict)) as client:
        for _ in range(STRICT.changes.burst):
            await client.do("hello", last=client.n)
        assert await client.refused("hello", last=client.n) == "too_fast"


@scenario
async def test_what_is_written_down_is_limited_too(strict: Server) -> None:
    async with Client(strict.url, await table(strict)) as ada:
        await ada.sit("Ada")
        codes = [(await ada.ask("emote", seat=0, emote="cheer")).get("code") for _ in range(9)]
        assert codes == [None] * 7 + ["too_fast"] * 2


@scenario
async def test_connections_from_one_address_are_limited(strict: Server) -> None:
    url = live(strict, await table(strict))
    sockets = [await connect(url, compression=None) for _ in range(6)]
    with pytest.raises(InvalidStatus) as turned_away:
        await connect(url, compression=None)
    response = turned_away.value.response
    assert response.status_code == 429
    assert json.loads(response.body or b"")["code"] == "too_many"
    for socket in sockets:
        await socket.close()
    await asyncio.sleep(0.1)
    async with connect(url, compression=None):
        pass


@scenario
async def test_coming_back_again_and_again_is_limited(tmp_path: Path) -> None:
    """A handshake counts as a request, however short the connection is."""
    limits = asdict(replace(STRICT, requests=Rate(0.001, 10)))
    with Server(tmp_path, limits=limits) as server:
        url = live(server, await table(server))

        async def come_and_go() -> None:
            for _ in range(10):
                async with connect(url, compression=None):
                    pass

        with pytest.raises(InvalidStatus) as turned_away:
            await come_and_go()
        response = turned_away.value.response
        assert response.status_code == 429
        assert json.loads(response.body or b"")["code"] == "too_fast"


def test_new_tables_from_one_address_are_limited(strict: Server) -> None:
    with httpx.Client(base_url=strict.url) as http:
        answers = [
            http.post("/api/tables", json={"setup": {"edition": "classic"}}) for _ in range(8)
        ]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert refused[-1].json()["code"] == "too_many"
    assert "wait" in refused[-1].json()["message"]
    assert refused[-1].json()["wait"] > 0


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        ("https://evil.example", None, 403),
        ("http://evil.example:{port}", "evil.example:{port}", 403),  # a name pointed to 127.0.0.1
        ("http://localhost.evil.example:{port}", None, 403),
        ("null", None, 403),
        ("http://[", None, 403),
        ("http://127.0.0.1:{port}", None, 101),
        ("http://localhost:{port}", "localhost:{port}", 101),
        ("http://localhost:{port}", None, 403),  # another origin than the page it came from
        ("http://127.0.0.1:1", None, 403),
    ],
)
@scenario
async def test_the_origin_is_checked_at_the_handshake(
    server: Server, origin: str, host: str | None, status: int
) -> None:
    made = await create(server.url)
    headers = {"Origin": origin.format(port=server.port)}
    address = f"/api/tables/{made['id']}/live"
    async with httpx.AsyncClient(base_url=server.url) as http:
        request = http.build_request(
            "GET",
            address,
            headers={
                **headers,
                **({"Host": host.format(port=server.port)} if host else {}),
                "Connection": "Upgrade",
                "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
            },
        )
        answer = await http.send(request, stream=True)
        assert answer.status_code == status
        if status == 403:
            await answer.aread()
            assert answer.json()["code"] == "bad_origin"
        await answer.aclose()


@scenario
async def test_a_table_that_is_not_there_is_told_at_the_handshake(server: Server) -> None:
    with pytest.raises(InvalidStatus) as turned_away:
        await connect(live(server, "boka-miru-tela"))
    response = turned_away.value.response
    assert response.status_code == 404
    assert json.loads(response.body or b"")["code"] == "no_such_table"
