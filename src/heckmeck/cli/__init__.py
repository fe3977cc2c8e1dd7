"""The `heckmeck` command.

Each subcommand is a module of its own, imported only when it runs: `heckmeck --help` is instant.
"""

import io
import os
import sys
from collections.abc import Sequence

import click

from heckmeck import __version__
from heckmeck.cli.errors import UserError
from heckmeck.cli.lazy import LazyCommand, LazyGroup

COMMANDS = {
    "play": LazyCommand("heckmeck.cli.play:play", "Play a game in the terminal."),
    "replay": LazyCommand("heckmeck.cli.replay:replay", "Show a recorded game, move by move."),
    "validate": LazyCommand("heckmeck.cli.validate:validate", "Check records against the rules."),
    "convert": LazyCommand("heckmeck.cli.convert:convert", "Turn a record into JSON or text."),
    "verify": LazyCommand("heckmeck.cli.verify:verify", "Check that a game's dice were fair."),
    "odds": LazyCommand("heckmeck.cli.odds:odds", "Show the exact odds of a turn."),
    "advise": LazyCommand("heckmeck.cli.advise:advise", "Weigh every move of a position."),
    "arena": LazyCommand("heckmeck.cli.arena:arena", "Let bots play many games, and rate them."),
    "serve": LazyCommand("heckmeck.cli.serve:serve", "Host tables for people on every device."),
    "engine": LazyCommand(
        "heckmeck.cli.engine:engine", "Speak the engine protocol with a program."
    ),
}

cli = LazyGroup("heckmeck", COMMANDS, about="Heckmeck: dice, worms and four games.")
click.version_option(__version__, prog_name="heckmeck", message="%(prog)s %(version)s")(cli)

#: Which extra brings a package that a command may miss.
EXTRA_OF = {
    "matplotlib": "plots",
    "msgspec": "server",
    "numba": "solver",
    "numpy": "solver",
    "psycopg": "postgres",
    "psycopg_pool": "postgres",
    "ray": "ray",
    "starlette": "server",
    "uvicorn": "server",
}

# Exit statuses; usage errors exit with click's own 2.
DONE = 0
FAILED = 1
INTERRUPTED = 130  # as a shell reports a program ended by Ctrl-C


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line `args` (None: that of the process) and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name may hold what the terminal cannot show; that must not end a game.
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(args)
        sys.stdout.flush()  # here, not at exit, so that a closed pipe is noticed in time
    except BrokenPipeError:
        _discard_output()
        return FAILED
    return status


def _run(args: Sequence[str] | None) -> int:
    """Run click and turn everything a user may cause into a message and an exit status."""
    try:
        result = cli.main(args, prog_name="heckmeck", standalone_mode=False)
    except UserError as error:
        return _complain(str(error))
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort as abort:
        if isinstance(abort.__context__, EOFError):
            return _complain("the input ended before the command was done")
        return INTERRUPTED
    except KeyboardInterrupt:
        return INTERRUPTED
    except ModuleNotFoundError as error:
        if error.name not in EXTRA_OF:
            raise
        return _complain(
            f"this needs more packages: pip install 'heckmeck[{EXTRA_OF[error.name]}]'"
        )
    return result if isinstance(result, int) else DONE


def _complain(message: str) -> int:
    click.echo(f"heckmeck: {message}", err=True)
    return FAILED


def _discard_output() -> None:
    """Point standard output at nothing: Python flushes it once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
