"""The engine protocol: for bots and tools in any language, like UCI for chess.

One JSON object per line in, one per line out. The contract is ``docs/record.md``.

After an error the game is exactly as before: each request first computes its result and then
applies it in one step.
"""

import json
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple, assert_never, cast, get_args

import msgspec

from heckmeck import bots, rules
from heckmeck import record as records
from heckmeck.dice import Luck, Seed, SeededLuck, fresh_seed
from heckmeck.record import forms, json_text
from heckmeck.values import NoChampion, value_for
from heckmeck.wire import engine as e
from heckmeck.wire.engine import Code

_KINDS: Final = {kind.__struct_config__.tag: kind for kind in get_args(e.AnyEngineRequest)}


class RequestError(Exception):
    """A request that cannot be answered; ``index`` is that of a bad move."""

    def __init__(self, code: Code, message: str, index: int | None = None) -> None:
        """Store the parts of the answer."""
        self.code = code
        self.index = index
        super().__init__(message)


class Match(NamedTuple):
    """The engine's game, with the luck of its dice and of its bots."""

    history: records.History
    dice: Luck
    whims: Luck


class Engine:
    """Holds at most one game and answers requests about it."""

    def __init__(self) -> None:
        """Start without a game."""
        self._match: Match | None = None
        self.is_done = False

    def answer(self, data: records.JsonValue) -> records.JsonObject:
        """Answer one request. Never raises, whatever the request contains."""
        identity: records.JsonObject = (
            {"id": data["id"]} if isinstance(data, dict) and "id" in data else {}
        )
        try:
            answer = self._answer(_request(data))
        except RequestError as error:
            return {**identity, **refusal(error.code, str(error), error.index)}
        return {**identity, "ok": True, **msgspec.to_builtins(answer)}

    def _answer(self, request: e.AnyEngineRequest) -> e.AnyEngineAnswer:
        match request:
            case e.New():
                return self._new(request)
            case e.Play():
                return self._play(request)
            case e.ThrowDice():
                return self._throw()
            case e.ShowState():
                return self._state()
            case e.ShowRecord():
                return e.RecordShown(records.record_to_json(self._game().history.record))
            case e.Load():
                return self._load(request)
            case e.TakeBack():
                return self._undo(request)
            case e.ListBots():
                return bots_listed()
            case e.Choose():
                return self._choose(request)
            case e.Advise():
                return self._advise(request)
            case e.Quit():
                self.is_done = True
                return e.Done()
            case _:
                assert_never(request)

    def _new(self, request: e.New) -> e.StateShown:
        seats = request.seats
        names = [f"Player {seat + 1}" for seat in range(seats)] if isinstance(seats, int) else seats
        try:
            house = request.options.rules()
            record = records.Record(request.edition, tuple(names), first=request.first, house=house)
            self._match = _match(records.History(record), request.seed)
        except rules.BadSetup as error:
            raise RequestError(Code.BAD_REQUEST, str(error)) from error
        return self._state()

    def _play(self, request: e.Play) -> e.StateShown:
        history = self._game().history
        try:
            history.play(forms.parse_moves(request.moves))
        except records.BadRecord as error:
            raise RequestError(Code.ILLEGAL_MOVE, str(error), error.index) from error
        return self._state()

    def _throw(self) -> e.DiceThrown:
        match = self._game()
        chances = rules.throws(match.history.state)
        if not chances:
            raise RequestError(Code.BAD_REQUEST, "No dice are to be rolled now.")
        if match.history.is_full:
            raise RequestError(Code.BAD_REQUEST, f"A game has at most {records.MAX_MOVES} words.")
        throw = match.dice.throw(chances)
        match.history.play([throw])
        return e.DiceThrown(rules.word(throw), self._state().state)

    def _state(self) -> e.StateShown:
        return e.StateShown(records.state_to_json(self._game().history.state))

    def _load(self, request: e.Load) -> e.StateShown:
        try:
            record = records.record_from_json(request.record)
        except records.BadRecord as error:
            raise RequestError(Code.BAD_RECORD, f"{error}", error.index) from error
        self._match = _match(records.History(record), request.seed)
        return self._state()

    def _undo(self, request: e.TakeBack) -> e.StateShown:
        history = self._game().history
        try:
            history.undo(request.count)
        except ValueError as error:
            raise RequestError(Code.BAD_REQUEST, f"{error}.") from error
        return self._state()

    def _choose(self, request: e.Choose) -> e.MoveChosen:
        match = self._game()
        try:
            bot = bots.player(request.bot)
        except bots.UnknownBot as error:
            raise RequestError(Code.UNKNOWN_BOT, str(error)) from error
        state = _with_player_awaited(match.history.state)
        return e.MoveChosen(rules.word(bot.choose(state, match.whims)))

    def _advise(self, request: e.Advise) -> e.MovesWeighed:
        state = _with_player_awaited(self._game().history.state)
        from heckmeck.values.turn_memo import TurnMemo

        try:
            value = value_for(state.table, request.unit)
        except NoChampion as error:
            raise RequestError(Code.BAD_REQUEST, str(error)) from error
        return e.MovesWeighed(value.unit, TurnMemo(value).weigh(state))

    def _game(self) -> Match:
        if self._match is None:
            raise RequestError(Code.NO_GAME, "There is no game: send new or load first.")
        return self._match


def bots_listed() -> e.BotsListed:
    """Return all bots, weakest first."""
    return e.BotsListed([e.BotAbout(b.name, [*b.editions], b.about) for b in bots.BOTS.values()])


def refusal(code: Code, message: str, index: int | None = None) -> records.JsonObject:
    """Return the answer to a request that is refused."""
    return {"ok": False, "error": msgspec.to_builtins(e.EngineError(code, message, index))}


def _request(data: records.JsonValue) -> e.AnyEngineRequest:
    if not isinstance(data, dict):
        raise RequestError(Code.BAD_REQUEST, "A request must be a JSON object.")
    name = data.get("do")
    if not isinstance(name, str):
        raise RequestError(Code.BAD_REQUEST, "do is required and must be text.")
    kind = _KINDS.get(name)
    if kind is None:
        raise RequestError(
            Code.BAD_REQUEST,
            f"There is no request {name!r:.40}. The requests are {', '.join(_KINDS)}.",
        )
    fields = {key: data[key] for key in kind.__struct_fields__ if key in data}
    try:
        return cast(e.AnyEngineRequest, msgspec.convert(fields, kind))
    except (msgspec.ValidationError, UnicodeError) as error:
        raise RequestError(Code.BAD_REQUEST, f"This {name} is not valid: {error}.") from error


def _match(history: records.History, seed: Seed | None) -> Match:
    """Give dice and bots separate streams, so that asking a bot does not change the dice."""
    if seed is None:
        seed = fresh_seed()
    return Match(history, SeededLuck(seed), SeededLuck(f"bots {seed}"))


def _with_player_awaited(state: rules.AnyState) -> rules.AnyState:
    if not rules.legal(state):
        raise RequestError(Code.BAD_REQUEST, "No player has to decide now.")
    return state


MAX_LINE: Final = 1024 * 1024


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line of ``requests`` with one on ``answers``, until quit or the end of input."""
    engine = Engine()
    for line in _lines(requests):
        # ASCII: an id may contain text that UTF-8 cannot encode, and must be repeated.
        answers.write(json.dumps(_answer(engine, line)).encode("ascii") + b"\n")
        answers.flush()
        if engine.is_done:
            return


def _answer(engine: Engine, line: bytes | None) -> records.JsonObject:
    if line is None:
        return refusal(Code.BAD_JSON, f"A line is longer than {MAX_LINE} bytes.")
    try:
        request = json_text.loads(json_text.decode(line))
    except records.BadJson as error:
        return refusal(Code.BAD_JSON, f"A request must be one JSON object on one line: {error}.")
    return engine.answer(request)


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield each line without its end; ``None`` for one that is too long, which is dropped."""
    while line := stream.readline(MAX_LINE + 1):
        text = line.removesuffix(b"\n")
        if len(text) <= MAX_LINE:
            yield text
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE)
        yield None
