"""The terminal table: one screen for all four games, with keyboard and mouse.

The screen knows neither the rules nor where its game comes from: it shows the updates of a `Source`
and returns moves. See `heckmeck.tui.source`.
"""

import os
import sys

from heckmeck.interrupts import first_interrupt
from heckmeck.tui.source import Source, SourceFailed


def can_show() -> bool:
    """Whether a table can be shown: on an interactive terminal with cursor control.

    The table itself is drawn on standard error. A "dumb" terminal, like the shell in Emacs, can
    only print lines.
    """
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def show(source: Source, language: str, theme: str = "auto") -> int:
    """Show the game of ``source`` in ``language``, and return the exit status.

    ``theme`` is auto, dark or light. A signal that ends it gives the status that a shell would
    report; if the window was closed, further output is discarded. Raise `SourceFailed` if the game
    could not continue.
    """
    from heckmeck.tui.app import TableApp
    from heckmeck.tui.theme import is_dark

    dark = is_dark(os.environ) if theme == "auto" else theme == "dark"
    app = TableApp(source, language, dark=dark)
    with first_interrupt(app.interrupt):
        app.run()
    if app.problem:
        raise SourceFailed(app.problem)
    if app.ended_by is None:
        return app.return_code or 0
    if app.ended_by.name == "SIGHUP":
        _discard_output()
    return 128 + app.ended_by


def _discard_output() -> None:
    """Redirect all output to the null device: Python flushes it once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
