"""Players at tables: they sit down, start, and move on time, however long the answers take.

Each table has its schedule. A move's delay is counted from the moment it was due, so a server
that falls behind cannot hide it by keeping the players waiting.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from time import perf_counter

import msgspec

from bench.load_client import Client, connect


class _State(msgspec.Struct):
    to_move: int
    legal: list[str]
    over: bool


class _Entry(msgspec.Struct):
    n: int


class _Message(msgspec.Struct):
    type: str
    id: str = ""
    n: int = -1
    code: str = ""
    message: str = ""
    entries: list[_Entry] = []
    state: _State | None = None


_decoder = msgspec.json.Decoder(_Message)


@dataclass
class Tally:
    """What all players together saw: delays in seconds, moves refused, messages received."""

    delays: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    frames: int = 0
    counting: bool = False


class Table:
    """One table with its players."""

    def __init__(self, name: str, secret: str, tally: Tally, seed: int) -> None:
        self.name = name
        self._secret = secret
        self._tally = tally
        self._random = random.Random(seed)
        self.clients: list[Client] = []
        self._spectators: list[Client] = []
        self._n = -1
        self._state: _State | None = None
        self._due = 0.0
        self._sent = 0
        self._waiting: dict[str, float | None] = {}
        self._answered: dict[str, asyncio.Future[_Message]] = {}
        self._news = asyncio.Event()
        self.stop = False

    async def open(self, host: str, port: int, seats: int, watching: int = 0) -> None:
        """Connect all players and spectators, and begin."""
        for seat in range(seats):
            listener = self._on_first if seat == 0 else self._on_other
            client = await connect(host, port, f"/api/tables/{self.name}/live", listener)
            self.clients.append(client)
            secrets = [self._secret] if seat == 0 else []
            client.send(msgspec.json.encode({"do": "hello", "id": "hello", "secrets": secrets}))
            await self._ask(seat, {"do": "sit", "seat": seat, "name": f"Player {seat}"})
        for _ in range(watching):
            client = await connect(host, port, f"/api/tables/{self.name}/live", self._on_spectator)
            client.send(msgspec.json.encode({"do": "hello", "id": "hello"}))
            self._spectators.append(client)
        await self._ask(0, {"do": "start"})

    def close(self) -> None:
        """Disconnect everybody."""
        for client in (*self.clients, *self._spectators):
            client.close()

    async def play(self, start: float, every: float) -> None:
        """Move at ``start`` (of `perf_counter`) and at a fixed interval after it."""
        self._due = start
        while True:
            await asyncio.sleep(max(0.0, self._due - perf_counter()))
            if self.stop:
                return
            if self._state is not None and self._state.over:
                await self._ask(0, {"do": "rematch"})
                await self._ask(0, {"do": "start"})
            await self._move()
            self._due += every

    async def _move(self) -> None:
        state = self._state
        assert state is not None
        move = self._random.choice(state.legal)
        answer = await self._ask(state.to_move, {"do": "move", "at": self._n, "move": move})
        if answer.type != "ok":
            self._tally.refused.append(f"{answer.code}: {answer.message}")
            return
        if self._tally.counting:
            self._tally.delays.append(perf_counter() - self._due)
        await self._heard_of(answer.n)

    async def _heard_of(self, n: int) -> None:
        """Wait until the first player knows of entry ``n``, who may be on another worker.

        The next move would otherwise be made on an old table, and be refused as stale.
        """
        while self._n < n:
            self._news.clear()
            await self._news.wait()

    async def _ask(self, seat: int, request: dict[str, object]) -> _Message:
        self._sent += 1
        name = str(self._sent)
        future: asyncio.Future[_Message] = asyncio.get_running_loop().create_future()
        self._answered[name] = future
        self.clients[seat].send(msgspec.json.encode({**request, "id": name}))
        return await future

    def _on_first(self, text: bytes) -> None:
        """The first player follows the game for all of them."""
        self._tally.frames += 1
        message = _decoder.decode(text)
        if message.entries:
            self._n = message.entries[-1].n
            self._news.set()
        if message.state is not None:
            self._state = message.state
        self._answer(message)

    def _on_other(self, text: bytes) -> None:
        self._tally.frames += 1
        if not text.startswith(b'{"type":"entries"'):
            self._answer(_decoder.decode(text))

    def _on_spectator(self, _: bytes) -> None:
        self._tally.frames += 1

    def _answer(self, message: _Message) -> None:
        future = self._answered.pop(message.id, None)
        if future is not None and not future.done():
            future.set_result(message)
