"""One client's WebSocket: handles its requests in order, and sends it events."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Final, TypeVar

from msgspec.structs import replace
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from heckmeck.dice import new_secret
from heckmeck.server.hub import Hub, reachable
from heckmeck.server.limits import Bucket, Gate
from heckmeck.server.live import Asker, LiveTable
from heckmeck.server.live_protocol import LINE, LiveProtocol, frame
from heckmeck.server.logs import detail, note
from heckmeck.server.thinking import while_here
from heckmeck.table import commands, keys, lobby, permissions
from heckmeck.wire import answers as m
from heckmeck.wire import requests, setup
from heckmeck.wire.refusals import Code, Refused

#: The maximum number of messages read ahead.
_MOST: Final = 64

T = TypeVar("T")


class Inbox:
    """The messages of a client, in order."""

    def __init__(self, receive: Callable[[], Awaitable[Message]]) -> None:
        """Read with ``receive``."""
        self._receive = receive
        self._ahead: deque[Message] = deque()

    async def receive(self) -> Message:
        """Return the next message."""
        return self._ahead.popleft() if self._ahead else await self._receive()

    async def while_here(self, work: Coroutine[None, None, T]) -> T:
        """Return the result of the work; cancel it and raise `Refused` if the client leaves."""
        refused = Refused(Code.UNAVAILABLE, "You have left.")
        return await while_here(self._until_gone(), refused, work)

    async def _until_gone(self) -> bool:
        """Read ahead until the client disconnects; return False if it sends too much."""
        while not (self._ahead and self._ahead[-1]["type"] == "websocket.disconnect"):
            if len(self._ahead) >= _MOST:
                return False
            self._ahead.append(await self._receive())
        return True


#: Timeout in seconds for the closing handshake.
_GOODBYE: Final = 2.0
#: Refusals sent without the table, which would be expensive and of no use to the client.
_LIMITS: Final = (Code.TOO_FAST, Code.TOO_MANY)
POLICY_VIOLATION: Final = 1008  # a close code of RFC 6455


class Connection:
    """A client at a table."""

    def __init__(
        self, socket: WebSocket, hub: Hub, live: LiveTable, gate: Gate, address: str
    ) -> None:
        """Serve the accepted ``socket`` of a client at ``address``."""
        line: LiveProtocol = socket.scope["state"][LINE]
        limits = gate.limits
        self.hashes: tuple[str, ...] = ()
        self._socket = socket
        self._line = line
        self._hub = hub
        self._live = live
        self._gate = gate
        self._address = address
        self._inbox = Inbox(line.receive)  # type: ignore[arg-type] # uvicorn has its own types
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
            while (text := await self._receive()) is not None:
                await self._answer(text)
        finally:
            self._live.leave(self)

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
            request = requests.read_request(text)
        except requests.UNREADABLE as error:
            refused = Refused(Code.BAD_MESSAGE, f"This is not a valid message: {error}.")
            self._refuse("message", requests.id_in(text), refused)
            return
        try:
            answer = await self._do(request)
        except Refused as refused:
            now = None if refused.code in _LIMITS else self._live.now()
            self._refuse(_name(request), request.id, refused, now)
            return
        if answer is not None:
            self.send(frame(answer))
        ms = (time.perf_counter() - began) * 1000
        detail(_name(request), table=self._live.name, n=self._live.table.n, ms=ms)

    async def _do(self, request: requests.AnyRequest) -> m.AnyAnswer | None:
        match request:
            case requests.Move() if self._greeted:
                pass
            case requests.Hello() if not self._greeted or self._changes.take():
                self._greet(request)
                return None
            case requests.Ping():
                return m.Pong(request.id, self._live.table.n)
            case requests.Hello():
                raise _too_fast(self._changes)
            case _ if not self._greeted:
                raise Refused(Code.HELLO_FIRST, "Say hello first.")
            case requests.AskHint():
                return await self._hint(request)
            case _ if not self._changes.take():
                raise _too_fast(self._changes)
            case requests.Sit():
                return await self._sit(request)
            case requests.Subscribe() | requests.Unsubscribe():
                return await self._push(request)
            case requests.KeepIn():
                return await self._book(request)
            case _:
                pass
        done = await self._live.run(request, asker=Asker(self, request.id))
        return None if done.answered else m.Ok(request.id, done.n)

    def _greet(self, request: requests.Hello) -> None:
        self.hashes = tuple(map(keys.hash_of, request.secrets))
        self._greeted = True
        self._live.join(self, request)

    async def _sit(self, request: requests.Sit) -> m.Seated:
        secret = request.secret or new_secret()
        hashed = keys.hash_of(secret)
        done = await self._live.run(commands.SitDown(request.name, request.seat, hashed))
        seat = lobby.seat_of(self._live.table, hashed)
        if seat is None:
            raise Refused(Code.SEAT_TAKEN, "The seat was freed again. Take another one.")
        if hashed not in self.hashes:
            self.hashes = (*self.hashes, hashed)[-requests.MAX_SECRETS :]
        self._live.recognise()
        return m.Seated(request.id, done.n, seat, secret)

    async def _push(self, request: requests.PushRequest) -> m.Ok:
        """Begin or stop to tell a device whose turn it is."""
        table, push = self._live.table, self._hub.push
        person = permissions.own_seat(table, request.seat, self._live.who_is(self))
        if push is None:
            raise Refused(Code.NO_PUSH, "This server sends no push messages.")
        with reachable():
            if isinstance(request, requests.Subscribe):
                origin = self._socket.headers.get("origin", "")
                await push.subscribe(self._live.name, person.hash, request, origin)
            else:
                await self._hub.store.unsubscribe(self._live.name, person.hash, request.endpoint)
        return m.Ok(request.id, table.n)

    async def _book(self, request: requests.KeepIn) -> m.Ok | None:
        """Keep the table's games in a book, or no longer."""
        book = ""
        if request.book:
            with reachable():
                book = await self._hub.books.to_keep_in(request.book, request.secret or "")
        done = await self._live.run(commands.PutIn(book), asker=Asker(self, request.id))
        return None if done.answered else m.Ok(request.id, done.n)

    async def _hint(self, request: requests.AskHint) -> m.Hint:
        table = self._live.table
        mine = self._live.who_is(self).seats
        if not table.setup.hints and not (request.warn and permissions.is_alone(table, mine)):
            raise Refused(Code.NO_HINTS, "Hints are off at this table. The host can allow them.")
        if table.match is None or table.status is not setup.Status.PLAYING:
            raise Refused(Code.NOT_PLAYING, "Hints need a game in progress.")
        if table.match.state.seat not in mine:
            raise Refused(Code.NOT_YOUR_TURN, "Hints are for the player to move.")
        self._gate.hint(self._address)
        advice = await self._inbox.while_here(
            self._hub.weigh(table.match.state, request.unit, self._address)
        )
        return m.Hint(
            request.id,
            table.n,
            advice.unit,
            advice.moves,
            advice.reasons,
            advice.targets,
            advice.cost,
        )

    def _refuse(
        self, doing: str, request: str | None, refused: Refused, now: m.TableNow | None = None
    ) -> None:
        """Refuse the request with this id; include the table if that can help."""
        refusal = m.Refusal(request, refused.code, str(refused), wait=refused.wait)
        if now is not None:
            refusal = replace(refusal, n=now.n, table=now.table, state=now.state)
        self.send(frame(refusal))
        note("refused", table=self._live.name, do=doing, code=refused.code)


def _too_fast(bucket: Bucket) -> Refused:
    wait = bucket.wait()
    return Refused(Code.TOO_FAST, f"Too many messages. Wait {wait:.2f} seconds.", wait)


def _name(request: requests.AnyRequest) -> str:
    return str(request.__struct_config__.tag)
