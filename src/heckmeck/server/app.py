"""The server as an ASGI application."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from heckmeck.server.api import Api, problem
from heckmeck.server.connection import Connection
from heckmeck.server.health import Health, WatchedStore
from heckmeck.server.hub import Hub
from heckmeck.server.limits import Gate, address_of
from heckmeck.server.logs import note, set_up, trouble
from heckmeck.server.pages import page_routes
from heckmeck.server.privacy import privacy_routes
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.retention import prune_now_and_then
from heckmeck.server.security import Origins, SecurityHeaders
from heckmeck.server.settings import Settings
from heckmeck.server.store import open_store
from heckmeck.server.study import Study
from heckmeck.server.thinking import Thinker

_INTERNAL_ERROR = 1011


def build(settings: Settings) -> Starlette:
    """Return the application of one process; its lifespan opens and closes the store."""
    set_up(settings.log, settings.log_level)
    thinker = Thinker(settings.thinkers)
    store = WatchedStore(open_store(settings.location))
    hub = Hub(
        store,
        thinker,
        settings.timing,
        settings.advisor,
    )
    gate = Gate(settings.limits)
    origins = Origins(settings.origins)
    api = Api(hub, gate, origins)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await hub.open()
        pruning = asyncio.create_task(prune_now_and_then(store, settings.keep, hub.is_in_use))
        try:
            yield
        finally:
            pruning.cancel()
            await asyncio.gather(pruning, return_exceptions=True)
            await hub.close()

    return Starlette(
        routes=[
            WebSocketRoute("/api/tables/{name}/live", Live(hub, gate, origins)),
            *api.routes(),
            *Health(api, store).routes(),
            *Study(api, thinker).routes(),
            *privacy_routes(settings.keep),
            *page_routes(settings.web),
        ],
        middleware=[Middleware(RequestLog), Middleware(SecurityHeaders)],
        exception_handlers={HTTPException: _http_problem, Exception: _our_mistake},
        lifespan=lifespan,
    )


async def _http_problem(_: Request, error: Exception) -> Response:
    """Answer what no endpoint takes."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 405:
        refused = Refused(Code.BAD_MESSAGE, "That cannot be done with this address.")
    else:
        refused = Refused(Code.NO_SUCH_PAGE, "There is nothing at this address.")
    response = problem(refused)
    response.status_code = status
    if isinstance(error, HTTPException):
        response.headers.update(error.headers or {})
    return response


async def _our_mistake(_: Request, error: Exception) -> Response:
    """Say sorry, and nothing about how it happened; the log has it."""
    trouble("request_failed", error)
    return problem(Refused(Code.INTERNAL, "Something went wrong here. It is not your fault."))


class RequestLog:
    """Logs each HTTP request with what became of it. Query strings stay out of the log."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap ``app``."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 500

        async def send_and_look(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_look)
        finally:
            ms = (time.perf_counter() - began) * 1000
            note("request", method=scope["method"], path=scope["path"], status=status, ms=ms)


class Live:
    """The WebSocket endpoint: who may come in is decided at the handshake."""

    def __init__(self, hub: Hub, gate: Gate, origins: Origins) -> None:
        """Serve the hub's tables."""
        self._hub = hub
        self._gate = gate
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one client."""
        socket = WebSocket(scope, receive, send)
        name = socket.path_params["name"]
        address = address_of(socket.client.host if socket.client else None)
        try:
            if not self._origins.allow(socket.headers):
                raise Refused(
                    Code.BAD_ORIGIN,
                    f"Pages from {socket.headers['origin']!r:.80} may not connect. The server's "
                    "host can allow them with --origin.",
                )
            self._gate.request(address)
            self._gate.connect(address)
        except Refused as refused:
            await self._turn_away(socket, name, refused)
            return
        try:
            await self._serve(socket, name)
        finally:
            self._gate.disconnect(address)

    async def _serve(self, socket: WebSocket, name: str) -> None:
        try:
            async with self._hub.table(name) as live:
                await socket.accept()
                note("connected", table=name)
                await Connection(socket, self._hub, live, self._gate.limits).serve()
            note("disconnected", table=name)
        except Refused as refused:
            await self._turn_away(socket, name, refused)
        except WebSocketDisconnect:
            note("disconnected", table=name)
        except Exception as error:  # noqa: BLE001 (no stack traces to clients)
            trouble("connection_failed", error, table=name)
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.close(_INTERNAL_ERROR)

    async def _turn_away(self, socket: WebSocket, name: str, refused: Refused) -> None:
        note("turned_away", table=name, code=refused.code)
        with suppress(WebSocketDisconnect):
            await socket.send_denial_response(problem(refused))
