"""Strangers on the wire of a real server: everything that they send or do not read has an end."""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

import httpx
import pytest

from heckmeck.server.security import SECURITY_HEADERS
from tests.server.attackers import (
    MEGABYTE,
    STRANGER,
    Honest,
    Streams,
    deaf,
    dial,
    dialled,
    endless_head,
    hang_up,
    memory_of,
    pour,
)
from tests.server.client import Client, create
from tests.server.conftest import Count
from tests.server.frames import HANDSHAKE, frame
from tests.server.scenario import scenario
from tests.server.serving import GENEROUS, Server

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
UPLOAD = b"POST /api/records HTTP/1.1\r\nHost: localhost\r\n"
LIMITS = replace(
    GENEROUS,
    sockets=20,
    head_seconds=1,
    body_seconds=0.5,
    unread_seconds=1,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with pages and with little patience."""
    web = tmp_path_factory.mktemp("web")
    (web / "assets").mkdir()
    (web / "index.html").write_text("<!doctype html><title>Pages</title>")
    (web / "icon.svg").write_text("<svg/>")
    (web / "assets" / "large.bin").write_bytes(bytes(16 * MEGABYTE))
    folder = tmp_path_factory.mktemp("server")
    with Server(folder, web=str(web), limits=asdict(LIMITS)) as running:
        yield running


def head_of(answer: bytes) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer."""
    lines = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), {name.lower(): value for name, value in headers.items()}


def check_headers(headers: dict[str, str]) -> None:
    for name, value in SECURITY_HEADERS.items():
        assert headers[name.lower()] == value


async def answer_to(port: int, *pieces: bytes) -> bytes:
    """What comes back until the server closes the connection; it has to."""
    async with asyncio.timeout(10), dialled(port) as (reader, writer):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        return await reader.read()


# --- requests -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (HEAD + b"X: " + b"a" * 20_000, 431),  # never ends
        (HEAD + b"X: " + b"a" * 20_000 + b"\r\n\r\n", 431),
        (HEAD + b"a: b\r\n" * 20_000, 431),
        (b"GET /" + b"a" * 20_000, 414),
        (b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        (
            UPLOAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n" + b"a: b\r\n" * 20_000,
            431,
        ),
        (HEAD + b"Host: localhost\r\nX Y Z\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00 a TLS hello", 400),
        ((HEAD + b"\r\n") * 100, 429),
    ],
)
@scenario
async def test_what_is_too_much_is_refused_and_closed(
    server: Server, request_: bytes, status: int
) -> None:
    answer = await answer_to(server.port, request_)
    while answer.startswith(b"HTTP/1.1 200"):  # to what came before
        answer = answer[answer.index(b"HTTP/1.1", 1) :]
    got, headers = head_of(answer)
    assert got == status
    assert headers["connection"] == "close"
    check_headers(headers)
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["type"] == "problem"


@scenario
async def test_an_endless_head_is_not_taken(server: Server) -> None:
    """Some of it fits into buffers on the way; then nobody takes it any more."""
    for piece in (b"a" * MEGABYTE, b"b\r\n" + b"a: b\r\n" * 100_000 + b"X: "):
        assert await endless_head(server.port, piece, 64 * MEGABYTE) < 16 * MEGABYTE
    assert memory_of(server.pid) < 200


@scenario
async def test_who_takes_too_long_is_not_waited_for(server: Server) -> None:
    answers = await asyncio.gather(
        answer_to(server.port, HEAD),
        answer_to(server.port, UPLOAD + b"Content-Length: 100\r\n\r\n{"),
        answer_to(server.port, HEAD + b"\r\n", HEAD),
        answer_to(server.port),
    )
    slow_head, slow_body, slow_second, silent = answers
    for answer in (slow_head, slow_body):
        assert head_of(answer)[0] == 408
        check_headers(head_of(answer)[1])
    assert slow_second.startswith(b"HTTP/1.1 200")
    assert b"HTTP/1.1 408" in slow_second
    assert silent == b""  # browsers connect in advance: no answer without a question


def is_reset(writer: asyncio.StreamWriter) -> bool:
    """Whether the other side has cut the connection, as far as the system knows."""
    line: socket.socket = writer.get_extra_info("socket")
    tcp_close = 7
    return line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == tcp_close


@scenario
async def test_an_answer_that_is_not_read_is_given_up(server: Server) -> None:
    async with dialled(server.port) as (reader, writer):
        reader._transport.pause_reading()  # type: ignore[attr-defined] # noqa: SLF001
        writer.write(b"GET /assets/large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while not is_reset(writer):
            await asyncio.sleep(0.02)


@scenario
async def test_an_answer_that_is_read_slowly_is_sent_to_its_end(server: Server) -> None:
    async with dialled(server.port) as (reader, writer):
        writer.write(b"GET /assets/large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        read = 0
        while read < 16 * MEGABYTE:
            read += len(await reader.read(MEGABYTE))
            await asyncio.sleep(0.005)


async def has_page(line: Streams) -> bool:
    """Whether a page is given on this connection, which stays open then."""
    reader, writer = line
    writer.write(HEAD + b"\r\n")
    return (await reader.readline()).startswith(b"HTTP/1.1 200")


@scenario
async def test_one_address_has_so_many_connections(server: Server) -> None:
    """The next one is told why, people elsewhere do not notice, and places are given back."""
    lines = [await dial(server.port, "127.0.0.3") for _ in range(LIMITS.sockets)]
    for line in lines:
        assert await has_page(line)
    async with dialled(server.port, "127.0.0.3") as (reader, _):
        refused = await reader.read()
    assert head_of(refused)[0] == 429
    assert "20 connections from your address" in refused.decode()
    async with httpx.AsyncClient(base_url=server.url) as http:
        assert (await http.get("/healthz")).status_code == 200
    for _, writer in lines:
        await hang_up(writer)
    is_back = False
    while not is_back:
        async with dialled(server.port, "127.0.0.3") as line:
            is_back = await has_page(line)


# --- frames ---------------------------------------------------------------------------------------


async def say(server: Server, *pieces: bytes) -> bytes:
    """Send frames to a new table; return what comes back until the connection is closed."""
    made = await create(server.url)
    async with asyncio.timeout(10), dialled(server.port) as (reader, writer):
        writer.write(HANDSHAKE.format(name=made["id"]).encode())
        await reader.readuntil(b"\r\n\r\n")
        with suppress(ConnectionError):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
            return await reader.read()
    return b""


@pytest.mark.parametrize(
    "pieces",
    [
        frame(9, b"") * 300,  # pings
        frame(10, b"") * 300,
        frame(1, b"", fin=False) + frame(0, b"", fin=False) * 1000,
        frame(1, b'{"do":"ping","id":"a"}') * 2000,
    ],
    ids=["pings", "pongs", "parts", "messages"],
)
@scenario
async def test_more_frames_than_anybody_needs_end_the_connection(
    server: Server, pieces: bytes
) -> None:
    await say(server, pieces)


@scenario
async def test_what_is_no_text_ends_the_connection(server: Server) -> None:
    assert await say(server, frame(1, b"\xff\xfe")) == b"\x88\x02" + (1007).to_bytes(2, "big")
    assert "Traceback" not in server.log


@scenario
async def test_a_message_of_nested_lists_is_refused(server: Server) -> None:
    made = await create(server.url)
    async with Client(server.url, made["id"]) as client:
        await client.send('{"do": "ping", "id": "a", "x": ' + "[" * 4000)
        await client.until(lambda me: bool(me.stray))
        assert client.stray[0]["code"] == "bad_message"
        assert (await client.ask("ping"))["type"] == "pong"
    assert "Traceback" not in server.log


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (("Version: 13", "Version: 12"), 400),
        (("Sec-WebSocket-Key", "X-Key"), 400),
        (("Host: h", "Host: h\r\nTransfer-Encoding: chunked"), 400),
        (("Host: h", "Host: h" + "\r\na: b" * 200), 431),
        (("Host: h", "Host: h\r\nX: " + "a" * 10_000), 431),
        (("GET", "POST"), 405),
        (("/api/tables/", "/api/nothing/"), 403),
        (("Host: h", "Host: h\r\nOrigin: https://evil.example"), 403),
        (("", ""), 404),
    ],
)
@scenario
async def test_a_handshake_that_fails_is_answered_like_everything(
    server: Server, change: tuple[str, str], status: int
) -> None:
    handshake = HANDSHAKE.format(name="boka-miru-tela").replace(*change, 1)
    got, headers = head_of(await answer_to(server.port, handshake.encode()))
    assert got == status
    check_headers(headers)
    assert "Traceback" not in server.log


# --- paths, bodies, names -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/" + "a" * 300 + ".js", 404),
        ("/" + "a" * 7000, 200),
        ("/t/" + "a" * 7000, 200),
        ("/assets/" + "a" * 7000, 404),
        ("/assets/%00.js", 404),
        ("/%00.js", 404),
        ("/%ed%a0%80.js", 404),
        ("/api/tables/", 307),
        ("/api/records", 405),
        ("/icon.svg", 200),
    ],
)
def test_odd_addresses_are_answered_in_order(server: Server, path: str, status: int) -> None:
    answer = httpx.get(server.url + path)
    assert answer.status_code == status
    check_headers(dict(answer.headers))
    assert "Traceback" not in server.log


@pytest.mark.parametrize(
    "body",
    [
        b'{"setup": {"edition": "\xff"}}',
        b'{"setup": {"edition": "\\ud800"}}',
        b'{"setup": {"edition": "classic"}, "bots": ' + b"[" * 8000,
        b'{"setup": {"edition": "classic", "options": {"x": ' + b'{"x":' * 2000,
    ],
)
def test_a_body_that_is_no_json_is_refused(server: Server, body: bytes) -> None:
    answer = httpx.post(f"{server.url}/api/tables", content=body)
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_message"
    assert "Traceback" not in server.log


def test_half_a_surrogate_pair_in_a_record_is_no_accident_of_ours(server: Server) -> None:
    record = {"heckmeck": 1, "edition": "junior", "seats": ["A\ud800", "B"], "moves": []}
    answer = httpx.post(
        f"{server.url}/api/review?unit=worms", content=json.dumps(record), timeout=60
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["record"]["seats"] == record["seats"]
    assert "Traceback" not in server.log


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("192.168.1.5:8000", 200),
        ("raspberrypi.local:8000", 200),
        ("raspberrypi", 200),
        ("evil.example:8000", 421),
        ("127.0.0.1.evil.example", 421),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/bots", "/icon.svg", "/nothing.js"])
def test_pages_of_other_names_cannot_read_here(
    server: Server, path: str, host: str, status: int
) -> None:
    answer = httpx.get(server.url + path, headers={"Host": host})
    assert answer.status_code == (404 if status == 200 and path == "/nothing.js" else status)
    if status == 421:
        assert answer.json()["code"] == "bad_host"
        assert "--allow-host" in answer.json()["message"]
        check_headers(dict(answer.headers))


# --- at full strength -----------------------------------------------------------------------------


async def long_table(server: Server) -> tuple[str, bytes]:
    """A table with many events, and a hello that asks for most of them."""
    made = await create(server.url, bots=["random", "random"], pace=0)
    async with Client(server.url, made["id"], [made["secret"]]) as host:
        await host.do("start")
        await host.until(lambda me: me.n > 200)
        await host.do("pace", pace=5000)
        hello = json.dumps({"do": "hello", "id": "a", "last": host.n - 100}).encode()
    return made["id"], hello


async def heads_without_end(server: Server, count: Count) -> None:
    for piece in (b"a" * MEGABYTE, b"b\r\n" + b"a: b\r\n" * 200_000 + b"X: "):
        for _ in range(100):
            taken = await endless_head(server.port, piece, 200 * MEGABYTE)
            count("bytes of endless headers", taken)


async def crowd_that_stands_there(server: Server, count: Count) -> None:
    lines = [await dial(server.port, f"127.0.1.{number % 250}") for number in range(3000)]
    async with httpx.AsyncClient(base_url=server.url) as http:
        for _ in range(20):
            assert (await http.get("/healthz")).status_code == 200
    count("connections that say nothing", len(lines))
    for _, writer in lines:
        await hang_up(writer)


async def crowd_that_never_reads(server: Server, count: Count) -> None:
    name, hello = await long_table(server)
    crowd = (deaf(server.port, name, hello, 0.06, 700) for _ in range(60))
    count("requests of clients that never read", sum(await asyncio.gather(*crowd)))


async def pings_without_end(server: Server, count: Count) -> None:
    name, _ = await long_table(server)
    for _ in range(100):
        async with dialled(server.port, STRANGER) as (reader, writer):
            writer.write(HANDSHAKE.format(name=name).encode())
            await reader.readuntil(b"\r\n\r\n")
            ping = frame(9, b"x" * 100)
            count("pings", await pour(writer, ping * 2000, 200 * MEGABYTE) // len(ping))


Attack = Callable[[Server, Count], Awaitable[None]]


@pytest.mark.soak
@pytest.mark.parametrize(
    "attack",
    [heads_without_end, crowd_that_stands_there, crowd_that_never_reads, pings_without_end],
)
@scenario
async def test_nobody_spoils_the_evening(
    location: str, tmp_path: Path, attack: Attack, count: Count
) -> None:
    with Server(tmp_path, location) as server:
        made = await create(server.url)
        async with Client(server.url, made["id"]) as client, Honest(client) as honest:
            await attack(server, count)
        print(attack.__name__, honest.figures, f"{memory_of(server.pid):.0f} MB")
        assert memory_of(server.pid) < 250
        assert "Traceback" not in server.log
