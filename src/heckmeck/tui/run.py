"""Show a source's game in this terminal until its reader leaves. For the commands."""

import os
import sys
from dataclasses import dataclass

from heckmeck.tui.interrupts import first_interrupt
from heckmeck.tui.paper import is_dark
from heckmeck.tui.source import Source

#: What the option ``--theme`` offers.
THEMES = ("auto", "dark", "light")


@dataclass(frozen=True, slots=True)
class Left:
    """How the reader left.

    ``status`` is the exit status, ``problem`` why the game could not go on (if it could not).
    ``gone``: the window was closed, and nobody reads any more what is said.
    """

    status: int = 0
    problem: str = ""
    gone: bool = False


def can_show() -> bool:
    """Whether a table can be shown here: somebody sits at a terminal that can do more than print.

    The table itself is drawn on standard error. A terminal that calls itself dumb, like the shell
    in Emacs, prints lines and nothing else.
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
    """Point all output at nothing: Python flushes it once more at exit, and the window is gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
