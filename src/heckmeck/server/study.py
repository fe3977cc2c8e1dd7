"""Endpoints for studying: odds of a turn, review of a game."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heckmeck.coach import BadTurn, NoChampion, TurnSetup, Unit
from heckmeck.rules import Specialist
from heckmeck.server import messages as m
from heckmeck.server.api import Api, address, decode, while_here
from heckmeck.server.reading import Sent, Source
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.thinking import Thinker


@dataclass(frozen=True, slots=True)
class Study:
    """The endpoints that use the coach."""

    api: Api
    thinker: Thinker

    def routes(self) -> list[Route]:
        """Return the routes."""
        guarded = self.api.guarded
        return [
            Route("/api/odds", guarded(self.odds), methods=["POST"]),
            Route("/api/review", guarded(self.review, heavy=True), methods=["POST"]),
            Route(
                "/api/tables/{name}/review",
                guarded(self.review_of_table, heavy=True),
                methods=["GET"],
            ),
        ]

    async def odds(self, request: Request) -> Response:
        """Return the odds of a turn and the worth of its moves."""
        asked = decode(await self.api.body(request, self.api.gate.limits.body_bytes), m.OddsAsked)
        holding = None if asked.holding is None else Specialist(asked.holding)
        setup = TurnSetup(asked.edition, holding, asked.kept, asked.hand, asked.roll)
        try:
            return _answer(
                await while_here(request, self.thinker.odds(setup, asked.unit, address(request)))
            )
        except (BadTurn, NoChampion) as error:
            raise Refused(Code.BAD_SETUP, str(error)) from error

    async def review(self, request: Request) -> Response:
        """Review a record."""
        limit = self.api.gate.limits.record_bytes
        return await self._review(request, Sent(await self.api.body(request, limit)))

    async def review_of_table(self, request: Request) -> Response:
        """Review a table's game."""
        return await self._review(request, await self.api.game_asked_for(request))

    async def _review(self, request: Request, game: Source) -> Response:
        reviewed = self.thinker.review(game, _unit(request), address(request))
        try:
            return _answer(await while_here(request, reviewed))
        except NoChampion as error:
            raise Refused(Code.BAD_SETUP, str(error)) from error


def _unit(request: Request) -> Unit | None:
    """Return the unit of worth from the query, as in ``?unit=worms``."""
    match request.query_params.get("unit"):
        case None:
            return None
        case "win":
            return "win"
        case "worms":
            return "worms"
        case _:
            raise Refused(Code.BAD_MESSAGE, "unit must be win or worms.")


def _answer(data: bytes) -> Response:
    return Response(data, headers={"Cache-Control": "no-store"}, media_type="application/json")
