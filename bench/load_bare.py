"""The peer of the server under load: bare Starlette with the same storage, and no game.

It answers what the players of `bench.load_players` ask, writes every move to the same store
before it answers, and sends every player of the table a message as long as ours. What our server
costs beyond this is what the game costs.
"""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from heckmeck.server.store import Store, StoredTable, Summary, open_store
from heckmeck.wire.setup import Status

#: Bytes of an average message of ours about a move, without what the bare server says itself.
PADDING = "x" * 900


class _Request(msgspec.Struct):
    do: str
    id: str
    move: str = ""


@dataclass
class _Table:
    n: int = 0
    clients: list[WebSocket] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Bare:
    """All tables of the bare server."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[str, _Table] = {}
        self._names = itertools.count()
        self._decoder = msgspec.json.Decoder(_Request)

    async def create(self, _: Request) -> JSONResponse:
        """Make a table."""
        name = f"bare{next(self._names)}"
        summary = Summary(Status.PLAYING, "{}")
        await self._store.create(
            StoredTable.new(name, False, "classic", b"", summary, ("created",))
        )
        self._tables[name] = _Table(n=1)
        return JSONResponse({"id": name, "secret": "none"})

    async def live(self, socket: WebSocket) -> None:
        """Serve one player."""
        name = socket.path_params["name"]
        table = self._tables[name]
        await socket.accept()
        table.clients.append(socket)
        try:
            while True:
                request = self._decoder.decode(await socket.receive_text())
                if request.do == "hello":
                    continue
                await self._do(name, table, request)
                await socket.send_text(f'{{"type":"ok","id":"{request.id}","n":{table.n - 1}}}')
        except WebSocketDisconnect:
            table.clients.remove(socket)

    async def _do(self, name: str, table: _Table, request: _Request) -> None:
        async with table.lock:
            await self._store.append(name, table.n, [request.move or request.do])
            table.n += 1
            seat = table.n % 4
            news = (
                f'{{"type":"entries","entries":[{{"n":{table.n - 1}}}],"padding":"{PADDING}",'
                f'"state":{{"to_move":{seat},"legal":["roll","stop"],"over":false}}}}'
            )
            for client in table.clients:
                await client.send_text(news)


def serve(location: str, listener: socket.socket) -> None:
    """Run the bare server until it is stopped."""
    store = open_store(location)
    bare = Bare(store)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await store.open()
        yield
        await store.close()

    async def health(_: Request) -> JSONResponse:
        return JSONResponse({})

    routes = [
        Route("/healthz", health),
        Route("/api/tables", bare.create, methods=["POST"]),
        WebSocketRoute("/api/tables/{name}/live", bare.live),
    ]
    application = Starlette(routes=routes, lifespan=lifespan)
    config = uvicorn.Config(
        application,
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
        backlog=2048,
    )
    uvicorn.Server(config).run(sockets=[listener])
