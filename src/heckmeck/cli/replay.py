"""`heckmeck replay`."""

import json
from collections.abc import Iterator

import click

from heckmeck.cli.files import load
from heckmeck.narration import Narrator
from heckmeck.record import JsonObject, Record, event_to_json, state_to_json
from heckmeck.record import replay as play_again
from heckmeck.rules import word


@click.command()
@click.argument("file")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object a line: after how many moves, the move, its events, the state.",
)
def replay(file: str, as_json: bool) -> None:
    """Show a recorded game, move by move, in plain sentences.

    FILE may be of either form; - reads standard input.

    \b
    Examples:
      $ heckmeck replay game.heckmeck.json
      $ heckmeck replay game.heckmeck.txt --json
    """
    record = load(file)
    if as_json:
        for moment in _moments(record):
            click.echo(json.dumps(moment))
    else:
        for line in _lines(record):
            click.echo(line)


def _moments(record: Record) -> Iterator[JsonObject]:
    yield {"after": 0, "move": None, "events": [], "state": state_to_json(record.start())}
    for step in play_again(record):
        yield {
            "after": step.index + 1,
            "move": word(step.move),
            "events": [event_to_json(event) for event in step.events],
            "state": state_to_json(step.state),
        }


def _lines(record: Record) -> Iterator[str]:
    narrator = Narrator(record.seats)
    widest = max((len(word(move)) for move in record.moves), default=0)
    number_width = len(str(len(record.moves)))
    yield f"{record.edition}, {', '.join(record.seats)}"
    yield f"{record.seats[record.first]} starts."
    for step in play_again(record):
        told = narrator.events(step.events)
        yield f"{step.index:>{number_width}}  {word(step.move):<{widest}}  {told}"
