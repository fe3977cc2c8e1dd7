"""The study room over HTTP: odds of a turn, review of a game."""

import json
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heckmeck.coach import BadTurn, NoChampion, TurnSetup, Unit
from heckmeck.record import JsonObject, Record
from heckmeck.rules import Specialist
from heckmeck.server import messages as m
from heckmeck.server.api import Api, decode, record_in
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.thinking import Thinker

#: A review of more words than any game people play has would keep everybody else waiting.
MOST_WORDS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Study:
    """The endpoints that ask the coach."""

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
        """Tell the odds of a turn and the worth of its moves."""
        asked = decode(await self.api.body(request, self.api.gate.limits.body_bytes), m.OddsAsked)
        holding = None if asked.holding is None else Specialist(asked.holding)
        setup = TurnSetup(asked.edition, holding, asked.kept, asked.hand, asked.roll)
        try:
            return _answer(await self.thinker.odds(setup, asked.unit))
        except (BadTurn, NoChampion) as error:
            raise Refused(Code.BAD_SETUP, str(error)) from error

    async def review(self, request: Request) -> Response:
        """Review the record that was sent."""
        limit = self.api.gate.limits.record_bytes
        record = await record_in(await self.api.body(request, limit))
        return await self._review(record, _unit(request))

    async def review_of_table(self, request: Request) -> Response:
        """Review a table's game."""
        return await self._review(await self.api.record_asked_for(request), _unit(request))

    async def _review(self, record: Record, unit: Unit | None) -> Response:
        if len(record.moves) > MOST_WORDS:
            raise Refused(
                Code.TOO_LARGE,
                f"Games of up to {MOST_WORDS} words are reviewed; this has {len(record.moves)}.",
            )
        try:
            return _answer(await self.thinker.review(record, unit))
        except NoChampion as error:
            raise Refused(Code.BAD_SETUP, str(error)) from error


def _unit(request: Request) -> Unit | None:
    """Return what worth is to be measured in, from the address: ``?unit=worms``."""
    match request.query_params.get("unit"):
        case None:
            return None
        case "win":
            return "win"
        case "worms":
            return "worms"
        case _:
            raise Refused(Code.BAD_MESSAGE, "unit is win or worms.")


def _answer(data: JsonObject) -> Response:
    """Return a JSON response; names in a record may hold what is no text, half a surrogate pair."""
    return Response(
        json.dumps(data),
        headers={"Cache-Control": "no-store"},
        media_type="application/json",
    )
