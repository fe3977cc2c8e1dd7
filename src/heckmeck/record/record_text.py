"""The text form of a record, for people and for diffs.

Header lines, a blank line, then one turn per line. ``#`` outside a JSON string starts a comment.
A record written by hand may omit the version of the format.
Reading converts the text to the data of the JSON form, so both forms are checked by the same code.
"""

import json
import unicodedata
from collections.abc import Iterator
from typing import Final

from heckmeck.record.errors import BadRecord
from heckmeck.record.json_text import BadJson, JsonObject, JsonValue, dumps, loads
from heckmeck.record.record import FORMAT_VERSION, MAX_MOVES, Record, replay
from heckmeck.record.record_json import OUR_KEYS, record_from_json, record_to_json
from heckmeck.rules import word
from heckmeck.rules.events import TurnStarted

#: Comma, quote and hash have a meaning in a header line; a colon has one in a key.
_SPECIAL: Final = frozenset(',"#')
#: Control characters, and two that some editors treat as the end of a line.
_UNPRINTABLE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


# --- writing --------------------------------------------------------------------------------------


def record_to_text(record: Record) -> str:
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


# --- reading --------------------------------------------------------------------------------------


def record_from_text(text: str, most_moves: int = MAX_MOVES) -> Record:
    """Return the record in the text form; raise `BadRecord` if it is not valid."""
    lines = iter(text.split("\n"))
    header = _read_header(lines)
    words: list[JsonValue] = [text for line in lines for text in _without_comment(line).split()]
    data: JsonObject = {"heckmeck": FORMAT_VERSION, **header, "moves": words}
    return record_from_json(data, most_moves)


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
