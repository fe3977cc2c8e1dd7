"""The two forms of a record: JSON data and text; from and to bytes, one record or many.

The contract is ``docs/record.md``. The text form, for people and for diffs, has header lines, a
blank line, then one turn per line; ``#`` outside a JSON string starts a comment. A record written
by hand may omit the version of the format. Reading converts text to the data of the JSON form, so
both forms are checked by the same code.

A file of many games may be larger than memory, so it is read a line at a time.
"""

import json
import unicodedata
from collections.abc import Iterator, Sequence
from functools import partial
from typing import IO, Final

from msgspec import Struct

from heckmeck.record.draft import BadPosition
from heckmeck.record.json_text import BadJson, JsonObject, JsonValue, decode, dumps, loads, read_as
from heckmeck.record.position_text import read_position, write_position
from heckmeck.record.record import (
    FORMAT_VERSION,
    MAX_MOVES,
    BadRecord,
    Record,
    Step,
    TooManyMoves,
    final_state,
    replay,
)
from heckmeck.record.state_json import HouseOptions, event_to_json, options_to_json, state_to_json
from heckmeck.rules import (
    AnyState,
    BadSetup,
    MalformedMove,
    Move,
    game_at,
    legal,
    outcome,
    parse,
    word,
)
from heckmeck.rules.events import TurnStarted

# --- records as JSON data -------------------------------------------------------------------------


class _Versioned(Struct, frozen=True):
    """A record of any format."""

    heckmeck: int


class _Written(_Versioned, frozen=True, kw_only=True):
    """A record as it is written, except for its result."""

    edition: str
    seats: list[str]
    first: int = 0
    options: HouseOptions = HouseOptions()
    position: str | None = None
    moves: list[str]


HOUSE_RULES: Final = HouseOptions.__struct_fields__
OUR_KEYS: Final = (*_Written.__struct_fields__, "result")


def record_to_json(record: Record) -> JsonObject:
    """Return the record as JSON data; the result is present exactly when the game is over."""
    result = result_to_json(final_state(record))
    return {
        "heckmeck": FORMAT_VERSION,
        "edition": record.edition,
        "seats": [*record.seats],
        "first": record.first,
        "options": options_to_json(record.house),
        **({} if record.position is None else {"position": write_position(record.position)}),
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


def moments(record: Record) -> Iterator[JsonObject]:
    """Yield the state at the start, then each move with its events and the state after it."""
    yield {"after": 0, "move": None, "events": [], "state": state_to_json(record.start())}
    for step in replay(record):
        yield {
            "after": step.index + 1,
            "move": word(step.move),
            "events": [event_to_json(event) for event in step.events],
            "state": state_to_json(step.state),
        }


def record_from_json(data: JsonValue, most_moves: int = MAX_MOVES) -> Record:
    """Return the record described by ``data``, played through and checked.

    Raise `BadRecord` for the first error, with the index of the move if it is a bad move.
    """
    record, ours = _unplayed(data, most_moves)
    try:
        end = final_state(record)
    except BadSetup as error:
        raise BadRecord(str(error)) from error
    _check_result(ours, result_to_json(end))
    return record


def _unplayed(data: JsonValue, most_moves: int) -> tuple[Record, JsonObject]:
    """Return the record described by ``data``, which may break rules, and the keys we know."""
    ours, extra = data, {}
    if isinstance(data, dict):
        ours = {key: value for key, value in data.items() if key in OUR_KEYS}
        extra = {key: value for key, value in data.items() if key not in OUR_KEYS}
    try:
        version = read_as(ours, _Versioned, "record").heckmeck
        if version != FORMAT_VERSION:
            raise BadRecord(
                f"format {version} is not supported; this program reads {FORMAT_VERSION}"
            )
        written = read_as(ours, _Written, "record")
    except BadJson as error:
        raise BadRecord(str(error)) from None
    if len(written.moves) > most_moves:
        raise TooManyMoves(len(written.moves), most_moves)
    record = Record(
        edition=written.edition,
        seats=tuple(written.seats),
        first=written.first,
        house=written.options.rules(),
        moves=parse_moves(written.moves),
        extra=extra,
        position=None if written.position is None else _position(written.position, written),
    )
    assert isinstance(ours, dict), "a struct is read from an object"
    return record, ours


def _position(text: str, written: _Written) -> AnyState:
    """Return the position with which a game began; it must be that of the record's players."""
    try:
        state = read_position(text)
    except BadPosition as error:
        raise BadRecord(f"the position is not possible: {error}") from error
    if not legal(state):
        raise BadRecord("a game can begin only with a position in which a player has to decide")
    table = state.table
    of_position = (game_at(table).edition, table.seats, state.seat, table.house)
    of_record = (written.edition, len(written.seats), written.first, written.options.rules())
    if of_position != of_record:
        raise BadRecord("edition, seats, first and options must be those of the position")
    return state


def parse_moves(texts: Sequence[str]) -> tuple[Move, ...]:
    """Return the moves written as these texts; raise `BadRecord` with the index of a bad one."""
    moves = []
    for index, text in enumerate(texts):
        try:
            moves.append(parse(text))
        except MalformedMove as error:
            raise BadRecord(str(error), index) from error
    return tuple(moves)


def _check_result(data: JsonObject, truth: JsonObject | None) -> None:
    if truth is None and "result" in data:
        raise BadRecord("there is a result, but the game is not over after the last move")
    if truth is not None and "result" not in data:
        raise BadRecord(f"the game is over, so the record needs its result: {dumps(truth)}")
    if truth is not None and dumps(truth) != dumps(_sorted(data["result"])):
        raise BadRecord(f"the result must be {dumps(truth)}, as the moves show")


def _sorted(value: JsonValue) -> JsonValue:
    return dict(sorted(value.items())) if isinstance(value, dict) else value


#: Comma, quote and hash have a meaning in a header line; a colon has one in a key.
_SPECIAL: Final = frozenset(',"#')
#: Control characters, and two that some editors treat as the end of a line.
_UNPRINTABLE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


# --- the text form: writing -----------------------------------------------------------------------


def write_text(record: Record) -> str:
    """Return the record's text form."""
    header = "\n".join(_header_lines(record_to_json(record)))
    body = "".join(line + "\n" for line in _turn_lines(record))
    return f"{header}\n\n{body}"


def _header_lines(data: JsonObject) -> Iterator[str]:
    for key, value in data.items():
        match key, value:
            case "seats", list():
                yield f"seats: {', '.join(_name(str(name)) for name in value)}"
            case "options", dict():
                if value:
                    yield f"options: {', '.join(value)}"
            case "edition", str():
                yield f"edition: {value}"
            case "moves", _:
                pass
            case _:
                yield f"{_key(key)}: {dumps(value)}"


def _turn_lines(record: Record) -> Iterator[str]:
    turn: list[str] = []
    for step in replay(record):
        turn.append(word(step.move))
        if any(isinstance(event, TurnStarted) for event in step.events):
            yield " ".join(turn)
            turn = []
    if turn:
        yield " ".join(turn)


def _name(name: str) -> str:
    return name if _is_plain(name, _SPECIAL) else dumps(name)


def _key(key: str) -> str:
    return key if _is_plain(key, _SPECIAL | {":"}) else dumps(key)


def _is_plain(text: str, special: frozenset[str]) -> bool:
    return (
        text != ""
        and text == text.strip()
        and not any(
            letter in special or unicodedata.category(letter) in _UNPRINTABLE for letter in text
        )
    )


# --- the text form: reading -----------------------------------------------------------------------


def record_from_text(text: str, most_moves: int = MAX_MOVES) -> Record:
    """Return the record in the text form; raise `BadRecord` if it is not valid."""
    return record_from_json(_data_of_text(text), most_moves)


def _data_of_text(text: str) -> JsonObject:
    """Return the data of the JSON form."""
    lines = iter(text.split("\n"))
    header = _read_header(lines)
    words: list[JsonValue] = [text for line in lines for text in _without_comment(line).split()]
    return {"heckmeck": FORMAT_VERSION, **header, "moves": words}


def _read_header(lines: Iterator[str]) -> JsonObject:
    """Read up to the blank line after the header, or to the first bad line."""
    header: JsonObject = {}
    for number, line in enumerate(lines, start=1):
        content = _without_comment(line).strip()
        if content:
            try:
                key, value = _read_header_line(content)
            except BadJson as error:
                raise BadRecord(f"line {number}: {error}") from None
            if key in header:
                raise BadRecord(f"line {number}: {key!r:.40} appears twice")
            header[key] = value
        elif header and not line.strip():
            break
    return header


def _without_comment(line: str) -> str:
    if "#" not in line:
        return line
    in_string = escaped = False
    for place, letter in enumerate(line):
        if letter == "#" and not in_string:
            return line[:place]
        if letter == '"' and not escaped:
            in_string = not in_string
        escaped = letter == "\\" and in_string and not escaped
    return line


def _read_header_line(line: str) -> tuple[str, JsonValue]:
    key, rest = _read_key(line)
    match key:
        case "edition":
            return key, rest
        case "seats":
            return key, [*_read_names(rest)]
        case "options":
            return key, _read_options(rest)
        case "moves":
            raise BadJson("moves must come after the blank line, without a key")
        case _:
            return key, loads(rest)


def _read_key(line: str) -> tuple[str, str]:
    if line.startswith('"'):
        key, end = _read_string(line, 0)
        colon, rest = line[end : end + 1], line[end + 1 :]
        if key in OUR_KEYS:
            raise BadJson(f"{key} must be written without quotes")
    else:
        key, colon, rest = line.partition(":")
    if colon != ":":
        raise BadJson("a header line must be written as key: value")
    return key.strip() if not line.startswith('"') else key, rest.strip()


def _read_names(text: str) -> Iterator[str]:
    end = -1
    while end < len(text):
        place = _after_spaces(text, end + 1)
        if text.startswith('"', place):
            name, end = _read_string(text, place)
            end = _after_spaces(text, end)
            if text[end : end + 1] not in ("", ","):
                raise BadJson(f"the name {name!r:.40} must be followed by a comma")
        else:
            comma = text.find(",", place)
            end = comma if comma >= 0 else len(text)
            name = text[place:end].strip()
            if not name or '"' in name:
                raise BadJson(f"the name {name!r:.40} must be written in quotes, as JSON")
        yield name


def _after_spaces(text: str, place: int) -> int:
    while text[place : place + 1].isspace():
        place += 1
    return place


def _read_string(text: str, start: int) -> tuple[str, int]:
    """Return the JSON string at ``start`` and the position after it."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise BadJson(f"not a JSON string: {error.msg}") from None
    return str(value), end


def _read_options(text: str) -> JsonObject:
    names = [name.strip() for name in text.split(",")] if text else []
    options: JsonObject = dict.fromkeys(names, True)
    if len(options) < len(names):
        raise BadJson("an option appears twice")
    return options


# --- records as bytes -----------------------------------------------------------------------------


#: Enough for the longest possible record, and small enough to read quickly.
MAX_BYTES: Final = 4 * 1024 * 1024
_MARK: Final = b"\xef\xbb\xbf"  # some editors begin a file with it


def read_record(data: bytes, most_moves: int = MAX_MOVES) -> Record:
    """Return the record in ``data``, JSON or text; raise `BadRecord` if it is not valid.

    `TooManyMoves` is raised before any move is played.
    """
    return record_from_json(_data_in(data), most_moves)


def read_and_replay(data: bytes) -> tuple[Record, Iterator[Step]]:
    """Return the record in ``data`` and its replay, which checks it: it is valid if that ends.

    As `read_record` and `replay`, but each move is played only once.
    """
    record, ours = _unplayed(_data_in(data), MAX_MOVES)
    try:
        state = record.start()
    except BadSetup as error:
        raise BadRecord(str(error)) from error
    return record, _checked_steps(record, state, ours)


def _checked_steps(record: Record, state: AnyState, ours: JsonObject) -> Iterator[Step]:
    for step in replay(record):
        yield step
        state = step.state
    _check_result(ours, result_to_json(state))


def _data_in(data: bytes) -> JsonValue:
    """Return the data of a record in JSON or text form; raise `BadRecord` if it is neither."""
    if len(data) > MAX_BYTES:
        raise BadRecord(f"{len(data)} bytes are too many; a record has at most {MAX_BYTES}")
    try:
        text = decode(data)
        if text.lstrip().startswith("{"):
            return loads(text)
    except BadJson as error:
        raise BadRecord(str(error)) from None
    return _data_of_text(text)


def write_json(record: Record) -> str:
    """Return the JSON form with one line per top-level key."""
    lines = (f"  {dumps(key)}: {dumps(value)}" for key, value in record_to_json(record).items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def split_games(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of each record: one for a single record, many for JSON Lines.

    Anything else is passed on for `read_record` to refuse. At most `MAX_BYTES` plus one byte are
    read of any record.
    """
    lines = _lines(file)
    start = _up_to_text(lines)
    if not _could_be_a_record(start):
        yield start + file.read(max(MAX_BYTES + 1 - len(start), 0))
        return
    second = _up_to_text(lines)
    if not second.lstrip().startswith(b"{"):  # two objects in a row are never one record
        start += second
        yield start + file.read(max(MAX_BYTES + 1 - len(start), 0))
        return
    yield start
    yield second
    yield from filter(bytes.strip, lines)


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines; only the beginning of one that is too long."""
    for line in iter(partial(file.readline, MAX_BYTES + 1), b""):
        yield line
        rest = line
        while len(rest) > MAX_BYTES and not rest.endswith(b"\n"):
            rest = file.readline(MAX_BYTES + 1)


def _up_to_text(lines: Iterator[bytes]) -> bytes:
    """Return the next line that is not empty, preceded by the empty ones."""
    start = bytearray()
    for line in lines:
        start += line
        if line.strip() or len(start) > MAX_BYTES:
            break
    return bytes(start)


def _could_be_a_record(line: bytes) -> bool:
    """Whether a record may begin and end on this line."""
    text = line.strip().removeprefix(_MARK)
    return text.startswith(b"{") and text.endswith(b"}")
