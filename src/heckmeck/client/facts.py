"""Events from JSON: the inverse of `heckmeck.record.event_to_json`.

The name of a fact selects the class of the event, which defines its fields, so new events of the
rules can be read without changes here.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType, NoneType
from typing import Final, cast, get_args, get_type_hints

from heckmeck.record import BadState, JsonObject, JsonValue
from heckmeck.record.reader import Reader
from heckmeck.rules import Event, Outcome
from heckmeck.rules.events import GameEnded
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem, ScoreLine, ScoreSheet

_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")
_KINDS: Final[Mapping[str, type]] = MappingProxyType(
    {_WORD_START.sub("_", kind.__name__).lower(): kind for kind in get_args(Event)}
)


def event_from_json(data: JsonValue) -> Event:
    """Return the event in ``data``; raise `BadState` if it is not valid.

    >>> event_from_json({"event": "tile_returned", "seat": 1, "tile": 24})
    TileReturned(seat=1, tile=24)
    """
    if not isinstance(data, dict):
        raise BadState("a fact must be a JSON object")
    reader = Reader(data)
    name = reader.text("event")
    kind = _KINDS.get(name)
    if kind is None:
        raise BadState(f"there is no event {name!r:.40}")
    if kind is GameEnded:
        return GameEnded(_outcome(reader))
    values = {field: _value(reader, field, hint) for field, hint in _hints(kind).items()}
    return cast(Event, kind(**values))


@cache
def _hints(kind: type) -> Mapping[str, object]:
    return get_type_hints(kind)


def _value(reader: Reader, field: str, hint: object) -> object:
    """Return the value of the field, converted to its type in the rules."""
    choices = get_args(hint)
    if NoneType in choices:
        if reader.value(field) is None:
            return None
        (hint,) = (choice for choice in choices if choice is not NoneType)
    if hint is bool:
        return reader.boolean(field)
    if hint is int:
        return reader.integer(field)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _member(hint, reader, field)
    if hint is str:
        return reader.text(field)
    return reader.integers(field)


def _member(kind: type[StrEnum], reader: Reader, field: str) -> StrEnum:
    text = reader.text(field)
    try:
        return kind(text)
    except ValueError:
        raise BadState(f"{reader.path}{field} must be one of {', '.join(kind)}") from None


def _outcome(reader: Reader) -> Outcome:
    ranking = reader.rows_of_integers("ranking")
    if not ranking or not ranking[0]:
        raise BadState("ranking must name a winner")
    return Outcome(
        EndReason(_member(EndReason, reader, "reason")),
        tuple(_sheet(sheet) for sheet in reader.items("sheets")),
        ranking,
        DecidedBy(_member(DecidedBy, reader, "decided_by")),
    )


def _sheet(data: JsonValue) -> ScoreSheet:
    if not isinstance(data, dict):
        raise BadState("sheets must be made of objects")
    return tuple(_line(data, item) for item in data)


def _line(data: JsonObject, item: str) -> ScoreLine:
    if item not in [*ScoreItem]:
        raise BadState(f"sheets cannot have {item!r:.40}")
    return ScoreLine(ScoreItem(item), Reader(data, "sheets.").integer(item))
