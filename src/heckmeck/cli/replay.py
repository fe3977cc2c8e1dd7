"""`heckmeck replay`."""

import json
from collections.abc import Iterator

import click

from heckmeck.cli.files import load
from heckmeck.cli.language import language_option
from heckmeck.narration import Narrator
from heckmeck.record import Record, moments
from heckmeck.record import replay as play_again
from heckmeck.rules import word


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object a line: after how many moves, the move, its events, the state.",
)
@language_option
def replay(file: str, as_json: bool, language: str) -> None:
    """Show a recorded game, move by move, in plain sentences.

    FILE may be of either form; - reads standard input.

    \b
    Examples:
      $ heckmeck replay game.heckmeck.json
      $ heckmeck replay game.heckmeck.txt --json
      $ heckmeck replay game.heckmeck.txt --language de
    """
    record = load(file)
    if as_json:
        for moment in moments(record):
            click.echo(json.dumps(moment))
    else:
        for line in _lines(record, Narrator(record.seats, language)):
            click.echo(line)


def _lines(record: Record, narrator: Narrator) -> Iterator[str]:
    widest = max((len(word(move)) for move in record.moves), default=0)
    number_width = len(str(len(record.moves)))
    yield f"{record.edition}, {', '.join(record.seats)}"
    yield narrator.start(record.first)
    for step in play_again(record):
        told = narrator.events(step.events)
        yield f"{step.index:>{number_width}}  {word(step.move):<{widest}}  {told}"
