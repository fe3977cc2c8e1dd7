"""`heckmeck watch`."""

from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.files import game_option
from heckmeck.cli.language import language_option
from heckmeck.tui.interrupts import run_until_interrupted
from heckmeck.tui.run import THEMES, can_show

if TYPE_CHECKING:
    from heckmeck.tui.source import Source


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    target: str
    speed: float | None
    plain: bool
    as_json: bool
    theme: str
    game: int | None
    language: str


@click.command()
@click.argument("target", metavar="FILE|URL", type=click.Path(allow_dash=True))
@click.option(
    "--speed",
    type=click.FloatRange(0, 100),
    help="Moves per second when replaying; 0 for no pause (default: 1, or 0 with --plain).",
)
@click.option(
    "--plain",
    is_flag=True,
    help="Print line by line, for screen readers and scripts (the default outside a terminal).",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object per line: the events and the state after them.",
)
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    default="auto",
    show_default=True,
    help="Colour theme; auto follows the terminal. NO_COLOR is respected.",
)
@game_option
@language_option
def watch(**options: Unpack[Options]) -> int:
    """Replay a record, or follow a table on a server, in the terminal.

    FILE is a record in JSON or text form (- reads standard input) and plays automatically: space
    pauses, the arrow keys step forward and back, Home and End jump, + and - change the speed. URL
    is the link to a table; watching does not take a seat. Line by line, watching ends with the
    game.

    \b
    Examples:
      $ heckmeck watch game.heckmeck.json
      $ heckmeck watch game.heckmeck.json --plain --language fr
      $ heckmeck watch games.jsonl --game 3
      $ heckmeck watch http://localhost:8000/t/boka-miru-tela
      $ heckmeck watch http://localhost:8000/t/boka-miru-tela --json
    """
    from heckmeck.tui.source import SourceFailed

    shown = not options["plain"] and not options["as_json"] and can_show()
    source = _source(options, shown=shown)
    if shown:
        from heckmeck.tui.run import show

        left = show(source, options["language"], options["theme"])
        if left.problem:
            raise UserError(left.problem)
        return left.status
    from heckmeck.cli.line_by_line import LineTable, print_json

    if options["as_json"]:
        work = print_json(source)
    else:
        work = LineTable(source, options["language"], notes=_is_live(options)).play()
    try:
        run_until_interrupted(work)
    except SourceFailed as error:
        raise UserError(str(error)) from error
    return 0


def _is_live(options: Options) -> bool:
    """Whether the target is a table on a server rather than a record."""
    from heckmeck.client.address import is_address

    return is_address(options["target"])


def _source(options: Options, *, shown: bool) -> "Source":
    target, language = options["target"], options["language"]
    if _is_live(options):
        from heckmeck.client.address import BadAddress, read_address
        from heckmeck.tui.server_source import ServerSource

        if options["game"] is not None:
            raise click.UsageError(
                "--game chooses a game from a file, but a link leads to one game. Leave it out."
            )
        try:
            return ServerSource(read_address(target), language)
        except BadAddress as error:
            raise UserError(str(error)) from error
    from heckmeck.cli.files import load
    from heckmeck.tui.replay_source import ReplaySource

    speed = options["speed"]
    if speed is None:
        speed = 1.0 if shown else 0.0
    record = load(target, options["game"])
    return ReplaySource(record, language, name=target, speed=speed, stay=shown)
