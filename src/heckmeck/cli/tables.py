"""The commands that go to a table: `heckmeck join` and `heckmeck watch`."""

import getpass

import click

from heckmeck import installation, interrupts, narration
from heckmeck.cli import commands, files, line_mode, options
from heckmeck.client.address import BadAddress, KnownSeats, TableAddress, is_address, read_address
from heckmeck.tui import can_show, replay_source, server_source, show
from heckmeck.tui.source import Source, SourceFailed


def run_table(source: Source, language: str, theme: str, *, shown: bool, live: bool = False) -> int:
    """Show the game of a source on the screen or line by line; return the exit status.

    A ``live`` table is on a server.
    """
    with commands.reporting(SourceFailed):
        if shown:
            return show(source, language, theme)
        interrupts.run_until_interrupted(line_mode.LineTable(source, language, live=live).play())
    return 0


@click.command()
@click.argument("url")
@click.option("--name", help="Your name at the table (default: your login name).")
@click.option(
    "--seat",
    type=click.IntRange(0, 6),
    metavar="SEAT",
    help="Seat to take, counting from 0 (default: the first free one).",
)
@options.warn_option
@options.plain_option
@options.theme_option
@options.language_option
def join(
    url: str, name: str | None, seat: int | None, warn: bool, plain: bool, theme: str, language: str
) -> int:
    """Join a table on a server, or return to your seat there.

    URL is the link to the table, as shown in the browser or as sent to you; the link to your own
    seat brings you back to it. Your seat is also remembered on this computer, so running the same
    command again brings you back. If the connection is lost, it is restored automatically and no
    move is lost.

    \b
    Examples:
      $ heckmeck join http://localhost:8000/t/boka-miru-tela
      $ heckmeck join https://play.example.org/t/boka-miru-tela --name Ada
      $ heckmeck join http://localhost:8000/t/boka-miru-tela --plain
    """
    known = KnownSeats(installation.data_folder() / "seats.json")
    guest = server_source.Guest(name or _login_name(), seat)
    source = server_source.ServerSource(
        _address(url), language, guest=guest, known=known, warn=warn
    )
    try:
        return run_table(source, language, theme, shown=not plain and can_show(), live=True)
    finally:
        if source.is_seated:
            command = f"heckmeck join {source.way_back}"
            click.echo(narration.table_words(language).say("left.resume", command=command))


def _address(url: str) -> TableAddress:
    with commands.reporting(BadAddress):
        return read_address(url)


def _login_name() -> str:
    """Return the user's login name, cut to the length a table allows."""
    try:
        return getpass.getuser()[:24]
    except (OSError, KeyError, ImportError):  # a bare container has none
        return "me"


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
@options.json_option("Print one JSON object per line: the events and the state after them.")
@options.theme_option
@files.game_option
@options.language_option
def watch(
    target: str,
    speed: float | None,
    plain: bool,
    as_json: bool,
    theme: str,
    game: int | None,
    language: str,
) -> int:
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
    live = is_address(target)
    shown = not plain and not as_json and can_show()
    if live and game is not None:
        raise click.UsageError(
            "--game chooses a game from a file, but a link leads to one game. Leave it out."
        )
    source: Source
    if live:
        source = server_source.ServerSource(_address(target), language)
    else:
        pace = (1.0 if shown else 0.0) if speed is None else speed
        source = replay_source.ReplaySource(
            files.load(target, game), language, name=target, speed=pace, stay=shown
        )
    if not as_json:
        return run_table(source, language, theme, shown=shown, live=live)
    with commands.reporting(SourceFailed):
        interrupts.run_until_interrupted(line_mode.print_json(source))
    return 0
