"""`heckmeck join`."""

import getpass
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.language import language_option
from heckmeck.narration import table_words
from heckmeck.tui.interrupts import run_until_interrupted
from heckmeck.tui.run import THEMES, can_show

if TYPE_CHECKING:
    from heckmeck.tui.server_source import ServerSource


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    url: str
    name: str | None
    seat: int | None
    plain: bool
    theme: str
    language: str


@click.command()
@click.argument("url")
@click.option("--name", help="Your name at the table (default: your login name).")
@click.option(
    "--seat",
    type=click.IntRange(0, 6),
    metavar="SEAT",
    help="Seat to take, counting from 0 (default: the first free one).",
)
@click.option(
    "--plain",
    is_flag=True,
    help="Play line by line, for screen readers and scripts (the default outside a terminal).",
)
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    default="auto",
    show_default=True,
    help="Colour theme; auto follows the terminal. NO_COLOR is respected.",
)
@language_option
def join(**options: Unpack[Options]) -> int:
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
    from heckmeck.client import BadAddress, KnownSeats, read_address
    from heckmeck.record.folders import data_folder
    from heckmeck.tui.server_source import Guest, ServerSource
    from heckmeck.tui.source import SourceFailed

    try:
        address = read_address(options["url"])
    except BadAddress as error:
        raise UserError(str(error)) from error
    known = KnownSeats(data_folder() / "seats.json")
    guest = Guest(options["name"] or _login_name(), options["seat"])
    source = ServerSource(address, options["language"], guest=guest, known=known)
    try:
        return _play(source, options)
    except SourceFailed as error:
        raise UserError(str(error)) from error
    finally:
        if source.is_seated:
            command = f"heckmeck join {source.way_back}"
            click.echo(table_words(options["language"]).say("left.resume", command=command))


def _play(source: "ServerSource", options: Options) -> int:
    if not options["plain"] and can_show():
        from heckmeck.tui.run import show

        left = show(source, options["language"], options["theme"])
        if left.problem:
            raise UserError(left.problem)
        return left.status
    from heckmeck.cli.line_by_line import LineTable

    run_until_interrupted(LineTable(source, options["language"]).play())
    return 0


def _login_name() -> str:
    """Return the user's login name, cut to the length a table allows."""
    try:
        return getpass.getuser()[:24]
    except (OSError, KeyError, ImportError):  # a bare container has none
        return "me"
