"""Events as JSON: ``{"event": "tile_taken", "seat": 0, "tile": 25, "worms": 2, "result": 27}``."""

from heckmeck.record.json_text import JsonObject
from heckmeck.record.tagged_json import name_of, tagged
from heckmeck.rules import Event, Outcome
from heckmeck.rules.events import GameEnded


def event_name(event: Event) -> str:
    """Return the event's name: ``TileTaken`` is ``tile_taken``."""
    return name_of(type(event))


def event_to_json(event: Event) -> JsonObject:
    """Return the event as JSON data: its name and its own fields."""
    if isinstance(event, GameEnded):
        return {"event": event_name(event), **_outcome_to_json(event.outcome)}
    return tagged("event", event)


def _outcome_to_json(outcome: Outcome) -> JsonObject:
    return {
        "reason": outcome.reason,
        "scores": [*outcome.scores],
        "sheets": [{line.item: line.worms for line in sheet} for sheet in outcome.sheets],
        "ranking": [[*place] for place in outcome.ranking],
        "decided_by": outcome.decided_by,
    }
