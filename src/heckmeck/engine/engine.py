"""One game behind the engine protocol: a request in, an answer out.

After an error the game is exactly as before: each request first computes its result and then
applies it in one step.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from heckmeck.bots import BOTS, UnknownBot, player
from heckmeck.coach import NoChampion
from heckmeck.dice_source import Luck, Seed, SeededLuck
from heckmeck.engine.errors import Code, RequestError
from heckmeck.engine.request import Request
from heckmeck.record import (
    MAX_MOVES,
    BadRecord,
    History,
    JsonObject,
    JsonValue,
    Record,
    record_from_json,
    record_to_json,
    state_to_json,
)
from heckmeck.record.record_json import parse_moves
from heckmeck.rules import AnyState, BadSetup, legal, throws, word


class Match(NamedTuple):
    """The engine's game, with the luck of its dice and of its bots."""

    history: History
    dice: Luck
    whims: Luck


class Engine:
    """Holds at most one game and answers requests about it."""

    def __init__(self) -> None:
        """Start without a game."""
        self._match: Match | None = None
        self.is_done = False

    def answer(self, data: JsonValue) -> JsonObject:
        """Answer one request. Never raises, whatever the request contains."""
        if not isinstance(data, dict):
            return _refusal(RequestError(Code.BAD_REQUEST, "A request must be a JSON object."))
        try:
            answer: JsonObject = {"ok": True, **self._answer(Request(data))}
        except RequestError as error:
            answer = _refusal(error)
        return {"id": data["id"], **answer} if "id" in data else answer

    def _answer(self, request: Request) -> JsonObject:
        name = request.text("do")
        if name not in _REQUESTS:
            raise RequestError(
                Code.BAD_REQUEST, f"There is no request {name!r:.40}. The requests are {_NAMES}."
            )
        return _REQUESTS[name](self, request)

    # --- requests, in the order of the contract ---------------------------------------------------

    def new(self, request: Request) -> JsonObject:
        """Start a new game."""
        record = Record(
            edition=request.text("edition"),
            seats=request.names("seats"),
            first=request.count("first", 0),
            house=request.house_rules(),
        )
        seed = request.seed()
        try:
            self._match = _match(History(record), seed)
        except BadSetup as error:
            raise RequestError(Code.BAD_REQUEST, str(error)) from error
        return self.state(request)

    def play(self, request: Request) -> JsonObject:
        """Play words, all of them or none."""
        history = self._game().history
        words = request.words("moves")
        try:
            history.play(parse_moves(words))
        except BadRecord as error:
            raise RequestError(Code.ILLEGAL_MOVE, str(error), error.index) from error
        return self.state(request)

    def throw(self, request: Request) -> JsonObject:
        """Throw the dice that are awaited."""
        match = self._game()
        chances = throws(match.history.state)
        if not chances:
            raise RequestError(Code.BAD_REQUEST, "No dice are to be rolled now.")
        if match.history.is_full:
            raise RequestError(Code.BAD_REQUEST, f"A game has at most {MAX_MOVES} words.")
        throw = match.dice.throw(chances)
        match.history.play([throw])
        return {"move": word(throw), **self.state(request)}

    def state(self, _: Request) -> JsonObject:
        """Show the state."""
        return {"state": state_to_json(self._game().history.state)}

    def record(self, _: Request) -> JsonObject:
        """Show the game so far as a record."""
        return {"record": record_to_json(self._game().history.record)}

    def load(self, request: Request) -> JsonObject:
        """Take over a recorded game, finished or not."""
        seed = request.seed()
        try:
            record = record_from_json(request.data.get("record"))
        except BadRecord as error:
            raise RequestError(Code.BAD_RECORD, f"{error}", error.index) from error
        self._match = _match(History(record), seed)
        return self.state(request)

    def undo(self, request: Request) -> JsonObject:
        """Take back words, dice included."""
        history = self._game().history
        try:
            history.undo(request.count("count", 1))
        except ValueError as error:
            raise RequestError(Code.BAD_REQUEST, f"{error}.") from error
        return self.state(request)

    def bots(self, _: Request) -> JsonObject:
        """List the bots."""
        return {
            "bots": [
                {"name": bot.name, "editions": [*bot.editions], "about": bot.about}
                for bot in BOTS.values()
            ]
        }

    def choose(self, request: Request) -> JsonObject:
        """Ask a bot what it would play here."""
        match = self._game()
        try:
            bot = player(request.text("bot"))
        except UnknownBot as error:
            raise RequestError(Code.UNKNOWN_BOT, str(error)) from error
        state = _with_player_awaited(match.history.state)
        return {"move": word(bot.choose(state, match.whims))}

    def advise(self, request: Request) -> JsonObject:
        """Weigh every legal move."""
        state = _with_player_awaited(self._game().history.state)
        unit = request.unit()
        from heckmeck.coach.advice import advise

        try:
            return advise(state, unit).to_json()
        except NoChampion as error:
            raise RequestError(Code.BAD_REQUEST, str(error)) from error

    def quit(self, _: Request) -> JsonObject:
        """End after this answer."""
        self.is_done = True
        return {}

    def _game(self) -> Match:
        if self._match is None:
            raise RequestError(Code.NO_GAME, "There is no game: send new or load first.")
        return self._match


_REQUESTS: Final[dict[str, Callable[[Engine, Request], JsonObject]]] = {
    "new": Engine.new,
    "play": Engine.play,
    "throw": Engine.throw,
    "state": Engine.state,
    "record": Engine.record,
    "load": Engine.load,
    "undo": Engine.undo,
    "bots": Engine.bots,
    "choose": Engine.choose,
    "advise": Engine.advise,
    "quit": Engine.quit,
}
_NAMES: Final = ", ".join(_REQUESTS)


def _match(history: History, seed: Seed) -> Match:
    """Give dice and bots separate streams, so that asking a bot does not change the dice."""
    return Match(history, SeededLuck(seed), SeededLuck(f"bots {seed}"))


def _with_player_awaited(state: AnyState) -> AnyState:
    if not legal(state):
        raise RequestError(Code.BAD_REQUEST, "No player has to decide now.")
    return state


def _refusal(error: RequestError) -> JsonObject:
    details: JsonObject = {"code": error.code, "message": str(error)}
    if error.index is not None:
        details["index"] = error.index
    return {"ok": False, "error": details}
