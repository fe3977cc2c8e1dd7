"""The HTTP API: each endpoint reads a request, asks the hub and writes the answer."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from heckmeck.bots import BOTS
from heckmeck.record.record_json import HOUSE_RULES
from heckmeck.rules import EDITIONS
from heckmeck.server import messages as m
from heckmeck.server import views
from heckmeck.server.hub import Hub
from heckmeck.server.keys import new_secret
from heckmeck.server.limits import Gate, address_of
from heckmeck.server.reading import Logged, Sent, Source
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.schema import schema as wire_schema
from heckmeck.server.security import Origins
from heckmeck.server.store import GameRow

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]

_STATUS: Final = {
    Code.BAD_HOST: 421,
    Code.BAD_ORIGIN: 403,
    Code.NO_SUCH_TABLE: 404,
    Code.NO_SUCH_PAGE: 404,
    Code.NOT_PLAYING: 409,
    Code.TOO_LARGE: 413,
    Code.TOO_FAST: 429,
    Code.TOO_MANY: 429,
    Code.INTERNAL: 500,
    Code.UNAVAILABLE: 503,
}
_JSON: Final = "application/json"
_TEXT: Final = "text/plain; charset=utf-8"


def status_of(code: Code) -> int:
    """Return the HTTP status for a refusal."""
    return _STATUS.get(code, 400)


def answer(message: msgspec.Struct, status: int = 200) -> Response:
    """Return a JSON response."""
    return Response(
        msgspec.json.encode(message),
        status,
        headers={"Cache-Control": "no-store"},
        media_type=_JSON,
    )


def problem(refused: Refused) -> Response:
    """Return the response for a refusal."""
    return answer(m.Problem(refused.code, str(refused), refused.wait), status_of(refused.code))


@dataclass(slots=True)
class Api:
    """All endpoints."""

    hub: Hub
    gate: Gate
    origins: Origins

    def routes(self) -> list[Route]:
        """Return the routes."""
        get, post = ["GET"], ["POST"]
        return [
            Route("/api/schema", self.guarded(self.schema), methods=get),
            Route("/api/bots", self.guarded(self.bots), methods=get),
            Route("/api/editions", self.guarded(self.editions), methods=get),
            Route("/api/tables", self.guarded(self.tables), methods=get),
            Route("/api/tables", self.guarded(self.create), methods=post),
            Route("/api/records", self.guarded(self.import_record), methods=post),
            Route("/api/tables/{name}", self.guarded(self.table), methods=get),
            Route("/api/tables/{name}/record", self.guarded(self.record, heavy=True), methods=get),
            Route(
                "/api/tables/{name}/record.{form}",
                self.guarded(self.record, heavy=True),
                methods=get,
            ),
            Route("/api/tables/{name}/replay", self.guarded(self.replay, heavy=True), methods=get),
        ]

    def guarded(self, endpoint: Endpoint, *, heavy: bool = False) -> Endpoint:
        """Check the origin and the limits, and turn refusals into responses."""

        async def guarded(request: Request) -> Response:
            try:
                self.gate.request(address(request), heavy=heavy)
                if not self.origins.allow(request.headers):
                    raise Refused(Code.BAD_ORIGIN, "Pages of other origins cannot use this server.")
                return await endpoint(request)
            except Refused as refused:
                return problem(refused)

        return guarded

    # --- about the server -------------------------------------------------------------------------

    async def schema(self, _: Request) -> Response:
        """Return the JSON Schema of every message."""
        return Response(msgspec.json.encode(wire_schema()), media_type=_JSON)

    async def bots(self, _: Request) -> Response:
        """List the bots."""
        return answer(
            m.BotList(
                [
                    m.BotInfo(bot.name, bot.level, bot.character, bot.about, bot.editions)
                    for bot in BOTS.values()
                ]
            )
        )

    async def editions(self, _: Request) -> Response:
        """List the editions."""
        return answer(
            m.EditionList(
                [
                    m.EditionInfo(
                        edition=game.edition,
                        min_players=game.players[0],
                        max_players=game.players[-1],
                        dice=game.dice.count,
                        faces=game.dice.faces,
                        house_rules=HOUSE_RULES if game.has_house_rules else (),
                    )
                    for game in EDITIONS.values()
                ]
            )
        )

    # --- tables -----------------------------------------------------------------------------------

    async def tables(self, _: Request) -> Response:
        """List the public tables."""
        rows = await self.hub.public_tables()
        return answer(m.TableList([_listed(row) for row in rows]))

    async def create(self, request: Request) -> Response:
        """Create a table."""
        wanted = decode(await self.body(request, self.gate.limits.body_bytes), m.NewTable)
        self.gate.table(address(request))
        secret = new_secret()
        return _made(await self.hub.create(wanted.setup, wanted.bots, secret), secret)

    async def table(self, request: Request) -> Response:
        """Show a table."""
        async with self.hub.table(request.path_params["name"]) as live:
            return answer(live.now())

    # --- records ----------------------------------------------------------------------------------

    async def record(self, request: Request) -> Response:
        """Return the record of a table's game: the current one, or an earlier one (``?game=``)."""
        form = request.path_params.get("form", "json")
        if form not in ("json", "txt"):
            raise Refused(Code.NO_SUCH_PAGE, "Records are available as record.json and record.txt.")
        text = await while_here(
            request,
            self.hub.thinker.record(await self.game_asked_for(request), form, address(request)),
        )
        return Response(
            text,
            media_type=_JSON if form == "json" else _TEXT,
            headers={"Cache-Control": "no-store"},
        )

    async def replay(self, request: Request) -> Response:
        """Return a page of a table's game, with the state after each move; see ``?from=``."""
        first = _number(request, "from") or 0
        game = await self.game_asked_for(request)
        page = await while_here(request, self.hub.thinker.replay(game, first, address(request)))
        return Response(page, headers={"Cache-Control": "no-store"}, media_type=_JSON)

    async def game_asked_for(self, request: Request) -> Source:
        """Return the source of the game that the request names."""
        number = _number(request, "game")
        name = request.path_params["name"]
        async with self.hub.table(name) as live:
            table = live.table
        if number is not None and number != table.round:
            return Logged(await self.hub.log_of(name), number)
        return table

    async def import_record(self, request: Request) -> Response:
        """Create a table from a record: ``?at=12`` keeps 12 moves, ``?public=true`` lists it."""
        at, public = _number(request, "at"), request.query_params.get("public") == "true"
        sent = Sent(await self.body(request, self.gate.limits.record_bytes))
        self.gate.table(address(request))
        secret = new_secret()
        made = self.hub.import_record(sent, at, public, secret, address(request))
        return _made(await while_here(request, made), secret)

    async def body(self, request: Request, limit: int) -> bytes:
        """Return the body; refuse one that is too large before reading all of it."""
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise Refused(Code.TOO_LARGE, f"At most {limit} bytes can be sent here.")
        except ClientDisconnect:
            raise Refused(Code.BAD_MESSAGE, "The request broke off.") from None
        return bytes(body)


async def while_here(request: Request, work: Coroutine[None, None, T]) -> T:
    """Return the result of the work; cancel it if the client disconnects."""
    task, gone = asyncio.create_task(work), asyncio.create_task(_gone(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Refused(Code.BAD_MESSAGE, "The request broke off.")
        return task.result()
    finally:
        task.cancel()
        gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def decode(data: bytes, kind: type[T]) -> T:
    """Return the message in ``data``; raise `Refused` if it is not of this kind."""
    try:
        return msgspec.json.decode(data, type=kind)
    except m.UNREADABLE as error:
        raise Refused(Code.BAD_MESSAGE, f"The request is not valid: {error}.") from error


def address(request: Request) -> str:
    """Return the address for which a request is counted."""
    return address_of(request.client.host if request.client else None)


def _number(request: Request, name: str) -> int | None:
    """Return a whole number from the query, or None if it is missing."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Refused(Code.BAD_MESSAGE, f"{name} must be a whole number, at least 0.")
    return int(text)


def _made(name: str, secret: str) -> Response:
    return answer(m.TableMade(name, secret, f"/t/{name}"), 201)


def _listed(row: GameRow) -> m.ListedTable:
    shown = views.listed(row.summary.text)
    return m.ListedTable(
        id=row.id,
        status=row.summary.status,
        edition=row.edition,
        seats=shown.seats,
        players=shown.players,
        created=row.created.isoformat(timespec="seconds"),
    )
