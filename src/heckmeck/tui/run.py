"""Show the game of a source in this terminal until the reader leaves, for the commands."""

import os
import sys
from dataclasses import dataclass

from heckmeck.tui.interrupts import first_interrupt
from heckmeck.tui.paper import is_dark
from heckmeck.tui.source import Source

#: The values of the option ``--theme``.
THEMES = ("auto", "dark", "light")


@dataclass(frozen=True, slots=True)
class Left:
    """How the reader left.

    ``status`` is the exit status, ``problem`` why the game could not continue (if it could not).
    ``gone``: the window was closed, so that no output can be read.
    """

    status: int = 0
    problem: str = ""
    gone: bool = False


def can_show() -> bool:
    """Whether a table can be shown: on an interactive terminal with cursor control.

    The table itself is drawn on standard error. A "dumb" terminal, like the shell in Emacs, can
    only print lines.
    """
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def show(source: Source, language: str, theme: str = "auto") -> Left:
    """Show the game of ``source`` in ``language``, in one of the `THEMES`.

    A signal that ends it (a closed window) gives the status that a shell would report.
    """
    from heckmeck.tui.app import TableApp

    dark = is_dark(os.environ) if theme == "auto" else theme == "dark"
    app = TableApp(source, language, dark=dark)
    with first_interrupt(app.interrupt):
        app.run()
    if app.problem:
        return Left(1, app.problem)
    if app.ended_by is None:
        return Left(app.return_code or 0)
    gone = app.ended_by.name == "SIGHUP"
    if gone:
        _discard_output()
    return Left(128 + app.ended_by, gone=gone)


def _discard_output() -> None:
    """Redirect all output to the null device: Python flushes it once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
