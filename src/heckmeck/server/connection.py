"""One client's WebSocket: handles its requests in order, and sends it events."""

import asyncio
import time
from typing import Final, Protocol

from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect

from heckmeck.server import lobby
from heckmeck.server import messages as m
from heckmeck.server.commands import SitDown
from heckmeck.server.hub import Hub
from heckmeck.server.inbox import Inbox
from heckmeck.server.keys import hash_of, new_secret
from heckmeck.server.limits import Bucket, Gate
from heckmeck.server.live import LiveTable
from heckmeck.server.logs import detail, note
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.store import Status

#: Timeout in seconds for the closing handshake.
_GOODBYE: Final = 2.0
#: Refusals sent without the table, which would be expensive and of no use to the client.
_LIMITS: Final = (Code.TOO_FAST, Code.TOO_MANY)
POLICY_VIOLATION: Final = 1008  # a close code of RFC 6455


class Line(Protocol):
    """The transport of a WebSocket; `live_protocol.LiveProtocol` is one."""

    def send_frame(self, frame: bytes) -> bool:
        """Send a frame without waiting; return False if the client was cut off for not reading."""
        ...

    def cut_off(self) -> None:
        """Close at once and discard unsent data."""
        ...


class Connection:
    """A client at a table."""

    def __init__(
        self,
        socket: WebSocket,
        line: Line,
        hub: Hub,
        live: LiveTable,
        gate: Gate,
        address: str,
    ) -> None:
        """Serve the accepted ``socket`` of a client at ``address``.

        Everything is sent over ``line``.
        """
        limits = gate.limits
        self.hashes: tuple[str, ...] = ()
        self._socket = socket
        self._line = line
        self._hub = hub
        self._live = live
        self._gate = gate
        self._address = address
        self._inbox = Inbox(socket.receive)
        self._messages = Bucket(limits.messages)
        self._changes = Bucket(limits.changes)
        self._strikes_left = limits.strikes
        self._greeted = False

    def send(self, frame: bytes) -> None:
        """Send a message without waiting. A client that has stopped reading is cut off."""
        if not self._line.send_frame(frame):
            note("too_slow", table=self._live.name)

    async def serve(self) -> None:
        """Handle requests until the client disconnects or is disconnected."""
        try:
            await self._read()
        finally:
            self._live.leave(self)

    async def _read(self) -> None:
        while (text := await self._receive()) is not None:
            await self._answer(text)

    async def _receive(self) -> str | None:
        """Return the next text message, or None at the end of the connection."""
        while True:
            message = await self._inbox.receive()
            if message["type"] == "websocket.disconnect":
                return None
            if not self._messages.take():
                if not self._may_go_on():
                    await self._say_goodbye()
                    return None
                continue
            text: str | None = message.get("text")
            if text is not None:
                return text
            refused = Refused(Code.BAD_MESSAGE, "A message must be text: one JSON object.")
            self._refuse("message", None, refused)

    def _may_go_on(self) -> bool:
        """Ask a client that is too fast to slow down; return False if it does not."""
        self._strikes_left -= 1
        if self._strikes_left <= 0:
            note("too_fast", table=self._live.name)
            return False
        self._refuse("message", None, _too_fast(self._messages))
        return True

    async def _say_goodbye(self) -> None:
        """Close with a reason, if the client still reads."""
        try:
            async with asyncio.timeout(_GOODBYE):
                await self._socket.close(POLICY_VIOLATION)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            self._line.cut_off()

    async def _answer(self, text: str) -> None:
        began = time.perf_counter()
        try:
            request = m.read_request(text)
        except m.UNREADABLE as error:
            refused = Refused(Code.BAD_MESSAGE, f"This is not a valid message: {error}.")
            self._refuse("message", m.id_in(text), refused)
            return
        try:
            answer = await self._do(request)
        except Refused as refused:
            now = None if refused.code in _LIMITS else self._live.now()
            self._refuse(_name(request), request.id, refused, now)
            return
        if answer is not None:
            self.send(m.frame(answer))
        ms = (time.perf_counter() - began) * 1000
        detail(_name(request), table=self._live.name, n=self._live.table.n, ms=ms)

    async def _do(self, request: m.AnyRequest) -> m.AnyAnswer | None:
        match request:
            case m.Hello() if not self._greeted or self._changes.take():
                self._greet(request)
                return None
            case m.Ping():
                return m.Pong(request.id, self._live.table.n)
            case m.Hello():
                raise _too_fast(self._changes)
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
            raise Refused(Code.SEAT_TAKEN, "The seat was freed again. Take another one.")
        if hashed not in self.hashes:
            self.hashes = (*self.hashes, hashed)[-m.MAX_SECRETS :]
        self._live.recognise()
        return m.Seated(request.id, done.n, seat, secret)

    async def _hint(self, request: m.AskHint) -> m.Hint:
        table = self._live.table
        if not table.setup.hints:
            raise Refused(Code.NO_HINTS, "Hints are off at this table. The host can allow them.")
        if table.match is None or table.status is not Status.PLAYING:
            raise Refused(Code.NOT_PLAYING, "Hints need a game in progress.")
        if table.match.state.seat not in self._live.who_is(self).seats:
            raise Refused(Code.NOT_YOUR_TURN, "Hints are for the player to move.")
        self._gate.hint(self._address)
        unit, moves = await self._inbox.while_here(
            self._hub.weigh(table.match.state, request.unit, self._address)
        )
        return m.Hint(request.id, table.n, unit, [m.Advice(*move) for move in moves])

    def _refuse(
        self, doing: str, request: str | None, refused: Refused, now: m.TableNow | None = None
    ) -> None:
        """Refuse the request with this id; include the table if that can help."""
        refusal = m.Refusal(request, refused.code, str(refused), wait=refused.wait)
        if now is not None:
            refusal = replace(refusal, n=now.n, table=now.table, state=now.state)
        self.send(m.frame(refusal))
        note("refused", table=self._live.name, do=doing, code=refused.code)


def _too_fast(bucket: Bucket) -> Refused:
    wait = bucket.wait()
    return Refused(Code.TOO_FAST, f"Too many messages. Wait {wait:.2f} seconds.", wait)


def _name(request: m.AnyRequest) -> str:
    return str(request.__struct_config__.tag)
