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

PLAYING = "Play and watch"
RECORDS = "Records"
NUMBERS = "Numbers and bots"
PROGRAMS = "For hosts and programs"

COMMANDS = {
    "play": LazyCommand("heckmeck.cli.play:play", "Play a game in the terminal.", PLAYING),
    "join": LazyCommand("heckmeck.cli.join:join", "Sit down at a server's table.", PLAYING),
    "watch": LazyCommand(
        "heckmeck.cli.watch:watch", "Replay a record, or follow a server's table.", PLAYING
    ),
    "rules": LazyCommand("heckmeck.cli.rules:rules", "Print the rules of a game.", PLAYING),
    "replay": LazyCommand(
        "heckmeck.cli.replay:replay", "Print a recorded game, move by move.", RECORDS
    ),
    "validate": LazyCommand(
        "heckmeck.cli.validate:validate", "Check records against the rules.", RECORDS
    ),
    "convert": LazyCommand(
        "heckmeck.cli.convert:convert", "Turn a record into JSON or text.", RECORDS
    ),
    "verify": LazyCommand(
        "heckmeck.cli.verify:verify", "Check that a game's dice were fair.", RECORDS
    ),
    "odds": LazyCommand("heckmeck.cli.odds:odds", "Show the exact odds of a turn.", NUMBERS),
    "advise": LazyCommand("heckmeck.cli.advise:advise", "Weigh every move of a position.", NUMBERS),
    "bots": LazyCommand("heckmeck.cli.bots:bots", "List the bots.", NUMBERS),
    "solve": LazyCommand("heckmeck.cli.solve:solve", "Solve a small board to the end.", NUMBERS),
    "arena": LazyCommand(
        "heckmeck.cli.arena:arena", "Let bots play many games, and rate them.", NUMBERS
    ),
    "train": LazyCommand("heckmeck.cli.train:train", "Train a champion by self-play.", NUMBERS),
    "serve": LazyCommand(
        "heckmeck.cli.serve:serve", "Host tables for people on every device.", PROGRAMS
    ),
    "prepare": LazyCommand(
        "heckmeck.cli.prepare:prepare", "Compile ahead what the bots need.", PROGRAMS
    ),
    "engine": LazyCommand(
        "heckmeck.cli.engine:engine", "Speak the engine protocol with a program.", PROGRAMS
    ),
    "docs": LazyCommand("heckmeck.cli.docs:docs", "Print a page of the documentation.", PROGRAMS),
    "completion": LazyCommand(
        "heckmeck.cli.completion:completion", "Let a shell complete commands.", PROGRAMS
    ),
}

ABOUT = """Heckmeck: dice, worms and four games.

Play in the terminal, host tables for a browser, and find out what every throw was worth. The
games, everywhere called EDITION, are classic, deluxe, barbecue and junior.
"""
EPILOG = """\b
Examples:
  $ heckmeck play
  $ heckmeck play deluxe --players me,fox,rooster --hints
  $ heckmeck serve --open
  $ heckmeck rules junior
  $ heckmeck odds --kept 44W --hand 5

\b
Exit status: 0 done, 1 not done (the reason is on standard error), 2 a wrong
command line, 130 interrupted with Ctrl-C.

'heckmeck COMMAND --help' explains a command, with examples.
"""

WELCOME = """Play in the browser:   heckmeck serve --open
Play in the terminal:  heckmeck play
All commands:          heckmeck --help"""

cli = LazyGroup("heckmeck", COMMANDS, about=ABOUT, epilog=EPILOG, welcome=WELCOME)
click.version_option(__version__, prog_name="heckmeck", message="%(prog)s %(version)s")(cli)

# Exit statuses; usage errors exit with click's own 2.
DONE = 0
FAILED = 1
INTERRUPTED = 130  # as a shell reports a program ended by Ctrl-C


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line `args` (None: that of the process) and return its exit status."""
    # Our matrices are small and our work is many processes: NumPy's own threads only get in each
    # other's way. Measured: the champion played 7 times as many games with one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # After an installation the first command has to compile: heckmeck.solver.compiling says so.
    os.environ.setdefault("HECKMECK_COMPILING", "tell")
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
        from heckmeck.installation import missing

        advice = missing(error.name or "")
        if advice is None:
            raise
        return _complain(advice)
    return result if isinstance(result, int) else DONE


def _complain(message: str) -> int:
    click.echo(f"heckmeck: {message}", err=True)
    return FAILED


def _discard_output() -> None:
    """Point standard output at nothing: Python flushes it once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
