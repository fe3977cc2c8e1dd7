"""Every event survives the way over the wire."""

import json
from typing import Any

import msgspec
import pytest

from heckmeck.record import event_to_json
from heckmeck.wire.schema import event_from_json
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
    "data",
    [
        {},
        {"event": "tile_eaten"},
        {"event": "tile_turned", "tile": "24"},
        {**END, "ranking": []},
        {**END, "sheets": [{"luck": 1}]},
    ],
)
def test_what_is_no_event_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        event_from_json(data)
