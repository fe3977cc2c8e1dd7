"""A whole game as a page of text: each word, all that happened, and the state every few words.

The page begins with the header of the record's text form; words start with ``> ``. So a page
holds its own record, and can be made again from it after a wanted change.
"""

from collections.abc import Iterator

from heckmeck.record import (
    Record,
    Step,
    event_to_json,
    read_record,
    replay,
    state_to_json,
    write_text,
)
from heckmeck.record.json_text import dumps
from heckmeck.rules import AnyState, word
from heckmeck.rules.events import GameEnded, PinchAsked, ReturnAsked, RobAsked, TurnStarted

WORD = "> "
#: After these the state is shown, and after every tenth word.
_LANDMARKS = (TurnStarted, RobAsked, ReturnAsked, PinchAsked, GameEnded)


def write_page(record: Record) -> str:
    """Return the page that shows this game."""
    header, _, _ = write_text(record).partition("\n\n")
    lines = [header, "", *_state_lines(record.start())]
    for step in replay(record):
        lines += _step_lines(step)
    return "\n".join(lines) + "\n"


def read_page(page: str) -> Record:
    """Return the record that the page shows."""
    header, _, body = page.partition("\n\n")
    words = (line.removeprefix(WORD) for line in body.split("\n") if line.startswith(WORD))
    return read_record(f"{header}\n\n{' '.join(words)}\n".encode())


def _step_lines(step: Step) -> Iterator[str]:
    yield ""
    yield WORD + word(step.move)
    for event in step.events:
        yield f"  {dumps(event_to_json(event))}"
    if step.index % 10 == 9 or any(isinstance(event, _LANDMARKS) for event in step.events):
        yield from _state_lines(step.state)


def _state_lines(state: AnyState) -> Iterator[str]:
    yield "  state"
    for key, value in state_to_json(state).items():
        yield f"    {key}: {dumps(value)}"
