"""`heckmeck serve`."""

import ipaddress
import os
import re
import socket
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Final, Literal, TypedDict, Unpack

import click

from heckmeck.bots import EXAMPLE, UnknownBot, invite
from heckmeck.cli import commands, prepare
from heckmeck.cli.options import configurable, move_seconds_option, number_option
from heckmeck.server import admin, app, run, security
from heckmeck.server.run import Address, CannotListen, bind
from heckmeck.server.store import StoreError, default_database, is_postgres, sqlite_file

DEFAULT_PORT: Final = 8000
#: How many ports to try, starting with the default one, before taking any free port.
NEARBY: Final = 10


class Options(TypedDict):
    """The options of the command, as passed by click."""

    host: str | None
    port: int | None
    location: str | None
    open_browser: bool
    workers: int
    origins: tuple[str, ...]
    proxies: tuple[str, ...]
    root: str
    metrics: tuple[str, ...]
    push: bool
    push_to: tuple[str, ...]
    hosts: tuple[str, ...]
    log: Literal["text", "json"]
    log_level: Literal["debug", "info", "warning", "error"]
    keep_days: int | None
    keep_abandoned_days: int | None
    keep_books_days: int | None
    prepares: bool
    bots: str | None
    move_seconds: float


def _networks(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the addresses and networks; refuse anything else."""
    for value in values:
        try:
            ipaddress.ip_network(value)
        except ValueError as error:
            raise click.BadParameter(
                f"{value!r:.80} is not an address or a network such as 10.0.0.0/8 ({error})."
            ) from error
    return values


def _root_path(_: click.Context, __: click.Parameter, value: str) -> str:
    try:
        return security.read_root_path(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@configurable
@click.command()
@click.option("--host", metavar="ADDRESS", show_default="127.0.0.1", help="Address to listen on.")
@click.option(
    "--port",
    show_default=f"{DEFAULT_PORT}, or the next free one",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Port to listen on; 0 picks any free one.",
)
@click.option(
    "--db",
    "location",
    metavar="FILE|URL",
    help="Database for the tables: an SQLite file or postgresql://user@host/database (default: a "
    "file in your data folder).",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the page in a browser.")
@number_option(
    "--workers", "Number of worker processes; more than one needs PostgreSQL.", most=64, default=1
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="Also accept pages of this origin, such as https://play.example.org; may be repeated "
    "(default: only the server's own pages).",
)
@click.option(
    "--trust-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS|CIDR",
    callback=_networks,
    help="Proxies whose X-Forwarded-For header is trusted, such as 10.0.0.0/8; may be repeated "
    "(default: proxies on this machine).",
)
@click.option(
    "--root-path",
    "root",
    default="/",
    metavar="PATH",
    callback=_root_path,
    help="Path under which a proxy serves the site, such as /heckmeck.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Public host name of the server, such as play.example.org; may be repeated (default: "
    "only numeric addresses, names in your local network, and names over HTTPS).",
)
@click.option(
    "--metrics-for",
    "metrics",
    multiple=True,
    metavar="ADDRESS|CIDR",
    callback=_networks,
    help="Clients that may read /metrics (Prometheus), such as 127.0.0.1; may be repeated "
    "(default: nobody).",
)
@click.option(
    "--push/--no-push",
    default=True,
    help="Send push messages to players who asked for them and are not connected.",
)
@click.option(
    "--push-to",
    multiple=True,
    metavar="ADDRESS|CIDR",
    callback=_networks,
    help="Networks that push messages may also be sent to, not only the internet; may be repeated "
    "(default: none).",
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Format of the log on standard error.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    help="Least severe level to log, from every message (debug) to failures only (error).",
)
@number_option(
    "--keep-days",
    "Delete finished and closed tables N days after their last change.",
    most=36_500,
    show_default="forever",
)
@number_option(
    "--keep-abandoned-days",
    "Delete waiting and unfinished tables N days after their last change.",
    most=36_500,
    show_default="forever",
)
@number_option(
    "--keep-books-days",
    "Delete family books N days after their last game.",
    most=36_500,
    show_default="forever",
)
@click.option(
    "--prepare/--no-prepare",
    "prepares",
    default=True,
    help="Compile the code of the bots in the background, once per installation.",
)
@click.option(
    "--bots",
    metavar="[NAME=]BOT[,...]",
    help="Your own bots that may sit at tables, such as py:MODULE:CLASS, champion:FILE or "
    "exec:PROGRAM; NAME is what players see (default: none).",
)
@move_seconds_option("--bots")
def serve(**options: Unpack[Options]) -> None:
    """Host tables for people and bots on any device.

    By default the server is reachable from this machine only and keeps its tables in your data
    folder. To let others on your network join, use --host 0.0.0.0. Press Ctrl-C to stop; no move
    is lost.

    An SQLite file is served by one server at a time. With --open, a second one opens the page of
    the first instead.

    \b
    Examples:
      $ heckmeck serve --open
      $ heckmeck serve --host 0.0.0.0 --port 8080
      $ heckmeck serve --db postgresql://heckmeck@localhost/heckmeck --workers 4
      $ heckmeck serve --bots Careful=py:my_bots:Careful
    """
    location = options["location"]
    if location is None:
        location = str(_own_database(default_database()))
    if options["workers"] > 1 and not is_postgres(location):
        raise commands.UserError(
            "More than one worker needs PostgreSQL: an SQLite file can be served by one process "
            "only. Use --db postgresql://user@host/database, or --workers 1."
        )
    os.environ["HECKMECK_COMPILING"] = "quiet"  # standard error is for the log
    with commands.reporting(UnknownBot):
        invite(dict(bots_in(options["bots"])))
    try:
        with _claim(location) as claim:
            _serve(location, options, claim)
    except sqlite_file.AlreadyServed as served:
        _go_there(served, options)


#: What a guest may be called: it fits on a plate, and in a message of the protocol.
_GUEST: Final = r"[^\W\d_][\w-]{0,19}"


def bots_in(text: str | None) -> tuple[tuple[str, str], ...]:
    """Return the bots in --bots, each with its name; raise a `UserError` if one has none.

    Without a name, a bot is called after its class, its file or its program.
    """
    found: dict[str, str] = {}
    for each in text.split(",") if text else ():
        given = re.fullmatch(rf"\s*(?:({_GUEST})=)?(.+?)\s*", each)
        bot = given[2] if given else each
        last = re.split(r"[:/\\]", bot.split()[0] if bot.split() else "")[-1].partition(".")[0]
        name = (given[1] if given else None) or last
        if not re.fullmatch(_GUEST, name) or name in found:
            raise commands.UserError(
                f"--bots {each.strip()}: there is no name for this bot that is short and its own. "
                f"Write one before it, as in Careful={EXAMPLE}."
            )
        found[name] = bot
    return tuple(found.items())


def _serve(location: str, options: Options, claim: sqlite_file.Claim | None) -> None:
    """Serve until stopped."""
    host = options["host"] or "127.0.0.1"
    settings = app.Settings(
        location,
        log=options["log"],
        log_level=options["log_level"],
        origins=options["origins"],
        hosts=options["hosts"],
        proxies=options["proxies"] or security.LOOPBACK,
        root=options["root"],
        metrics=options["metrics"],
        push=options["push"],
        push_to=options["push_to"],
        bots=bots_in(options["bots"]),
        move_seconds=options["move_seconds"],
        keep=admin.Keep(
            options["keep_days"], options["keep_abandoned_days"], options["keep_books_days"]
        ),
    )
    with _listener(host, options["port"]) as listener:
        with commands.reporting(StoreError):
            run.prepare(settings)
        address = run.Address(host, listener.getsockname()[1])
        if claim is not None:
            claim.announce(_page(address))
        _tell(address)

        def ready() -> None:
            if options["open_browser"]:
                _open(_page(address))
            if options["prepares"] and prepare.start_preparing():
                _print("Preparing the bots, once: they may be slow for about a minute.")

        run.serve(settings, listener, options["workers"], ready)


def _tell(address: Address) -> None:
    _print(f"Heckmeck is running at {address.url} (press Ctrl-C to stop).")
    if address.network_url is not None:
        _print(f"On other devices in your network: {address.network_url}")


def _print(line: str) -> None:
    """Print a line; a server outlives the pipe that read its address."""
    with suppress(BrokenPipeError):
        click.echo(line)


def _page(address: Address) -> str:
    """Return the URL to open; invitation links are made from the address in the browser."""
    return address.network_url or address.url


def _open(url: str) -> None:
    """Open a page in a thread: a browser in a terminal would block."""
    Thread(target=webbrowser.open, args=[url], daemon=True).start()


def _listener(host: str, port: int | None) -> socket.socket:
    """Listen on ``port``; by default on the default port, or the next free one."""
    ports = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + NEARBY), 0]
    for candidate in ports[:-1]:
        with suppress(CannotListen):
            return bind(Address(host, candidate))
    with commands.reporting(CannotListen):
        return bind(Address(host, ports[-1]))


@contextmanager
def _claim(location: str) -> Iterator[sqlite_file.Claim | None]:
    """Hold the right to serve an SQLite file; yield None if the location needs none.

    Raise `AlreadyServed` if another server holds it.
    """
    if is_postgres(location) or not Path(location).parent.is_dir():
        yield None
        return
    try:
        claim = sqlite_file.claimed(Path(location))
    except OSError as error:
        raise commands.UserError(
            f"{error.filename}: {error.strerror}. Choose another file with --db."
        ) from error
    with claim:
        yield claim


def _go_there(served: sqlite_file.AlreadyServed, options: Options) -> None:
    """Open the page of the server that already serves these tables.

    Raise a `UserError` if the options ask for a server of their own.
    """
    url = served.url
    if not url or not options["open_browser"] or options["host"] or options["port"] is not None:
        raise commands.UserError(str(served)) from served
    click.echo(f"Heckmeck is already running at {url}; opening it.")
    webbrowser.open(url)


def _own_database(path: Path) -> Path:
    """Create the folder of the default database."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise commands.UserError(
            f"{path.parent}: {error.strerror}. Choose another file with --db."
        ) from error
    return path
