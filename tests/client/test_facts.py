"""Every event survives the way over the wire."""

import json

import pytest

from heckmeck.client.facts import event_from_json
from heckmeck.record import BadState, JsonValue, event_to_json
from tests.narration.every_event import every_event


def test_every_event_comes_back_as_it_was() -> None:
    for event in every_event():
        assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


END = {
    "event": "game_ended",
    "reason": "grill_empty",
    "scores": [1],
    "sheets": [{"tiles": 1}],
    "ranking": [[0]],
    "decided_by": "score",
}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([], "a fact must be a JSON object"),
        ({}, "event is missing"),
        ({"event": "tile_eaten"}, "there is no event 'tile_eaten'"),
        ({"event": "tile_turned"}, "tile is missing"),
        ({"event": "tile_turned", "tile": "24"}, "tile must be a whole number"),
        ({"event": "tile_turned", "tile": None}, "tile must be a whole number"),
        ({"event": "attempt_failed", "seat": 0, "why": "bored"}, "why must be one of dead_throw, "),
        ({"event": "rob_asked", "seat": 0, "victims": ["1"]}, "victims must be made of whole"),
        ({**END, "ranking": []}, "ranking must name a winner"),
        ({**END, "sheets": [1]}, "sheets must be made of objects"),
        ({**END, "sheets": [{"luck": 1}]}, "sheets cannot have 'luck'"),
        ({**END, "sheets": [{"tiles": "1"}]}, "sheets.tiles must be a whole number"),
    ],
)
def test_what_is_no_event_is_refused_with_the_reason(data: JsonValue, why: str) -> None:
    with pytest.raises(BadState, match=why):
        event_from_json(data)
