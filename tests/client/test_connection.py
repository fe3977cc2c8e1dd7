"""The connection with servers that are none of ours, too old, too new, busy or silent."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from heckmeck.client import connection as connecting
from heckmeck.client.address import TableAddress
from heckmeck.client.connection import Broken, Connection, NotDone, TurnedAway
from heckmeck.client.table import Answer
from heckmeck.wire.answers import PROTOCOL, Ok, Welcome
from heckmeck.wire.requests import AskHint, Hello, Move, Start
from tests.client.screen import run

Handler = Callable[[ServerConnection], Awaitable[None]]
Deny = Callable[[ServerConnection, Request], Response | None]

WELCOME = {
    "type": "welcome",
    "id": "x",
    "protocol": PROTOCOL,
    "n": 0,
    "you": {"seats": [], "host": False},
    "table": {
        "id": "boka-miru-tela",
        "status": "waiting",
        "round": 0,
        "dice": {"commitment": ""},
        "setup": {"edition": "classic", "public": False, "hints": False, "undo": True, "pace": 0},
        "seats": [None, None],
    },
}


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(connecting, "LAST_PAUSE", 0.02)


class Line:
    """A connection that runs, and what it heard."""

    def __init__(self, port: int) -> None:
        self.heard: list[Answer] = []
        self.links: list[bool] = []
        self.connection = Connection(
            TableAddress(f"http://127.0.0.1:{port}", "boka-miru-tela"),
            hello=Hello,
            hear=self.heard.append,
            link=self.links.append,
        )

    def roll(self) -> Move:
        return Move(self.connection.new_id(), 0, "roll")

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not condition():
                await asyncio.sleep(0.01)


@asynccontextmanager
async def table(handler: Handler, deny: Deny | None = None) -> AsyncIterator[Line]:
    """A server that does what a test wants, and a connection to it that does not run yet."""
    async with serve(handler, "127.0.0.1", 0, process_request=deny) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield Line(port)


async def welcome(socket: ServerConnection) -> dict[str, Any]:
    hello: dict[str, Any] = json.loads(await socket.recv())
    await socket.send(json.dumps(WELCOME))
    return hello


async def silent(socket: ServerConnection) -> None:
    await welcome(socket)
    await socket.wait_closed()


def says(status: HTTPStatus, body: bytes) -> Deny:
    return lambda *_: Response(status.value, status.phrase, Headers(), body)


@pytest.mark.parametrize(
    ("status", "body", "code", "message"),
    [
        (HTTPStatus.NOT_FOUND, b"<html>", "no_table_there", "it answers with status 404"),
        (HTTPStatus.BAD_GATEWAY, b"", "no_table_there", "it answers with status 502"),
        (
            HTTPStatus.NOT_FOUND,
            b'{"type": "problem", "code": "no_such_table", "message": "There is none."}',
            "no_such_table",
            "^There is none.$",
        ),
    ],
)
def test_a_door_that_stays_closed(status: HTTPStatus, body: bytes, code: str, message: str) -> None:
    async def scene() -> None:
        async with table(silent, says(status, body)) as line:
            with pytest.raises(TurnedAway, match=message) as turned:
                await line.connection.run()
            assert turned.value.code == code

    run(scene())


def test_a_newer_protocol() -> None:
    async def newer(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps({**WELCOME, "protocol": 99}))
        await socket.wait_closed()

    async def scene() -> None:
        async with table(newer) as line:
            with pytest.raises(TurnedAway, match="version 99 of the protocol, this program"):
                await line.connection.run()

    run(scene())


def test_a_message_that_is_none() -> None:
    async def strange(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send("grilled")
        await socket.wait_closed()

    async def scene() -> None:
        async with table(strange) as line:
            with pytest.raises(TurnedAway, match="cannot be read"):
                await line.connection.run()

    run(scene())


def test_a_server_that_hangs_up_before_it_says_welcome() -> None:
    async def rude(socket: ServerConnection) -> None:
        await socket.recv()

    async def scene() -> None:
        async with table(rude) as line:
            with pytest.raises(TurnedAway, match="No server answers at http://127"):
                await line.connection.run()

    run(scene())


def test_a_busy_server_is_asked_again_once_it_has_been_reached() -> None:
    answers = iter([None, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS, None])

    def deny(connection: ServerConnection, _: Request) -> Response | None:
        status = next(answers)
        return None if status is None else connection.respond(status, "busy")

    visits = 0

    async def first_hangs_up(socket: ServerConnection) -> None:
        nonlocal visits
        visits += 1
        await welcome(socket)
        if visits > 1:
            await socket.wait_closed()

    async def scene() -> None:
        async with table(first_hangs_up, deny) as line:
            running = asyncio.create_task(line.connection.run())
            await line.until(lambda: visits == 2 and line.links[-1:] == [True])
            assert line.links == [True, False, True]
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    run(scene())


def test_a_table_that_is_gone_when_one_comes_back() -> None:
    gone = b'{"type": "problem", "code": "no_such_table", "message": "There is none."}'
    answers = iter([None, Response(404, "Not Found", Headers(), gone)])

    async def hangs_up(socket: ServerConnection) -> None:
        await welcome(socket)

    async def scene() -> None:
        async with table(hangs_up, lambda *_: next(answers)) as line:
            with pytest.raises(TurnedAway, match="There is none"):
                await line.connection.run()

    run(scene())


def test_requests_and_their_answers() -> None:
    sent: list[dict[str, Any]] = []

    async def answers(socket: ServerConnection) -> None:
        sent.append(await welcome(socket))
        async for text in socket:
            request = json.loads(text)
            sent.append(request)
            if request["do"] == "start":
                refusal = {
                    "type": "refused",
                    "id": request["id"],
                    "code": "closed",
                    "message": "No.",
                }
                await socket.send(json.dumps(refusal))
            else:
                await socket.send(json.dumps({"type": "ok", "id": request["id"], "n": 3}))

    async def scene() -> None:
        async with table(answers) as line:
            with pytest.raises(Broken):
                await line.connection.request(Start(line.connection.new_id()))
            running = asyncio.create_task(line.connection.run())
            await line.until(lambda: bool(line.links))
            assert isinstance(line.heard[0], Welcome)
            done = await line.connection.request(line.roll())
            assert isinstance(done, Ok)
            assert done.n == 3
            with pytest.raises(NotDone, match=r"^No\.$") as refused:
                await line.connection.request(Start(line.connection.new_id()))
            assert refused.value.code == "closed"
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    run(scene())
    assert sent[0] == {"do": "hello", "id": sent[0]["id"], "last": -1, "secrets": []}
    assert sent[1] == {"do": "move", "id": sent[1]["id"], "at": 0, "move": "roll"}
    assert len({message["id"] for message in sent}) == len(sent)


def test_what_was_not_answered_is_sent_again_under_its_id() -> None:
    """A move is; a hint is given up, and whoever asked is told."""
    moves: list[str] = []

    async def forgets(socket: ServerConnection) -> None:
        await welcome(socket)
        async for text in socket:
            request = json.loads(text)
            if request["do"] != "move":
                continue
            moves.append(request["id"])
            if len(moves) == 1:
                return
            await socket.send(json.dumps({"type": "ok", "id": request["id"], "n": 1}))

    async def scene() -> None:
        async with table(forgets) as line:
            running = asyncio.create_task(line.connection.run())
            await line.until(lambda: bool(line.links))
            hint = asyncio.create_task(line.connection.request(AskHint(line.connection.new_id())))
            await asyncio.sleep(0)
            done = await line.connection.request(line.roll(), again=True)
            assert isinstance(done, Ok)
            with pytest.raises(Broken):
                await hint
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    run(scene())
    assert len(moves) == 2
    assert moves[0] == moves[1]


def test_leaving_gives_up_what_is_asked_for() -> None:
    async def scene() -> None:
        async with table(silent) as line:
            running = asyncio.create_task(line.connection.run())
            await line.until(lambda: bool(line.links))
            move = asyncio.create_task(line.connection.request(line.roll(), again=True))
            await asyncio.sleep(0.05)
            running.cancel()
            with pytest.raises(Broken):
                await move

    run(scene())
