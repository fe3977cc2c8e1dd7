"""The `heckmeck` command.

Each subcommand is a module of its own, imported only when it runs: `heckmeck --help` is instant.
"""

import codecs
import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Final, TypeAlias

import click

from heckmeck import __version__
from heckmeck.cli.errors import UserError
from heckmeck.cli.lazy import LazyCommand, LazyGroup

PLAYING = "Play and watch"
RECORDS = "Records"
NUMBERS = "Numbers and bots"
PROGRAMS = "For hosts and programs"

COMMANDS = {
    "play": LazyCommand(
        "heckmeck.cli.play:play", "Play a game in the terminal.", PLAYING, has_own_interrupts=True
    ),
    "join": LazyCommand(
        "heckmeck.cli.join:join", "Join a table on a server.", PLAYING, has_own_interrupts=True
    ),
    "watch": LazyCommand(
        "heckmeck.cli.watch:watch",
        "Replay a record, or follow a table on a server.",
        PLAYING,
        has_own_interrupts=True,
    ),
    "rules": LazyCommand("heckmeck.cli.rules:rules", "Print the rules of a game.", PLAYING),
    "replay": LazyCommand(
        "heckmeck.cli.replay:replay", "Print a recorded game, move by move.", RECORDS
    ),
    "validate": LazyCommand(
        "heckmeck.cli.validate:validate", "Check records against the rules.", RECORDS
    ),
    "convert": LazyCommand(
        "heckmeck.cli.convert:convert", "Convert a record to JSON or text.", RECORDS
    ),
    "verify": LazyCommand(
        "heckmeck.cli.verify:verify", "Check that a game's dice were fair.", RECORDS
    ),
    "odds": LazyCommand("heckmeck.cli.odds:odds", "Show the exact odds of a turn.", NUMBERS),
    "advise": LazyCommand("heckmeck.cli.advise:advise", "Weigh every move of a position.", NUMBERS),
    "bots": LazyCommand("heckmeck.cli.bots:bots", "List the bots.", NUMBERS),
    "solve": LazyCommand("heckmeck.cli.solve:solve", "Solve a small board exactly.", NUMBERS),
    "arena": LazyCommand(
        "heckmeck.cli.arena:arena", "Run a tournament of bots and rate them.", NUMBERS
    ),
    "train": LazyCommand("heckmeck.cli.train:train", "Train a champion by self-play.", NUMBERS),
    "serve": LazyCommand(
        "heckmeck.cli.serve:serve",
        "Host tables for people and bots.",
        PROGRAMS,
        has_own_interrupts=True,
    ),
    "admin": LazyCommand(
        "heckmeck.cli.admin:admin", "List, export, back up and delete tables.", PROGRAMS
    ),
    "prepare": LazyCommand(
        "heckmeck.cli.prepare:prepare", "Precompile what the bots need.", PROGRAMS
    ),
    "engine": LazyCommand(
        "heckmeck.cli.engine:engine", "Speak the engine protocol with a program.", PROGRAMS
    ),
    "docs": LazyCommand("heckmeck.cli.docs:docs", "Print a page of the documentation.", PROGRAMS),
    "completion": LazyCommand(
        "heckmeck.cli.completion:completion", "Print a shell completion script.", PROGRAMS
    ),
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

#: The names of our error handler and our ASCII codec in `codecs`.
STAND_INS: Final = "heckmeck_stand_ins"
PLAIN_ASCII: Final = "heckmeck_ascii"

#: Errors of a full disk or failing hardware when writing output.
OUTPUT_FAILED: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

Handler: TypeAlias = Callable[[int, FrameType | None], object] | int | None

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
    _use_stand_ins()
    before = signal.getsignal(signal.SIGINT)
    try:
        return _run_and_flush(args)
    finally:
        if args is None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process is about to exit
        else:
            _hear_again(before)


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


def _hear_again(handler: Handler) -> None:
    """Restore the Ctrl-C handler if an interrupted command replaced it."""
    if signal.getsignal(signal.SIGINT) is not handler:
        signal.signal(signal.SIGINT, handler)


def _use_stand_ins() -> None:
    """Make standard output and error substitute characters they cannot encode."""
    codecs.register_error(STAND_INS, _stand_in)
    codecs.register(_plain_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            if is_ascii or _asks_for_ascii(os.environ):
                stream.reconfigure(encoding=PLAIN_ASCII)
            stream.reconfigure(errors=STAND_INS)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    from heckmeck.cli.letters import stand_in

    return stand_in(error)


def _plain_ascii(name: str) -> codecs.CodecInfo | None:
    """Return the ASCII codec under our own name; click treats "ascii" as a mistake."""
    if name != PLAIN_ASCII:
        return None
    codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        codec.encode,
        codec.decode,
        codec.streamreader,
        codec.streamwriter,
        codec.incrementalencoder,
        codec.incrementaldecoder,
        name=PLAIN_ASCII,
    )


def _asks_for_ascii(environment: Mapping[str, str]) -> bool:
    """Whether the user chose the C locale, for which Python would write UTF-8 by default."""
    if environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8"):
        return False  # the encoding was set explicitly
    names = ["LC_ALL", "LC_CTYPE", "LANG"]
    if sys.flags.utf8_mode and environment.get("LC_CTYPE") == "C.UTF-8":
        names.remove("LC_CTYPE")  # set by Python itself to replace LANG=C
    locale = next(filter(None, map(environment.get, names)), None)
    return locale in ("C", "POSIX")


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
