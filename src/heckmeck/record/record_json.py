"""Records as JSON data, by the contract in ``docs/record.md``."""

from collections.abc import Sequence
from typing import Final, assert_never

from heckmeck.record.errors import BadRecord, TooManyMoves
from heckmeck.record.json_text import JsonObject, JsonValue, dumps
from heckmeck.record.record import FORMAT_VERSION, MAX_MOVES, Record, final_state
from heckmeck.record.state_json import options_to_json
from heckmeck.rules import (
    AnyState,
    BadSetup,
    HouseRules,
    MalformedMove,
    Move,
    outcome,
    parse,
    word,
)

HOUSE_RULES: Final = ("flip_always", "flip_returned")
OUR_KEYS: Final = ("heckmeck", "edition", "seats", "first", "options", "moves", "result")


def record_to_json(record: Record) -> JsonObject:
    """Return the record as JSON data; the result is present exactly when the game is over."""
    result = result_to_json(final_state(record))
    return {
        "heckmeck": FORMAT_VERSION,
        "edition": record.edition,
        "seats": [*record.seats],
        "first": record.first,
        "options": options_to_json(record.house),
        "moves": [word(move) for move in record.moves],
        **({} if result is None else {"result": result}),
        **record.extra,
    }


def result_to_json(state: AnyState) -> JsonObject | None:
    """Return scores and winners of a finished game."""
    end = outcome(state)
    if end is None:
        return None
    return {"scores": [*end.scores], "winners": [*end.winners]}


def record_from_json(data: JsonValue, most_moves: int = MAX_MOVES) -> Record:
    """Return the record described by ``data``, played through and checked.

    Raise `BadRecord` for the first error, with the index of the move if it is a bad move.
    """
    if not isinstance(data, dict):
        raise BadRecord(f"a record is a JSON object, not {kind(data)}")
    _check_version(data)
    record = Record(
        edition=_text(data, "edition"),
        seats=_seats(data),
        first=_first(data),
        house=_house_rules(data),
        moves=_moves(data, most_moves),
        extra={key: value for key, value in data.items() if key not in OUR_KEYS},
    )
    try:
        end = final_state(record)
    except BadSetup as error:
        raise BadRecord(str(error)) from error
    _check_result(data, result_to_json(end))
    return record


def kind(value: JsonValue) -> str:
    """Return the kind of a JSON value, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int():
            return "a number"
        case float():
            return "a decimal number"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            assert_never(value)


def _check_version(data: JsonObject) -> None:
    version = _get(data, "heckmeck")
    if type(version) is not int:
        raise BadRecord(f"heckmeck must be the format version, a number, not {kind(version)}")
    if version != FORMAT_VERSION:
        raise BadRecord(f"format {version} is not supported; this program reads {FORMAT_VERSION}")


def _get(data: JsonObject, key: str) -> JsonValue:
    if key not in data:
        raise BadRecord(f"the key {key!r} is missing")
    return data[key]


def _text(data: JsonObject, key: str) -> str:
    value = _get(data, key)
    if not isinstance(value, str):
        raise BadRecord(f"{key} must be text, not {kind(value)}")
    return value


def _seats(data: JsonObject) -> tuple[str, ...]:
    return tuple(_list_of_text("seats", _get(data, "seats"), "a name"))


def _first(data: JsonObject) -> int:
    value = data.get("first", 0)
    if type(value) is not int:
        raise BadRecord(f"first must be the number of a seat, not {kind(value)}")
    return value


def _house_rules(data: JsonObject) -> HouseRules:
    return house_rules_from_json(data.get("options", {}))


def house_rules_from_json(options: JsonValue) -> HouseRules:
    """Return the house rules turned on by the ``options`` of a record or a request."""
    if not isinstance(options, dict):
        raise BadRecord(f"options must be an object, not {kind(options)}")
    for name, value in options.items():
        if name not in HOUSE_RULES:
            raise BadRecord(
                f"there is no option {name!r:.40}; there are {' and '.join(HOUSE_RULES)}"
            )
        if not isinstance(value, bool):
            raise BadRecord(f"the option {name} must be true or false, not {kind(value)}")
    return HouseRules(*(options.get(name) is True for name in HOUSE_RULES))


def _moves(data: JsonObject, most: int) -> tuple[Move, ...]:
    words = _list_of_text("moves", _get(data, "moves"), "a word")
    if len(words) > most:
        raise TooManyMoves(len(words), most)
    return parse_moves(words)


def parse_moves(words: Sequence[str]) -> tuple[Move, ...]:
    """Return the moves of these words; raise `BadRecord` with the index of a bad one."""
    moves = []
    for index, text in enumerate(words):
        try:
            moves.append(parse(text))
        except MalformedMove as error:
            raise BadRecord(str(error), index) from error
    return tuple(moves)


def _list_of_text(key: str, value: JsonValue, each: str) -> list[str]:
    if not isinstance(value, list):
        raise BadRecord(f"{key} must be a list, not {kind(value)}")
    texts = []
    for place, item in enumerate(value):
        if not isinstance(item, str):
            raise BadRecord(f"{key}[{place}] must be {each}, not {kind(item)}")
        texts.append(item)
    return texts


def _check_result(data: JsonObject, truth: JsonObject | None) -> None:
    if truth is None and "result" in data:
        raise BadRecord("there is a result, but the game is not over after the last move")
    if truth is not None and "result" not in data:
        raise BadRecord(f"the game is over, so the record needs its result: {dumps(truth)}")
    if truth is not None and dumps(truth) != dumps(_sorted(data["result"])):
        raise BadRecord(f"the result must be {dumps(truth)}, as the moves show")


def _sorted(value: JsonValue) -> JsonValue:
    return dict(sorted(value.items())) if isinstance(value, dict) else value
