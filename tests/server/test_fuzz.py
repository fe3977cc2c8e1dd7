"""Nonsense on every input: it is refused, the others notice nothing, and nothing breaks."""

import asyncio
import json
import random
import struct
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect

from heckmeck.wire import requests as m
from heckmeck.wire.schema import schema
from tests.server.attackers import hang_up
from tests.server.client import Client, create
from tests.server.frames import HANDSHAKE, frame
from tests.server.scenario import scenario
from tests.server.serving import HOST, Server

# --- messages -------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
KINDS = [
    schema()["$defs"][reference["$ref"].rpartition("/")[2]]["properties"]["do"]["enum"][0]
    for reference in schema()["$defs"]["Request"]["anyOf"]
]
FIELDS = [
    "at", "bot", "edition", "emote", "first", "hints", "last", "name", "options", "pace",
    "patience", "seat", "seats", "secret", "secrets", "undo", "move", "salt", "turn", "plate",
    "empty",
]  # fmt: skip
fields = st.dictionaries(
    st.sampled_from(FIELDS), json_values | st.integers(-2, 9) | st.sampled_from(["roll", "random"])
)
requests = st.builds(
    lambda do, name, rest: {**rest, "do": do, "id": name},
    st.sampled_from(KINDS) | st.text(max_size=10),
    st.text("abc-_", min_size=1, max_size=36) | json_values,
    fields,
)
texts = st.text(max_size=300) | (json_values | requests).map(json.dumps)


def test_every_request_is_tried() -> None:
    assert len(KINDS) == len(m.AnyRequest.__args__)


@settings(max_examples=25)
@given(st.lists(texts, min_size=1, max_size=40))
def test_nonsense_on_a_connection_is_answered(server: Server, messages: list[str]) -> None:
    """It is refused or done, and the connection stays."""

    @scenario
    async def talk() -> None:
        made = await create(server.url, bots=["random"], pace=0)
        url = f"{server.url.replace('http', 'ws')}/api/tables/{made['id']}/live"
        async with asyncio.timeout(10), connect(url, compression=None) as socket:
            hello = {"do": "hello", "id": "a", "secrets": [made["secret"]]}
            for text in (json.dumps(hello), *messages, '{"do": "ping", "id": "the-end"}'):
                if len(text.encode()) <= 4096:
                    await socket.send(text)
            while (answer := json.loads(await socket.recv())).get("id") != "the-end":
                assert answer.get("code") != "internal"

    talk()
    assert "Traceback" not in server.log


# --- bytes ----------------------------------------------------------------------------------------


def nonsense(chance: random.Random) -> bytes:
    """Frames of all kinds, whole and broken."""
    return b"".join(
        chance.choice(
            (
                lambda: chance.randbytes(chance.randrange(200)),
                lambda: frame(chance.randrange(16), chance.randbytes(chance.randrange(300))),
                lambda: frame(1, chance.randbytes(20), fin=False),
                lambda: frame(0, chance.randbytes(20)),
                lambda: frame(1, b"\xff\xfe\xfd"),
                lambda: frame(1, b'{"do":"ping","id":"a"}', rsv=chance.randrange(8)),
                lambda: frame(1, b'{"do":"ping","id":"a"}', mask=chance.random() < 0.5),
                lambda: frame(9, chance.randbytes(chance.randrange(200))),
                lambda: frame(8, chance.randbytes(chance.randrange(130))),
                lambda: frame(2, chance.randbytes(5000)),
                lambda: b"\x81\xff" + struct.pack("!Q", 2**63 + 5),
            )
        )()
        for _ in range(chance.randrange(1, 8))
    )


async def throw_at(port: int, data: bytes) -> None:
    """Send bytes and read until the server closes or has nothing more to say."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        writer.write(data)
        await writer.drain()
        writer.write_eof()
        async with asyncio.timeout(0.3):
            await reader.read()
    except (TimeoutError, ConnectionError):
        pass
    finally:
        await hang_up(writer)


@scenario
async def test_broken_frames_disturb_nobody(server: Server) -> None:
    made = await create(server.url, "junior", bots=["random", "random"], pace=0)
    chance = random.Random(7)
    async with Client(server.url, made["id"], [made["secret"]]) as watcher:
        await watcher.do("start")
        handshake = HANDSHAKE.format(name=made["id"]).encode()
        for _ in range(15):
            await asyncio.gather(
                *(throw_at(server.port, handshake + nonsense(chance)) for _ in range(8)),
                *(throw_at(server.port, nonsense(chance)) for _ in range(2)),
            )
        await watcher.until(lambda me: me.is_over)
        assert (await watcher.ask("ping"))["type"] == "pong"
    async with httpx.AsyncClient() as http:
        for _ in range(100):
            health = (await http.get(f"{server.url}/healthz")).json()
            if health["connections"] == 0:
                break
            await asyncio.sleep(0.05)
    assert health["connections"] == 0, "a connection was not given back"


# --- HTTP -----------------------------------------------------------------------------------------

PATHS = [
    "/", "/healthz", "/api/tables", "/api/tables/{name}", "/api/tables/{name}/record",
    "/api/tables/{name}/record.json", "/api/tables/{name}/record.txt", "/api/tables/{name}/replay",
    "/api/tables/{name}/live", "/api/records", "/api/bots", "/api/editions", "/api/schema",
    "/t/{name}", "/nothing",
]  # fmt: skip
bodies = (
    st.binary(max_size=300)
    | json_values.map(lambda value: json.dumps(value).encode())
    | st.fixed_dictionaries(
        {"setup": st.fixed_dictionaries({"edition": st.sampled_from(["classic", "junior", "x"])})},
        optional={"bots": st.lists(st.sampled_from(["random", "x"]), max_size=9) | json_values},
    ).map(lambda value: json.dumps(value).encode())
    | st.builds(
        lambda edition, moves: json.dumps(
            {"heckmeck": 1, "edition": edition, "seats": ["a", "b"], "moves": moves}
        ).encode(),
        st.sampled_from(["classic", "deluxe"]),
        st.lists(st.sampled_from(["roll", "=11234WWW", "keep:W", "stop"]), max_size=4),
    )
)
queries = st.dictionaries(
    st.sampled_from(["at", "game", "public", "x"]), st.text(max_size=6) | st.sampled_from("012")
)
calls = st.fixed_dictionaries(
    {
        "method": st.sampled_from(
            ["GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]
        ),
        "path": st.sampled_from(PATHS),
        "name": st.sampled_from(["", "boka-miru-tela"]) | st.text(max_size=20),
        "params": queries,
        "content": bodies,
        "kind": st.sampled_from(["application/json", "text/plain", "x"]),
    }
)


@pytest.fixture(scope="module")
def some_table(server: Server) -> str:
    body = {"setup": {"edition": "classic"}}
    name: str = httpx.post(f"{server.url}/api/tables", json=body).json()["id"]
    return name


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


@settings(max_examples=200)
@given(calls)
def test_nonsense_over_http_is_refused_in_kind(
    http: httpx.Client, some_table: str, call: dict[str, Any]
) -> None:
    """Never a 500; every refusal is a typed problem; every answer has the security headers."""
    answer = http.request(
        call["method"],
        call["path"].format(name=quote(call["name"], safe="") or some_table),
        params=call["params"],
        content=call["content"],
        headers={"Content-Type": call["kind"]},
    )
    assert answer.status_code in (200, 201, 400, 404, 405, 409, 413), answer.text
    assert "content-security-policy" in answer.headers
    if answer.status_code >= 400 and call["method"] != "HEAD":
        problem = answer.json()
        assert problem["type"] == "problem"
        assert problem["message"].endswith(".")
