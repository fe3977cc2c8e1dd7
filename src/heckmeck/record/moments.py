"""A game move by move as JSON, for replays in other programs and in the browser."""

from collections.abc import Callable, Iterator

from heckmeck.record.event_json import event_to_json
from heckmeck.record.json_text import JsonObject
from heckmeck.record.record import Record, replay
from heckmeck.record.state_json import state_to_json
from heckmeck.rules import AnyState, word


def moments(
    record: Record, shown: Callable[[AnyState], JsonObject] = state_to_json
) -> Iterator[JsonObject]:
    """Yield the start, then each move with its events and its state, formatted by ``shown``."""
    yield {"after": 0, "move": None, "events": [], "state": shown(record.start())}
    for step in replay(record):
        yield {
            "after": step.index + 1,
            "move": word(step.move),
            "events": [event_to_json(event) for event in step.events],
            "state": shown(step.state),
        }
