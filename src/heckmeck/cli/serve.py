"""`heckmeck serve`."""

import webbrowser
from pathlib import Path
from threading import Timer
from typing import Literal

import click

from heckmeck.cli.errors import UserError


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
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
def serve(
    host: str,
    port: int,
    location: str | None,
    open_browser: bool,
    workers: int,
    origins: tuple[str, ...],
    log: Literal["text", "json"],
) -> None:
    """Host tables for people and bots on every device.

    Without options it serves this machine alone and keeps the tables in your data folder. To let
    others in your network join, listen at --host 0.0.0.0. Ctrl-C stops it; no move is lost.

    \b
    Examples:
      $ heckmeck serve --open
      $ heckmeck serve --host 0.0.0.0 --port 8080
      $ heckmeck serve --db postgresql://heckmeck@localhost/heckmeck --workers 4
    """
    from heckmeck.server import run
    from heckmeck.server.settings import Settings, default_database
    from heckmeck.server.store import StoreError, is_postgres

    if location is None:
        location = str(_own_database(default_database()))
    if workers > 1 and not is_postgres(location):
        raise UserError(
            "Several workers need PostgreSQL: an SQLite file is written by one process, and its "
            "changes reach nobody else. Use --db postgresql://user@host/database, or one worker."
        )
    try:
        listener = run.bind(run.Address(host, port))
    except run.CannotListen as error:
        raise UserError(str(error)) from error
    settings = Settings(location, log, origins)
    with listener:
        try:
            run.prepare(settings)
        except StoreError as error:
            raise UserError(str(error)) from error
        address = run.Address(host, listener.getsockname()[1])
        click.echo(f"Heckmeck is served at {address.url} (Ctrl-C stops it).")
        if address.network_url is not None:
            click.echo(f"On other devices in your network: {address.network_url}")
        if open_browser:
            # Links to invite others are made from the address in the browser.
            Timer(1, webbrowser.open, [address.network_url or address.url]).start()
        run.serve(settings, listener, workers)


def _own_database(path: Path) -> Path:
    """Make the folder of the database that we chose ourselves."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{path.parent}: {error.strerror}. Choose a place with --db.") from error
    return path
