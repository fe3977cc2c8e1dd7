"""The lines of a table's log."""

from collections.abc import Iterable

from heckmeck.narration import Narrator
from heckmeck.record import Record, replay
from heckmeck.rules import Event
from heckmeck.rules.events import DiceCast


def tell(narrator: Narrator, events: Iterable[Event]) -> tuple[str, ...]:
    """Return a line for each event worth one: that dice were thrown is seen when they fall."""
    return tuple(narrator.event(event) for event in events if not isinstance(event, DiceCast))


def tell_all(narrator: Narrator, record: Record) -> tuple[str, ...]:
    """Return the log of a game from its start."""
    lines = [narrator.start(record.first)]
    for step in replay(record):
        lines += tell(narrator, step.events)
    return tuple(lines)
