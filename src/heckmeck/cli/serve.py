"""`heckmeck serve`."""

import os
import socket
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final, Literal, TypedDict, Unpack

import click

from heckmeck.cli.errors import UserError

if TYPE_CHECKING:
    from heckmeck.server.run import Address
    from heckmeck.server.store.claim import AlreadyServed, Claim

DEFAULT_PORT: Final = 8000
#: How many ports are tried, from the default one on, before any that is free is taken.
NEARBY: Final = 10


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    host: str | None
    port: int | None
    location: str | None
    open_browser: bool
    workers: int
    origins: tuple[str, ...]
    log: Literal["text", "json"]
    log_level: Literal["debug", "info", "warning", "error"]
    keep_days: int | None
    keep_abandoned_days: int | None
    prepares: bool


@click.command()
@click.option("--host", show_default="127.0.0.1", help="The address to listen at.")
@click.option(
    "--port",
    show_default=f"{DEFAULT_PORT}, or the next that is free",
    type=click.IntRange(0, 65535),
    help="The port to listen at; 0 takes any that is free.",
)
@click.option(
    "--db",
    "location",
    metavar="FILE|URL",
    help="An SQLite file, or postgresql://user@host/database. By default a file in your data "
    "folder.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the page in a browser.")
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="So many processes share the port; more than one needs PostgreSQL.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="A page's origin that may connect, such as https://play.example.org. May be repeated.",
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How each request and event is logged, on standard error.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="What is logged, from every message (debug) to what has failed (error).",
)
@click.option(
    "--keep-days",
    metavar="N",
    show_default="for ever",
    type=click.IntRange(1, 36_500),
    help="Delete finished and closed tables N days after the last thing that happened there.",
)
@click.option(
    "--keep-abandoned-days",
    metavar="N",
    show_default="for ever",
    type=click.IntRange(1, 36_500),
    help="Delete tables whose game never ended N days after the last thing that happened there.",
)
@click.option(
    "--prepare/--no-prepare",
    "prepares",
    default=True,
    show_default=True,
    help="Compile beside the server what the bots need, once after an installation.",
)
def serve(**options: Unpack[Options]) -> None:
    """Host tables for people and bots on every device.

    Without options it serves this machine alone and keeps the tables in your data folder. To let
    others in your network join, listen at --host 0.0.0.0. Ctrl-C stops it; no move is lost.

    Tables in a file are served by one server at a time: with --open, a second one opens the
    first one's page instead.

    \b
    Examples:
      $ heckmeck serve --open
      $ heckmeck serve --host 0.0.0.0 --port 8080
      $ heckmeck serve --db postgresql://heckmeck@localhost/heckmeck --workers 4
    """
    from heckmeck.server.settings import default_database
    from heckmeck.server.store import is_postgres
    from heckmeck.server.store.claim import AlreadyServed

    location = options["location"]
    if location is None:
        location = str(_own_database(default_database()))
    if options["workers"] > 1 and not is_postgres(location):
        raise UserError(
            "Several workers need PostgreSQL: an SQLite file is written by one process, and its "
            "changes reach nobody else. Use --db postgresql://user@host/database, or one worker."
        )
    os.environ["HECKMECK_COMPILING"] = "quiet"  # standard error is the log's
    try:
        with _claim(location) as claim:
            _serve(location, options, claim)
    except AlreadyServed as served:
        _go_there(served, options)


def _serve(location: str, options: Options, claim: "Claim | None") -> None:
    """Serve until somebody stops it."""
    from heckmeck.cli.background import start_preparing
    from heckmeck.server import run
    from heckmeck.server.retention import Keep
    from heckmeck.server.settings import Settings
    from heckmeck.server.store import StoreError

    host = options["host"] or "127.0.0.1"
    settings = Settings(
        location,
        log=options["log"],
        log_level=options["log_level"],
        origins=options["origins"],
        keep=Keep(options["keep_days"], options["keep_abandoned_days"]),
    )
    with _listener(host, options["port"]) as listener:
        try:
            run.prepare(settings)
        except StoreError as error:
            raise UserError(str(error)) from error
        address = run.Address(host, listener.getsockname()[1])
        if claim is not None:
            claim.announce(_page(address))
        _tell(address)

        def ready() -> None:
            if options["open_browser"]:
                _open(_page(address))
            if options["prepares"] and start_preparing():
                _print("The bots are being prepared, once: for a minute they may be slow.")

        run.serve(settings, listener, options["workers"], ready)


def _tell(address: "Address") -> None:
    _print(f"Heckmeck is served at {address.url} (Ctrl-C stops it).")
    if address.network_url is not None:
        _print(f"On other devices in your network: {address.network_url}")


def _print(line: str) -> None:
    """Print a line, if anybody still reads: a server outlives the pipe that read its address."""
    with suppress(BrokenPipeError):
        click.echo(line)


def _page(address: "Address") -> str:
    """Return what to open. Links to invite others are made from the address in the browser."""
    return address.network_url or address.url


def _open(url: str) -> None:
    """Open a page; a browser in a terminal would keep us waiting, so beside everything else."""
    Thread(target=webbrowser.open, args=[url], daemon=True).start()


def _listener(host: str, port: int | None) -> socket.socket:
    """Listen at that port; without one at the default, or the next that is free."""
    from heckmeck.server.run import Address, CannotListen, bind

    ports = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + NEARBY), 0]
    for candidate in ports:
        try:
            return bind(Address(host, candidate))
        except CannotListen as error:
            if candidate == ports[-1]:
                raise UserError(str(error)) from error
    raise AssertionError("there is always a last port")


@contextmanager
def _claim(location: str) -> "Iterator[Claim | None]":
    """Hold the right to serve an SQLite file; other databases, and files that cannot be, need none.

    Raise `AlreadyServed` if another server has it.
    """
    from heckmeck.server.store import is_postgres
    from heckmeck.server.store.claim import claimed

    if is_postgres(location) or not Path(location).parent.is_dir():
        yield None
        return
    try:
        claim = claimed(Path(location))
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}. Choose a place with --db.") from error
    with claim:
        yield claim


def _go_there(served: "AlreadyServed", options: Options) -> None:
    """Open the page of the server that has these tables, unless another one was asked for."""
    url = served.url
    if not url or not options["open_browser"] or options["host"] or options["port"] is not None:
        raise UserError(str(served)) from served
    click.echo(f"Heckmeck is served already at {url}: opening it.")
    webbrowser.open(url)


def _own_database(path: Path) -> Path:
    """Make the folder of the database that we chose ourselves."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{path.parent}: {error.strerror}. Choose a place with --db.") from error
    return path
