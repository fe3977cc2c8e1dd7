"""The HTTP API: each endpoint reads a request, asks the hub and writes the answer."""

import hashlib
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar, TypeVarTuple

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from heckmeck import dice
from heckmeck.coach import BadTurn, NoChampion
from heckmeck.hosting import games
from heckmeck.hosting.tables import reachable
from heckmeck.server import limits, security, store
from heckmeck.server.books import Season
from heckmeck.server.http_protocol import status_of
from heckmeck.server.hub import Hub
from heckmeck.server.previews import Previews
from heckmeck.server.thinking import Desk, while_here
from heckmeck.table import views
from heckmeck.wire import answers, book, requests
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.schema import schema as wire_schema

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Endpoint = Callable[[Request], Awaitable[Response]]

_JSON: Final = "application/json"
_TEXT: Final = "text/plain; charset=utf-8"


def answer(message: msgspec.Struct, status: int = 200) -> Response:
    """Return a JSON response."""
    return _uncached(msgspec.json.encode(message), status)


def _uncached(data: bytes, status: int = 200, kind: str = _JSON) -> Response:
    return Response(data, status, headers={"Cache-Control": "no-store"}, media_type=kind)


def problem(refused: Refused) -> Response:
    """Return the response for a refusal."""
    return answer(
        answers.Problem(refused.code, str(refused), refused.wait), status_of(refused.code)
    )


@dataclass(slots=True)
class Api:
    """All endpoints."""

    hub: Hub
    gate: limits.Gate
    origins: security.Origins
    previews: Previews

    def routes(self) -> list[Route]:
        """Return the routes."""

        def route(method: str, path: str, endpoint: Endpoint, *, heavy: bool = False) -> Route:
            return Route(f"/api/{path}", self.guarded(endpoint, heavy=heavy), methods=[method])

        return [
            route("GET", "schema", self.schema),
            route("GET", "bots", self.bots),
            route("GET", "editions", self.editions),
            route("GET", "push", self.push),
            route("GET", "tables", self.tables),
            route("POST", "tables", self.create),
            route("POST", "records", self.import_record),
            route("GET", "tables/{name}", self.table),
            route("GET", "tables/{name}/record", self.record, heavy=True),
            route("GET", "tables/{name}/record.{form}", self.record, heavy=True),
            route("GET", "tables/{name}/replay", self.replay, heavy=True),
            route("GET", "tables/{name}/review", self.review, heavy=True),
            route("GET", "tables/{name}/picture.png", self.previews.picture, heavy=True),
            route(
                "GET",
                "puzzles/{edition}/{day}/picture.png",
                self.previews.puzzle_picture,
                heavy=True,
            ),
            route("POST", "review", self.review_record, heavy=True),
            route("POST", "odds", self.odds),
            route("POST", "position", self.position),
            route("POST", "books", self.new_book),
            route("GET", "books/{book}", self.book, heavy=True),
            route("POST", "books/{book}", self.rename_book),
            route("DELETE", "books/{book}", self.delete_book),
            route("POST", "books/{book}/people", self.name_people),
            route("GET", "books/{book}/games.jsonl", self.export_book, heavy=True),
            route("POST", "books/{book}/games.jsonl", self.add_games, heavy=True),
            route("DELETE", "books/{book}/games/{name}/{number}", self.drop_game),
            route("GET", "books/{book}/games/{name}/{number}/review", self.review_page, heavy=True),
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
        return answer(games.bot_list())

    async def editions(self, _: Request) -> Response:
        """List the editions."""
        return answer(games.edition_list())

    async def push(self, _: Request) -> Response:
        """Return the key with which browsers subscribe to push messages."""
        return answer(answers.PushInfo(self.hub.push.key if self.hub.push else None))

    # --- tables -----------------------------------------------------------------------------------

    async def tables(self, request: Request) -> Response:
        """List the public tables; pages ask often, and hear at once if nothing has changed."""
        rows = await self.hub.public_tables()
        body = msgspec.json.encode(answers.TableList([_listed(row) for row in rows]))
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        headers = {"Cache-Control": "no-cache", "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=_JSON)

    async def create(self, request: Request) -> Response:
        """Create a table."""
        wanted = games.decode(
            await self.body(request, self.gate.limits.body_bytes), requests.NewTable
        )
        self.gate.table(address(request))
        secret = dice.new_secret()
        return _made(await self.hub.create(wanted.setup.plain(), wanted.bots, secret), secret)

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
        game = await games.source_in(self.hub, request.path_params["name"], request.query_params)
        records, kind = self.hub.thinker.records, _JSON if form == "json" else _TEXT
        return await _computed(request, records, games.written, game, form, kind=kind)

    async def replay(self, request: Request) -> Response:
        """Return a page of a table's game, with the state after each move; see ``?from=``."""
        first = games.number_in(request.query_params, "from") or 0
        game = await games.source_in(self.hub, request.path_params["name"], request.query_params)
        records = self.hub.thinker.records
        return await _computed(request, records, games.replay_page, game, first)

    # --- studying ---------------------------------------------------------------------------------

    async def odds(self, request: Request) -> Response:
        """Return the odds of a turn and the values of its moves."""
        asked = games.decode(
            await self.body(request, self.gate.limits.body_bytes), requests.OddsAsked
        )
        return await _computed(request, self.hub.thinker.hints, games.odds_of, asked)

    async def position(self, request: Request) -> Response:
        """Say what is wrong with a position, or study it."""
        limit = self.gate.limits.body_bytes
        asked = games.decode(await self.body(request, limit), requests.PositionAsked)
        return await _computed(request, self.hub.thinker.hints, games.position_of, asked)

    async def review(self, request: Request) -> Response:
        """Review a table's game."""
        game = await games.source_in(self.hub, request.path_params["name"], request.query_params)
        return await _computed(
            request,
            self.hub.thinker.reviews,
            games.review_of,
            game,
            games.unit_in(request.query_params),
        )

    async def review_record(self, request: Request) -> Response:
        """Review a record."""
        sent = await self.body(request, self.gate.limits.record_bytes)
        return await _computed(
            request,
            self.hub.thinker.reviews,
            games.review_of,
            sent,
            games.unit_in(request.query_params),
        )

    # --- family books -----------------------------------------------------------------------------

    async def new_book(self, request: Request) -> Response:
        """Create a family book."""
        wanted = games.decode(await self.body(request, self.gate.limits.body_bytes), book.NewBook)
        self.gate.book(address(request))
        with reachable():
            made, secret = await self.hub.books.create(wanted.name)
        return answer(book.BookMade(made, secret, f"/book/{made}"), 201)

    async def book(self, request: Request) -> Response:
        """Show a book in a season: ``?from=`` and ``?to=`` are times, ``?edition=`` a game."""
        season = Season(
            _time(request, "from"),
            _time(request, "to"),
            request.query_params.get("edition"),
            request.query_params.get("games") == "all",
        )
        found = await self.book_asked_for(request)
        with reachable():
            work = self.hub.books.view(found, season, address(request))
            return _uncached(await _while_here(request, work))

    async def rename_book(self, request: Request) -> Response:
        """Give a book another name."""
        wanted = games.decode(await self.body(request, self.gate.limits.body_bytes), book.NewBook)
        found = await self.book_asked_for(request)
        with reachable():
            await self.hub.books.rename(found, wanted.name)
        return Response(status_code=204)

    async def delete_book(self, request: Request) -> Response:
        """Delete a book with all its games."""
        found = await self.book_asked_for(request)
        with reachable():
            await self.hub.books.delete(found)
        return Response(status_code=204)

    async def name_people(self, request: Request) -> Response:
        """Show people under another name, or several names as one person."""
        wanted = games.decode(await self.body(request, self.gate.limits.body_bytes), book.SameName)
        found = await self.book_asked_for(request)
        with reachable():
            await self.hub.books.call(found, wanted.names, wanted.to)
        return Response(status_code=204)

    async def export_book(self, request: Request) -> Response:
        """Return all records of a book, one in each line."""
        found = await self.book_asked_for(request)
        headers = {"Cache-Control": "no-store"}
        lines = self.hub.books.export(found)
        return StreamingResponse(lines, headers=headers, media_type="application/x-ndjson")

    async def add_games(self, request: Request) -> Response:
        """Add the games of a file, one in each line; a long file comes in pieces."""
        sent = await self.body(request, self.gate.limits.record_bytes)
        found = await self.book_asked_for(request)
        with reachable():
            work = self.hub.books.add(found, sent, address(request))
            return answer(await _while_here(request, work))

    async def drop_game(self, request: Request) -> Response:
        """Take a game out of a book."""
        found = await self.book_asked_for(request)
        with reachable():
            await self.hub.books.drop(found, *_game_of(request))
        return Response(status_code=204)

    async def review_page(self, request: Request) -> Response:
        """Review a game of a book, even if its table has been deleted."""
        found = await self.book_asked_for(request)
        with reachable():
            record = await self.hub.books.record(found, *_game_of(request))
        reviews = self.hub.thinker.reviews
        return await _computed(
            request, reviews, games.review_of, record, games.unit_in(request.query_params)
        )

    async def book_asked_for(self, request: Request) -> store.StoredBook:
        """Return the book that the request names, and has the secret of."""
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        with reachable():
            known = secret if kind.lower() == "bearer" else ""
            return await self.hub.books.find(request.path_params["book"], known)

    # --- reading requests -------------------------------------------------------------------------

    async def import_record(self, request: Request) -> Response:
        """Create a table from a record: ``?at=12`` keeps 12 moves, ``?public=true`` lists it."""
        at, public = (
            games.number_in(request.query_params, "at"),
            request.query_params.get("public") == "true",
        )
        sent = await self.body(request, self.gate.limits.record_bytes)
        self.gate.table(address(request))
        secret = dice.new_secret()
        made = self.hub.import_record(sent, at, public, secret, address(request))
        return _made(await _while_here(request, made), secret)

    async def body(self, request: Request, limit: int) -> bytes:
        """Return the body; refuse one that is too large before reading all of it."""
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise Refused(Code.TOO_LARGE, f"At most {limit} bytes can be sent here.")
        except ClientDisconnect:
            raise _broke_off() from None
        return bytes(body)


async def _computed(
    request: Request, desk: Desk, function: Callable[[*Ts], bytes], *args: *Ts, kind: str = _JSON
) -> Response:
    """Answer with the function's result, computed at a desk while the client is connected."""
    try:
        work = desk.run(address(request), function, *args)
        return _uncached(await _while_here(request, work), kind=kind)
    except (BadTurn, NoChampion) as error:
        raise Refused(Code.BAD_SETUP, str(error)) from error


async def _while_here(request: Request, work: Coroutine[None, None, T]) -> T:
    """Return the result of the work; cancel it if the client disconnects."""
    return await while_here(_gone(request), _broke_off(), work)


async def _gone(request: Request) -> bool:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    return True


def _broke_off() -> Refused:
    return Refused(Code.BAD_MESSAGE, "The request broke off.")


def address(request: Request) -> str:
    """Return the address for which a request is counted."""
    return limits.address_of(request.client.host if request.client else None)


def _game_of(request: Request) -> tuple[str, int]:
    """Return the table and the number of the game in a path."""
    number = request.path_params["number"]
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Refused(Code.BAD_MESSAGE, "The number of a game is a whole number, at least 0.")
    return request.path_params["name"], int(number)


def _time(request: Request, name: str) -> datetime | None:
    """Return a time from the query, or None if it is missing."""
    text = request.query_params.get(name)
    try:
        return msgspec.convert(text, datetime | None).astimezone(UTC) if text else None
    except (msgspec.ValidationError, OverflowError):
        raise Refused(
            Code.BAD_MESSAGE, f"{name} must be a time such as 2026-01-01T00:00:00Z."
        ) from None


def _made(name: str, secret: str) -> Response:
    return answer(answers.TableMade(name, secret, f"/t/{name}"), 201)


def _listed(row: store.TableRow) -> answers.ListedTable:
    shown = views.listed(row.summary.text)
    return answers.ListedTable(
        id=row.id,
        status=row.summary.status,
        edition=row.edition,
        seats=shown.seats,
        players=shown.players,
        created=row.created.isoformat(timespec="seconds"),
    )
