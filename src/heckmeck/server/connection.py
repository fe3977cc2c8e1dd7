"""One client's WebSocket: reads its requests in order, and sends it whatever it should know."""

import asyncio
import time
from collections import deque
from typing import Final

import msgspec
from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect

from heckmeck.server import lobby
from heckmeck.server import messages as m
from heckmeck.server.commands import SitDown
from heckmeck.server.hub import Hub
from heckmeck.server.keys import hash_of, new_secret
from heckmeck.server.limits import Bucket, Limits
from heckmeck.server.live import LiveTable
from heckmeck.server.logs import detail, note
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.store import Status

#: Messages that wait for a client that reads slowly; then it has to come back and catch up.
_MAX_WAITING: Final = 512

#: Seconds that the last messages to a client may take.
_GOODBYE: Final = 2.0
POLICY_VIOLATION: Final = 1008  # a close code of RFC 6455


class Outbox:
    """Messages on their way to one client. Sending never waits."""

    def __init__(self, socket: WebSocket) -> None:
        """Send to ``socket``, once `run` runs."""
        self._socket = socket
        self._waiting: deque[str] = deque()
        self._news = asyncio.Event()
        self._close_code: int | None = None

    @property
    def is_full(self) -> bool:
        """Whether so much waits that the client had better come back and catch up."""
        return len(self._waiting) >= _MAX_WAITING

    @property
    def is_closing(self) -> bool:
        """Whether the connection will be closed from this side."""
        return self._close_code is not None

    def put(self, text: str) -> None:
        """Send this, in its turn."""
        self._waiting.append(text)
        self._news.set()

    def close(self, code: int) -> None:
        """Close the connection after what was put before."""
        self._close_code = code
        self._news.set()

    async def run(self) -> None:
        """Send until the connection is closed."""
        try:
            while await self._news.wait():
                self._news.clear()
                while self._waiting:
                    await self._socket.send_text(self._waiting.popleft())
                if self._close_code is not None:
                    await self._socket.close(self._close_code)
                    return
        except (WebSocketDisconnect, RuntimeError):
            # The client is gone; whoever reads from it finds out too.
            return


class Connection:
    """A client at a table."""

    def __init__(self, socket: WebSocket, hub: Hub, live: LiveTable, limits: Limits) -> None:
        """Serve ``socket``, which is accepted already."""
        self.hashes: tuple[str, ...] = ()
        self._socket = socket
        self._hub = hub
        self._live = live
        self._outbox = Outbox(socket)
        self._messages = Bucket(limits.messages)
        self._changes = Bucket(limits.changes)
        self._strikes_left = limits.strikes
        self._greeted = False
        self._reader: asyncio.Task[None] | None = None

    def send(self, text: str) -> None:
        """Send a message without waiting. A client that does not read any more is let go."""
        if not self._outbox.is_full:
            self._outbox.put(text)
        elif self._reader is not None:
            self._reader.cancel()

    async def serve(self) -> None:
        """Answer until the client goes, or has to go."""
        reader = self._reader = asyncio.create_task(self._read())
        writer = asyncio.create_task(self._outbox.run())
        try:
            await asyncio.wait([reader])
            if reader.cancelled():
                note("too_slow", table=self._live.name)
            else:
                reader.result()
        finally:
            self._live.leave(self)
            if self._outbox.is_closing:
                await asyncio.wait([writer], timeout=_GOODBYE)
            reader.cancel()
            writer.cancel()

    async def _read(self) -> None:
        while (text := await self._receive()) is not None:
            await self._answer(text)

    async def _receive(self) -> str | None:
        """Return the next message that is worth reading, None when there will be none."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return None
            if not self._messages.take():
                if not self._may_go_on():
                    return None
                continue
            text: str | None = message.get("text")
            if text is not None:
                return text
            refused = Refused(Code.BAD_MESSAGE, "Messages are text: one JSON object.")
            self._refuse("message", None, refused)

    def _may_go_on(self) -> bool:
        """Tell a client to slow down; let go of one that does not listen."""
        self._strikes_left -= 1
        if self._strikes_left <= 0:
            self._outbox.close(POLICY_VIOLATION)
            note("too_fast", table=self._live.name)
            return False
        self._refuse("message", None, _too_fast(self._messages))
        return True

    async def _answer(self, text: str) -> None:
        began = time.perf_counter()
        try:
            request = m.read_request(text)
        except msgspec.MsgspecError as error:
            refused = Refused(Code.BAD_MESSAGE, f"This is no message: {error}.")
            self._refuse("message", m.id_in(text), refused)
            return
        try:
            answer = await self._do(request)
        except Refused as refused:
            self._refuse(_name(request), request.id, refused, self._live.now())
            return
        if answer is not None:
            self.send(m.write(answer))
        ms = (time.perf_counter() - began) * 1000
        detail(_name(request), table=self._live.name, n=self._live.table.n, ms=ms)

    async def _do(self, request: m.AnyRequest) -> m.AnyAnswer | None:
        match request:
            case m.Hello():
                self._greet(request)
                return None
            case m.Ping():
                return m.Pong(request.id, self._live.table.n)
            case _ if not self._greeted:
                raise Refused(Code.HELLO_FIRST, "Say hello first.")
            case m.AskHint():
                return await self._hint(request)
            case m.MoveRequest():
                pass
            case _ if not self._changes.take():
                raise _too_fast(self._changes)
            case m.Sit():
                return await self._sit(request)
            case _:
                pass
        done = await self._live.run(request, self.hashes)
        return m.Ok(request.id, done.n)

    def _greet(self, request: m.Hello) -> None:
        self.hashes = tuple(map(hash_of, request.secrets))
        self._greeted = True
        self._live.join(self, request)

    async def _sit(self, request: m.Sit) -> m.Seated:
        secret = request.secret or new_secret()
        hashed = hash_of(secret)
        done = await self._live.run(SitDown(request.name, request.seat, hashed))
        seat = lobby.seat_of(self._live.table, hashed)
        if seat is None:
            raise Refused(Code.SEAT_TAKEN, "The seat was freed again at once. Take another one.")
        if hashed not in self.hashes:
            self.hashes = (*self.hashes, hashed)[-m.MAX_SECRETS :]
        self._live.recognise()
        return m.Seated(request.id, done.n, seat, secret)

    async def _hint(self, request: m.AskHint) -> m.Hint:
        table = self._live.table
        if not table.setup.hints:
            raise Refused(Code.NO_HINTS, "Hints are off at this table. The host can allow them.")
        if table.match is None or table.status is not Status.PLAYING:
            raise Refused(Code.NOT_PLAYING, "There is nothing to advise on: no game is under way.")
        if table.match.state.seat not in self._live.who_is(self).seats:
            raise Refused(Code.NOT_YOUR_TURN, "Hints are for the player to move.")
        unit, moves = await self._hub.weigh(table.match.state, request.unit)
        return m.Hint(request.id, table.n, unit, [m.Advice(*move) for move in moves])

    def _refuse(
        self, doing: str, request: str | None, refused: Refused, now: m.TableNow | None = None
    ) -> None:
        """Answer the request of this id; show how things stand where that can help."""
        refusal = m.Refusal(request, refused.code, str(refused))
        if now is not None:
            refusal = replace(refusal, n=now.n, table=now.table, state=now.state)
        self.send(m.write(refusal))
        note("refused", table=self._live.name, do=doing, code=refused.code)


def _too_fast(bucket: Bucket) -> Refused:
    return Refused(Code.TOO_FAST, f"Too many messages. Wait {bucket.wait():.2f} seconds.")


def _name(request: m.AnyRequest) -> str:
    return str(request.__struct_config__.tag)
