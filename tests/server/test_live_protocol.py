"""What one WebSocket may make the server hold, without a network."""

import asyncio
import json
from pathlib import Path

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from heckmeck.server import live_protocol
from heckmeck.server.door import DOOR, Door
from heckmeck.server.http_protocol import HttpProtocol
from heckmeck.server.limits import Limits
from heckmeck.server.live_protocol import LINE, LiveProtocol, text_frame
from heckmeck.table.keys import hash_of
from heckmeck.wire import requests as m
from tests.server.frames import HANDSHAKE, frame, text_in
from tests.server.scenario import scenario
from tests.server.test_live import HOST, open_hub, play_table

CLIENT = "192.0.2.1"
LIMITS = Limits(unread_bytes=1000)


class Transport(asyncio.Transport):
    """A connection whose other end reads nothing."""

    def __init__(self) -> None:
        super().__init__({"peername": (CLIENT, 1), "sockname": ("192.0.2.2", 2)})
        self.written: list[bytes] = []
        self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        return sum(map(len, self.written))

    def is_closing(self) -> bool:
        return self.aborted

    def pause_reading(self) -> None: ...

    def close(self) -> None: ...  # politely: it waits for what was written, so for ever

    def abort(self) -> None:
        self.aborted = True


async def opened(*, stays: bool = True) -> tuple[LiveProtocol, Transport]:
    """A WebSocket after its handshake, with nothing written; its endpoint may end at once."""

    async def accept(scope: Scope, _: Receive, send: Send) -> None:
        assert scope["state"][LINE] is protocol
        await send({"type": "websocket.accept"})
        if stays:
            await asyncio.Event().wait()

    config = uvicorn.Config(accept, ws=LiveProtocol, lifespan="off", log_config=None)
    config.load()
    door = Door(LIMITS, room=10)
    protocol = LiveProtocol(config, ServerState(), {DOOR: door})
    transport = Transport()
    protocol.connection_made(transport)
    protocol.data_received(HANDSHAKE.format(name="boka-miru-tela").encode())
    while not transport.written:
        await asyncio.sleep(0)
    transport.written.clear()
    return protocol, transport


@scenario
async def test_a_client_that_does_not_read_is_cut_off_for_good() -> None:
    protocol, transport = await opened()
    message = text_frame(b"x" * 600)
    assert [protocol.send_frame(message) for _ in range(3)] == [True, True, False]
    assert transport.aborted
    assert len(transport.written) == 2
    assert protocol.send_frame(message)  # nobody is told twice
    assert len(transport.written) == 2


@scenario
async def test_a_message_of_any_size_is_sent_to_who_has_read_all() -> None:
    protocol, transport = await opened()
    assert protocol.send_frame(text_frame(b"x" * 100_000))
    assert not transport.aborted


@scenario
async def test_pongs_that_nobody_reads_are_not_piled_up() -> None:
    protocol, transport = await opened()
    protocol.data_received(frame(9, b"x" * 100) * 20)
    assert transport.aborted
    assert transport.get_write_buffer_size() < 2 * LIMITS.unread_bytes


def received(protocol: LiveProtocol) -> list[str]:
    """The messages that the endpoint has yet to read."""
    waiting = [protocol.queue.get_nowait() for _ in range(protocol.queue.qsize())]
    texts = [str(message.get("text", message["type"])) for message in waiting]
    return texts[1:] if texts[:1] == ["websocket.connect"] else texts


@pytest.mark.parametrize("text", ["", "x", "é" * 62, "x" * 125, "x" * 126, "x" * 4000])
@pytest.mark.parametrize("piece", [1, 3, 10**6])
@scenario
async def test_a_message_is_the_same_in_one_piece_and_in_many(text: str, piece: int) -> None:
    protocol, transport = await opened()
    data = frame(1, text.encode())
    for start in range(0, len(data), piece):
        protocol.data_received(data[start : start + piece])
    assert received(protocol) == [text]
    protocol.data_received(frame(1, b"and on"))
    assert received(protocol) == ["and on"]
    assert not transport.aborted


WRONG = {
    "not masked": frame(1, b"x", mask=False),
    "reserved bit": frame(1, b"x", rsv=4),
    "not UTF-8": frame(1, b"\xff"),
    "nothing to continue": frame(0, b"x"),
    "not continued": frame(1, b"x", fin=False) + frame(1, b"x"),
}


@pytest.mark.parametrize("wrong", WRONG)
@scenario
async def test_a_short_frame_that_is_wrong_ends_the_connection(wrong: str) -> None:
    protocol, _ = await opened()
    protocol.data_received(WRONG[wrong])
    assert received(protocol) == ["websocket.disconnect"]


@scenario
async def test_a_short_message_among_the_parts_of_another_is_refused() -> None:
    protocol, _ = await opened()
    protocol.data_received(frame(1, b"x", fin=False))
    protocol.data_received(frame(1, b"y"))
    assert received(protocol) == ["websocket.disconnect"]


@scenario
async def test_short_messages_that_nobody_reads_stop_the_reading() -> None:
    protocol, _ = await opened()
    for _ in range(20):
        protocol.data_received(frame(1, b"x"))
    assert protocol.read_paused
    assert received(protocol) == ["x"] * 20


@scenario
async def test_who_does_not_answer_a_ping_is_not_waited_for() -> None:
    protocol, transport = await opened()
    protocol.keepalive_timeout()
    assert transport.aborted


@scenario
async def test_who_does_not_take_leave_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_protocol, "_GOODBYE", 0.01)
    _, transport = await opened(stays=False)
    while not transport.aborted:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(HttpProtocol, HttpToolsProtocol), (LiveProtocol, WebSocketsSansIOProtocol)],
)
def test_what_we_change_is_still_there(ours: type, theirs: type) -> None:
    """A method of uvicorn's under a new name would leave ours uncalled."""
    own = {"look", "turn_away", "drop", "send_frame", "cut_off"}
    new = {
        name for name, value in vars(ours).items() if callable(value) and not hasattr(theirs, name)
    }
    assert {name for name in new if not name.startswith("_")} <= own
    assert ours is LiveProtocol or hasattr(theirs, "_start_asgi_task")


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_frames_of_every_length(length: int) -> None:
    assert text_in(text_frame(b"x" * length)) == b"x" * length


class Ear:
    """A listener that keeps frames as they are."""

    hashes = ()

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)


@scenario
async def test_a_message_to_many_is_one_frame(tmp_path: Path) -> None:
    hub, _ = await open_hub(tmp_path)
    async with hub.table(await play_table(hub)) as live:
        ears = [Ear() for _ in range(5)]
        for ear in ears:
            live.join(ear, m.Hello("h"))
        await live.run(m.SetPace("p", 10), [hash_of(HOST)])
        frames = [ear.frames[-1] for ear in ears]
        assert all(each is frames[0] for each in frames)
        assert json.loads(text_in(frames[0]))["type"] == "entries"
    await hub.close()
