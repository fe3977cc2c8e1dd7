"""`heckmeck prepare`."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from heckmeck.cli.progress import progress_bar


@click.command()
@click.option("--quiet", is_flag=True, help="Print nothing.")
def prepare(quiet: bool) -> None:
    """Precompile what the bots and the coach need, so that nobody has to wait at the table.

    Takes about a minute, once per installation; what is already compiled is kept. Without it, the
    champion's first move and the first hint take a few seconds longer. A server does this by
    itself, in the background.

    \b
    Example:
      $ heckmeck prepare
    """
    from heckmeck.cli.background import remember_prepared
    from heckmeck.coach import preparing

    os.environ["HECKMECK_COMPILING"] = "quiet"  # the progress bar shows it
    began = time.perf_counter()
    parts = preparing.parts()
    with _progress(len(parts), quiet) as advance:
        for part in parts:
            preparing.prepare(part)
            advance()
    remember_prepared()
    if not quiet:
        click.echo(f"The bots and the coach are ready ({time.perf_counter() - began:.0f} s).")


@contextmanager
def _progress(parts: int, quiet: bool) -> Iterator[Callable[[], None]]:
    """Show a bar on standard error, if it is a terminal."""
    from rich.progress import TimeRemainingColumn

    with progress_bar(TimeRemainingColumn(), hidden=quiet) as bar:
        task = bar.add_task("Compiling", total=parts)
        yield lambda: bar.advance(task)
