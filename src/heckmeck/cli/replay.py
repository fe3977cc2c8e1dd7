"""`heckmeck replay`."""

import json

import click

from heckmeck.cli.files import game_option, load
from heckmeck.cli.language import language_option
from heckmeck.cli.printing import print_line
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
    help="Print one JSON object per line: the number of moves, the move, its events, the state.",
)
@game_option
@language_option
def replay(file: str, as_json: bool, game: int | None, language: str) -> None:
    """Print a recorded game move by move, in plain sentences.

    FILE is a record in JSON or text form; - reads standard input.

    \b
    Examples:
      $ heckmeck replay game.heckmeck.json
      $ heckmeck replay game.heckmeck.txt --json
      $ heckmeck replay game.heckmeck.txt --language de
      $ heckmeck replay games.jsonl --game 3
    """
    record = load(file, game)
    if as_json:
        for moment in moments(record):
            click.echo(json.dumps(moment))
    else:
        _show(record, Narrator(record.seats, language))


def _show(record: Record, narrator: Narrator) -> None:
    widest = max((len(word(move)) for move in record.moves), default=0)
    number_width = len(str(len(record.moves)))
    print_line(f"{record.edition}, {', '.join(record.seats)}", hanging=2)
    print_line(narrator.start(record.first), hanging=2)
    for step in play_again(record):
        told = narrator.events(step.events)
        line = f"{step.index:>{number_width}}  {word(step.move):<{widest}}  {told}"
        print_line(line, hanging=number_width + widest + 4)
