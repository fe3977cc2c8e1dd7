"""One client's WebSocket: reads its requests within limits, and sends it events."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Final, TypeVar

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from heckmeck.hosting.conversation import Conversation
from heckmeck.hosting.events import note
from heckmeck.hosting.live import LiveTable
from heckmeck.hosting.tables import reachable
from heckmeck.rules import AnyState
from heckmeck.server.hub import Hub
from heckmeck.server.limits import Bucket, Gate
from heckmeck.server.live_protocol import LINE, LiveProtocol
from heckmeck.server.thinking import while_here
from heckmeck.table import commands, permissions
from heckmeck.wire import answers as m
from heckmeck.wire import requests
from heckmeck.wire.coach import Advice, Unit
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
POLICY_VIOLATION: Final = 1008  # a close code of RFC 6455


class Connection(Conversation):
    """A client at a table."""

    def __init__(
        self, socket: WebSocket, hub: Hub, live: LiveTable, gate: Gate, address: str
    ) -> None:
        """Serve the accepted ``socket`` of a client at ``address``."""
        line: LiveProtocol = socket.scope["state"][LINE]
        limits = gate.limits
        super().__init__(live)
        self._socket = socket
        self._line = line
        self._hub = hub
        self._gate = gate
        self._address = address
        self._inbox = Inbox(line.receive)  # type: ignore[arg-type] # uvicorn has its own types
        self._messages = Bucket(limits.messages)
        self._changes = Bucket(limits.changes)
        self._strikes_left = limits.strikes

    def send(self, frame: bytes) -> None:
        """Send a message without waiting. A client that has stopped reading is cut off."""
        if not self._line.send_frame(frame):
            note("too_slow", table=self.live.name)

    async def serve(self) -> None:
        """Handle requests until the client disconnects or is disconnected."""
        try:
            while (text := await self._receive()) is not None:
                await self.answer(text)
        finally:
            self.leave()

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
            self.refuse("message", None, refused)

    def _may_go_on(self) -> bool:
        """Ask a client that is too fast to slow down; return False if it does not."""
        self._strikes_left -= 1
        if self._strikes_left <= 0:
            note("too_fast", table=self.live.name)
            return False
        self.refuse("message", None, _too_fast(self._messages))
        return True

    async def _say_goodbye(self) -> None:
        """Close with a reason, if the client still reads."""
        try:
            async with asyncio.timeout(_GOODBYE):
                await self._socket.close(POLICY_VIOLATION)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            self._line.cut_off()

    def count_change(self) -> None:
        """Count a request that changes a table; raise `Refused` if there are too many."""
        if not self._changes.take():
            raise _too_fast(self._changes)

    async def ask_server(self, request: requests.PushRequest | requests.KeepIn) -> m.Ok | None:
        """Answer what a table does not know: about push messages and family books."""
        if isinstance(request, requests.KeepIn):
            return await self._book(request)
        return await self._push(request)

    async def _push(self, request: requests.PushRequest) -> m.Ok:
        """Begin or stop to tell a device whose turn it is."""
        table, push = self.live.table, self._hub.push
        person = permissions.own_seat(table, request.seat, self.live.who_is(self))
        if push is None:
            raise Refused(Code.NO_PUSH, "This server sends no push messages.")
        with reachable():
            if isinstance(request, requests.Subscribe):
                origin = self._socket.headers.get("origin", "")
                await push.subscribe(self.live.name, person.hash, request, origin)
            else:
                await self._hub.store.unsubscribe(self.live.name, person.hash, request.endpoint)
        return m.Ok(request.id, table.n)

    async def _book(self, request: requests.KeepIn) -> m.Ok | None:
        """Keep the table's games in a book, or no longer."""
        book = ""
        if request.book:
            with reachable():
                book = await self._hub.books.to_keep_in(request.book, request.secret or "")
        return await self.run(commands.PutIn(book), request.id)

    async def weigh(self, state: AnyState, unit: Unit | None) -> Advice:
        """Ask for advice; work for a client that has left is dropped."""
        self._gate.hint(self._address)
        return await self._inbox.while_here(self._hub.weigh(state, unit, self._address))


def _too_fast(bucket: Bucket) -> Refused:
    wait = bucket.wait()
    return Refused(Code.TOO_FAST, f"Too many messages. Wait {wait:.2f} seconds.", wait)
