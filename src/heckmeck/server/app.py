"""The server as an ASGI application, and its settings."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from heckmeck.bots import invite
from heckmeck.bots.outside import MOVE_SECONDS
from heckmeck.hosting import autopilot, events, games
from heckmeck.server import connection, logs, monitoring, pages, security, thinking
from heckmeck.server.admin import Keep, prune_now_and_then
from heckmeck.server.api import Api, problem
from heckmeck.server.door import DOOR, Door, room_for_connections
from heckmeck.server.hub import Hub
from heckmeck.server.limits import Gate, Limits, address_of
from heckmeck.server.previews import Previews
from heckmeck.server.push import Push
from heckmeck.server.store import Store, open_store
from heckmeck.wire.refusals import Code, Refused


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server.

    ``origins`` are those of other pages that may connect, ``hosts`` are names of the server in
    addition to those of `security.Names`. ``proxies`` are the addresses and networks that are
    trusted to report a client's address. ``root`` is the path of the site on its
    host, "" for the top level. ``metrics`` are the networks that may read them. ``push``: send push
    messages to the internet, and to the networks ``push_to``. ``bots`` are the host's own, each
    with the name under which it sits at tables, and ``move_seconds`` is their time limit per move.
    """

    location: str = field(repr=False)  # a URL may contain a password
    log: logs.LogForm = "text"
    log_level: logs.LogLevel = "info"
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = security.LOOPBACK
    root: str = ""
    metrics: tuple[str, ...] = ()
    push: bool = True
    push_to: tuple[str, ...] = ()
    bots: tuple[tuple[str, str], ...] = ()
    move_seconds: float = MOVE_SECONDS
    limits: Limits = field(default_factory=Limits)
    timing: autopilot.Timing = field(default_factory=autopilot.Timing)
    thinkers: int = 1
    advisor: games.Advisor | None = games.advice_of
    keep: Keep = field(default_factory=Keep)
    web: Path | None = field(default_factory=pages.web_folder)


_INTERNAL_ERROR: Final = 1011
#: The maximum length of a path in the log.
_LOGGED_PATH: Final = 200


def build(settings: Settings) -> Starlette:
    """Return the application of one process; its lifespan opens and closes the store."""
    logs.set_up(settings.log, settings.log_level)
    invite(dict(settings.bots))
    thinker = thinking.Thinker(settings.thinkers, dict(settings.bots), settings.move_seconds)
    store = open_store(settings.location)
    watch = monitoring.StoreWatch(store)
    push = Push(store, settings.push_to) if settings.push else None
    hub = Hub(store, thinker, settings.timing, settings.advisor, push, settings.limits.book_games)
    gate = Gate(settings.limits)
    names = security.Names((*settings.hosts, *security.hosts_of(settings.origins)))
    origins = security.Origins(settings.origins, names)
    previews = Previews(hub, settings.web)
    api = Api(hub, gate, origins, previews)
    door = Door(settings.limits, room_for_connections(), settings.proxies)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, Door]]:
        """Open the store, and pass the door to the protocols below the application."""
        await hub.open()
        pruning = prune_now_and_then(store, settings.keep, hub.is_in_use)
        tasks = [asyncio.create_task(work) for work in (door.watch(), watch.watch(), pruning)]
        try:
            yield {DOOR: door}
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await hub.close()

    return Starlette(
        routes=[
            WebSocketRoute("/api/tables/{name}/live", Live(hub, gate, origins)),
            *api.routes(),
            *monitoring.Health(api, watch).routes(),
            *pages.privacy_routes(settings.keep),
            *_metrics(settings, thinker, store),
            *pages.page_routes(settings.web, previews, settings.root),
        ],
        middleware=[
            Middleware(RequestLog),
            Middleware(security.UnderPath, root=settings.root),
            Middleware(Entrance, gate=gate, names=names),
        ],
        exception_handlers={HTTPException: _http_problem, Exception: _our_mistake},
        lifespan=lifespan,
    )


def _metrics(settings: Settings, thinker: thinking.Thinker, store: Store) -> list[Route]:
    """Return the route of the metrics, and let them hear every event, if anyone may read them."""
    if not settings.metrics:
        return []
    metrics = monitoring.Metrics(thinker.queues)
    events.listen(metrics.happened)
    return monitoring.metrics_routes(metrics, store, settings.metrics)


async def _http_problem(_: Request, error: Exception) -> Response:
    """Answer requests that no endpoint handles."""
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
    """Answer with an apology; the details are only in the log."""
    events.trouble("request_failed", error)
    return problem(Refused(Code.INTERNAL, "Something went wrong here. It is not your fault."))


class RequestLog:
    """Logs each HTTP request with its status. Query strings are not logged."""

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
            path = scope["path"][:_LOGGED_PATH]
            events.note("request", method=scope["method"], path=path, status=status, ms=ms)


class Entrance:
    """Checks the host name of HTTP requests, and limits their rate per address.

    WebSockets are checked by their origin instead (`Live`), which browsers always send.
    """

    def __init__(self, app: ASGIApp, gate: Gate, names: security.Names) -> None:
        """Wrap ``app``."""
        self._app = app
        self._gate = gate
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http":
            try:
                self._admit(Headers(scope=scope), scope["client"])
            except Refused as refused:
                await problem(refused)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _admit(self, headers: Headers, client: tuple[str, int] | None) -> None:
        self._gate.page(address_of(client[0] if client else None))
        if not self._names.include(headers):
            host = headers["host"]
            raise Refused(
                Code.BAD_HOST,
                f"This server does not answer to the name {host!r:.80}. If it is yours, start the "
                "server with --allow-host and the name, without a port.",
            )


class Live:
    """The WebSocket endpoint: clients are admitted or refused at the handshake."""

    def __init__(self, hub: Hub, gate: Gate, origins: security.Origins) -> None:
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
            await self._serve(socket, name, address)
        finally:
            self._gate.disconnect(address)

    async def _serve(self, socket: WebSocket, name: str, address: str) -> None:
        try:
            async with self._hub.table(name) as live:
                await socket.accept()
                events.note("connected", table=name)
                await connection.Connection(socket, self._hub, live, self._gate, address).serve()
            events.note("disconnected", table=name)
        except Refused as refused:
            await self._turn_away(socket, name, refused)
        except WebSocketDisconnect:
            events.note("disconnected", table=name)
        except Exception as error:  # noqa: BLE001 (no stack traces to clients)
            events.trouble("connection_failed", error, table=name)
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.close(_INTERNAL_ERROR)

    async def _turn_away(self, socket: WebSocket, name: str, refused: Refused) -> None:
        events.note("turned_away", table=name, code=refused.code)
        with suppress(WebSocketDisconnect):
            await socket.send_denial_response(problem(refused))
