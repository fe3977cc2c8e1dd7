"""The `heckmeck` command.

A module with subcommands is imported only when one of them runs: `heckmeck --help` is instant.
"""

import errno
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

import click

from heckmeck import __version__
from heckmeck.cli.commands import LazyCommand, LazyGroup, UserError
from heckmeck.cli.printing import use_stand_ins

#: The summary of every command, by its place in this package and its name.
SECTIONS: Final = {
    "Play and watch": {
        "play:play": "Play a game in the terminal.",
        "tables:join": "Join a table on a server.",
        "tables:watch": "Replay a record, or follow a table on a server.",
        "info:rules": "Print the rules of a game.",
        "puzzles:puzzle": "Solve the puzzle of the day, or your mistakes.",
    },
    "Records": {
        "records:replay": "Print a recorded game, move by move.",
        "records:validate": "Check records against the rules.",
        "records:position": "Print a moment of a game on one line.",
        "records:convert": "Convert a record to JSON or text.",
        "export:export": "Export games as tables of data.",
        "records:verify": "Check that a game's dice were fair.",
    },
    "Numbers and bots": {
        "coach:odds": "Show the exact odds of a turn.",
        "coach:advise": "Weigh every move of a position.",
        "review:review": "Judge every decision of recorded games.",
        "stats:stats": "Judge many recorded games together.",
        "rollout:rollout": "Play a position on after every move.",
        "info:bots": "List the bots.",
        "solve:solve": "Solve a small board exactly.",
        "arena:arena": "Run a tournament of bots and rate them.",
        "puzzles:puzzles": "Find puzzles in the champion's games.",
        "train:train": "Train a champion by self-play.",
    },
    "For hosts and programs": {
        "serve:serve": "Host tables for people and bots.",
        "site:site": "Write the pages for a host without a server.",
        "admin:admin": "List, export, back up and delete tables.",
        "prepare:prepare": "Precompile what the bots need.",
        "info:engine": "Speak the engine protocol with a program.",
        "info:docs": "Print a page of the documentation.",
        "info:completion": "Print a shell completion script.",
    },
}
#: The commands that handle Ctrl-C themselves, as event loops do.
OWN_INTERRUPTS: Final = ("play", "join", "watch", "serve")

COMMANDS = {
    (name := place.partition(":")[2]): LazyCommand(
        f"heckmeck.cli.{place}", summary, section, name in OWN_INTERRUPTS
    )
    for section, commands in SECTIONS.items()
    for place, summary in commands.items()
}

ABOUT = """Heckmeck: dice, worms and four games.

Play in the terminal, host tables for browsers, and find out what every roll was worth. The four
games, called EDITION below, are classic, deluxe, barbecue and junior.
"""
EPILOG = """\b
Examples:
  $ heckmeck play
  $ heckmeck play deluxe --players me,fox,rooster --hints
  $ heckmeck serve --open
  $ heckmeck rules junior
  $ heckmeck odds --kept 44W --hand 5

\b
Exit status: 0 success, 1 failure (the reason is on standard error), 2 usage
error, 130 interrupted by Ctrl-C.

Run 'heckmeck COMMAND --help' for a command's options, with examples.
"""

WELCOME = """Play in the browser:   heckmeck serve --open
Play in the terminal:  heckmeck play
All commands:          heckmeck --help"""

cli = LazyGroup("heckmeck", COMMANDS, about=ABOUT, epilog=EPILOG, welcome=WELCOME)
click.version_option(__version__, prog_name="heckmeck", message="%(prog)s %(version)s")(cli)

#: Errors of a full disk or failing hardware when writing output.
OUTPUT_FAILED: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

# Exit statuses; usage errors exit with click's own 2.
DONE = 0
FAILED = 1
INTERRUPTED = 130  # as a shell reports a program ended by Ctrl-C


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line `args` (None: that of the process) and return its exit status."""
    # NumPy's BLAS would otherwise start a thread per core, which we never use.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # The first command after an installation compiles; heckmeck.solver.compiling announces it.
    os.environ.setdefault("HECKMECK_COMPILING", "tell")
    use_stand_ins()
    before = signal.getsignal(signal.SIGINT)
    try:
        return _run_and_flush(args)
    finally:
        if args is None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process is about to exit
        elif signal.getsignal(signal.SIGINT) is not before:
            signal.signal(signal.SIGINT, before)  # an interrupted command replaced it


def _run_and_flush(args: Sequence[str] | None) -> int:
    """Run the command line; report output that cannot be written without a traceback."""
    try:
        status = _run(args)
        if sys.stdout is not None:
            sys.stdout.flush()  # here rather than at exit, to notice a closed pipe in time
    except KeyboardInterrupt:
        _discard_output()
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return FAILED
    except OSError as error:
        if error.errno not in OUTPUT_FAILED or error.filename is not None:
            raise
        _discard_output()
        return _complain(f"the output cannot be written: {error.strerror}")
    return status


def _run(args: Sequence[str] | None) -> int:
    """Run click and turn every error a user can cause into a message and an exit status."""
    try:
        result = cli.main(args, prog_name="heckmeck", standalone_mode=False)
    except UserError as error:
        return _complain(str(error))
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort as abort:
        if isinstance(abort.__context__, EOFError):
            return _complain("the input ended before the command had finished")
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
    """Redirect standard output to the null device: Python flushes it once more at exit."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
