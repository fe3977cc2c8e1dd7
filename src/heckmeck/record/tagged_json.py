"""Values of the rules as JSON: their name in lower case, and their fields."""

import re
from dataclasses import fields
from typing import Final

from heckmeck.record.json_text import JsonObject, JsonValue
from heckmeck.rules import Ending, Event

_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")


def name_of(kind: type) -> str:
    """Return the name of a kind of value: ``TileTaken`` is ``tile_taken``."""
    return _WORD_START.sub("_", kind.__name__).lower()


def tagged(tag: str, value: Event | Ending) -> JsonObject:
    """Return a value as JSON data, with its name under ``tag``."""
    values = {field.name: getattr(value, field.name) for field in fields(value)}
    plain = {name: _plain(each) for name, each in values.items()}
    return {tag: name_of(type(value)), **plain}


def ending_to_json(ending: Ending) -> JsonObject:
    """Return what ending a turn would do.

    >>> from heckmeck.rules.endings import StealTile
    >>> ending_to_json(StealTile(25, victim=1))
    {'ending': 'steal_tile', 'tile': 25, 'victim': 1}
    """
    return tagged("ending", ending)


def _plain(value: bool | int | str | tuple[int, ...] | None) -> JsonValue:
    return [*value] if isinstance(value, tuple) else value
