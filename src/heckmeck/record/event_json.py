"""Events as JSON: ``{"event": "tile_taken", "seat": 0, "tile": 25, "worms": 2, "result": 27}``."""

import re
from dataclasses import fields
from typing import Final

from heckmeck.record.json_text import JsonObject, JsonValue
from heckmeck.rules import Event, Outcome
from heckmeck.rules.events import GameEnded

_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")


def event_name(event: Event) -> str:
    """Return the event's name: ``TileTaken`` is ``tile_taken``."""
    return _WORD_START.sub("_", type(event).__name__).lower()


def event_to_json(event: Event) -> JsonObject:
    """Return the event as JSON data: its name and its own fields."""
    if isinstance(event, GameEnded):
        return {"event": event_name(event), **_outcome_to_json(event.outcome)}
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    return {"event": event_name(event), **{name: _plain(value) for name, value in values.items()}}


def _plain(value: bool | int | str | tuple[int, ...] | None) -> JsonValue:
    return [*value] if isinstance(value, tuple) else value


def _outcome_to_json(outcome: Outcome) -> JsonObject:
    return {
        "reason": outcome.reason,
        "scores": [*outcome.scores],
        "sheets": [{line.item: line.worms for line in sheet} for sheet in outcome.sheets],
        "ranking": [[*place] for place in outcome.ranking],
        "decided_by": outcome.decided_by,
    }
