"""A strict JSON reader: any bytes in, plain or typed data or a clear error out.

Python's own reader is lenient (``NaN``, duplicate keys, infinite numbers) and can run out of
stack; a record must survive a round trip through any other program, so this one is strict.
"""

import json
from math import isinf
from typing import Final, TypeAlias, TypeVar

import msgspec

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = dict[str, JsonValue]

T = TypeVar("T")

#: Deeper than the nesting of any real record, and shallow enough for every JSON writer.
MAX_DEPTH: Final = 64


class BadJson(ValueError):
    """Text that is not JSON, or JSON that other programs could not read back."""


def decode(data: bytes) -> str:
    """Decode UTF-8 bytes, without the byte order mark that some editors add."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadJson(f"byte {error.start} is not UTF-8 text") from None


def loads(text: str) -> JsonValue:
    """Return the data in JSON ``text``; raise `BadJson` with the position if it is not valid."""
    try:
        value: JsonValue = json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadJson(f"not JSON: {error.msg} at {where}") from None
    except RecursionError:
        raise BadJson(f"nested deeper than {MAX_DEPTH} levels") from None
    except BadJson:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise BadJson(f"not JSON: {error}") from None
    if text.count("[") + text.count("{") > MAX_DEPTH:  # most texts cannot be deeper
        _check_depth(value)
    return value


def read_as(value: JsonValue, kind: type[T], path: str) -> T:
    """Return JSON data as a value of ``kind``; raise `BadJson` with the place if it is not one."""
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        message = str(error).replace("Object missing required field", "missing key")
        message = message.replace("Object contains unknown field", "unknown key")
        raise BadJson(message.replace("$", path)[:200]) from None


def dumps(value: JsonValue) -> str:
    """Return ``value`` as JSON on one line; characters are escaped only if UTF-8 lacks them."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return json.dumps(value, allow_nan=False)
    return text


def _object(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    result: JsonObject = {}
    for key, value in pairs:
        if key in result:
            raise BadJson(f"the key {key!r:.40} appears twice")
        result[key] = value
    return result


def _refuse_constant(name: str) -> JsonValue:
    raise BadJson(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if isinf(number):
        raise BadJson(f"the number {digits:.40} is too large")
    return number


def _check_depth(value: JsonValue) -> None:
    """Check level by level, without recursion, so that no input can exhaust the stack."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise BadJson(f"nested deeper than {MAX_DEPTH} levels")


def _inside(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return list(value.values())
    return []
