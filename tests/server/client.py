"""A client for tests: it follows a table as a page would, and notices every gap."""

import asyncio
import json
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, TypedDict

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from heckmeck.record import JsonValue

Message = dict[str, Any]


class Made(TypedDict):
    """A new table: its id, the host's secret, and the path of its page."""

    id: str
    secret: str
    path: str


class Dropped(Exception):
    """The connection was lost before the answer came."""


async def create(
    url: str, edition: str = "classic", bots: Sequence[str] = (), **setup: JsonValue
) -> Made:
    """Make a table; return its id and the host's secret."""
    async with httpx.AsyncClient(base_url=url, timeout=30) as http:
        body = {"setup": {"edition": edition, **setup}, "bots": [*bots]}
        answer = await http.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    made: Made = answer.json()
    return made


class Client:
    """One connection to one table. ``events`` is everything that it was told, by number."""

    def __init__(self, url: str, table: str, secrets: Sequence[str] = ()) -> None:
        self.url = url.replace("http://", "ws://") + f"/api/tables/{table}/live"
        self.name = table
        self.secrets = [*secrets]
        self.n = -1
        self.entries: dict[int, Message] = {}
        self.table: Message = {}
        self.state: Message | None = None
        self.you: Message = {}
        self.stray: list[Message] = []
        self.close_code: int | None = None
        self._ids = count()
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._news = asyncio.Event()

    # --- the connection ---------------------------------------------------------------------------

    async def __aenter__(self) -> "Client":
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.drop()

    async def connect(self) -> Message:
        """Connect, or connect again, and say hello."""
        await self.drop()
        self._socket = await self._open()
        self._reader = asyncio.create_task(self._read(self._socket))
        return await self.ask("hello", last=self.n, secrets=self.secrets)

    async def _open(self) -> ClientConnection:
        return await connect(self.url, compression=None, open_timeout=10)

    async def back_within(self, seconds: float) -> Message:
        """Connect again, however often it takes."""
        async with asyncio.timeout(seconds):
            while True:
                try:
                    return await self.connect()
                except (OSError, InvalidHandshake, Dropped, ConnectionClosed):
                    await asyncio.sleep(0.02)

    async def drop(self) -> None:
        """Cut the connection, without a goodbye."""
        if self._socket is not None:
            self._socket.transport.abort()
        if self._reader is not None:
            await self._reader
        self._socket = self._reader = None

    @property
    def is_connected(self) -> bool:
        """Whether the connection is there, as far as this side knows."""
        return self._reader is not None and not self._reader.done()

    async def _read(self, socket: ClientConnection) -> None:
        try:
            while True:
                self._take(json.loads(await socket.recv()))
        except ConnectionClosed as closed:
            self.close_code = closed.rcvd.code if closed.rcvd else None
        for future in self._answers.values():
            if not future.done():
                future.set_exception(Dropped)
        self._answers.clear()
        self._news.set()

    def _take(self, message: Message) -> None:
        kind = message["type"]
        if kind == "welcome":
            self._welcome(message)
        elif kind == "entries":
            self._learn(message["entries"])
        if kind in ("welcome", "entries"):
            self.table = message.get("table") or self.table
            self.state = message.get("state", self.state)
            if self.table["status"] == "waiting":
                self.state = None
        if "you" in message:
            self.you = message["you"]
        if kind == "seated":
            self.secrets.append(message["secret"])
        future = self._answers.pop(str(message.get("id")), None)
        if future is not None and not future.done():
            future.set_result(message)
        elif kind in ("refused", "ok"):
            self.stray.append(message)
        self._news.set()

    def _welcome(self, message: Message) -> None:
        assert message["n"] >= self.n, f"the log went back from {self.n} to {message['n']}"
        missed = message.get("missed")
        if missed is None:
            self.n = message["n"]  # a snapshot: what was between is not told
        else:
            self._learn(missed)
        assert self.n == message["n"]
        self.state = None

    def _learn(self, events: Sequence[Message]) -> None:
        for event in events:
            assert event["n"] == self.n + 1, f"{event['n']} came after {self.n}"
            self.n = event["n"]
            self.entries[self.n] = event["what"]

    # --- talking ----------------------------------------------------------------------------------

    def new_id(self) -> str:
        """Return an id that was not used before."""
        return f"c{next(self._ids)}"

    async def send(self, text: str | bytes) -> None:
        """Send anything."""
        assert self._socket is not None
        try:
            await self._socket.send(text)
        except ConnectionClosed:
            raise Dropped from None

    async def ask(self, do: str, **fields: object) -> Message:
        """Send a request, with an id of its own unless one is given; return its answer."""
        name = str(fields.setdefault("id", self.new_id()))
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[name] = future
        try:
            await self.send(json.dumps({"do": do, **fields}))
            return await future
        finally:
            self._answers.pop(name, None)

    async def do(self, do: str, **fields: object) -> Message:
        """Send a request that must not be refused."""
        answer = await self.ask(do, **fields)
        assert answer["type"] != "refused", answer
        return answer

    async def refused(self, do: str, **fields: object) -> str:
        """Send a request that must be refused; return the code."""
        answer = await self.ask(do, **fields)
        assert answer["type"] == "refused", answer
        code: str = answer["code"]
        return code

    async def sit(self, name: str, seat: int | None = None) -> int:
        """Take a seat."""
        answer = await self.do("sit", name=name, seat=seat)
        taken: int = answer["seat"]
        return taken

    async def until(self, condition: Callable[["Client"], bool], seconds: float = 20) -> None:
        """Wait until something is true."""
        async with asyncio.timeout(seconds):
            while not condition(self):
                self._news.clear()
                await self._news.wait()

    # --- playing ----------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state is not None and self.state["over"]

    @property
    def is_to_move(self) -> bool:
        """Whether one of this client's seats is to move."""
        state = self.state
        return state is not None and not state["over"] and state["to_move"] in self.you["seats"]

    async def move(self, word: str | None = None) -> Message:
        """Play this word, or some word that is allowed."""
        return await self.ask("move", at=self.n, move=word or self.some_word())

    def some_word(self) -> str:
        """Return a word that is allowed; games of such words come to an end soon."""
        assert self.state is not None
        legal: list[str] = self.state["legal"]
        turn, grill = self.state["turn"], self.state["table"].get("grill", [0])
        if "stop" in legal and "W" in turn["kept"] and turn["total"] >= min(grill):
            return "stop"
        for word in ("keep:W", "keep:5", "keep:6", "keep:B"):
            if word in legal:
                return word
        return next((word for word in reversed(legal) if word != "stop"), legal[-1])

    async def play_on(self, moves: int | None = None) -> None:
        """Play this client's seats until the game is over, or so many moves."""
        played = 0
        while not self.is_over and played != moves:
            await self.until(lambda me: me.is_over or me.is_to_move)
            if self.is_to_move:
                await self.move()
                played += 1
