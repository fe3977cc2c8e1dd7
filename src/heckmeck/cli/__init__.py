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
        "heckmeck.cli.join:join", "Sit down at a server's table.", PLAYING, has_own_interrupts=True
    ),
    "watch": LazyCommand(
        "heckmeck.cli.watch:watch",
        "Replay a record, or follow a server's table.",
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
        "heckmeck.cli.serve:serve",
        "Host tables for people on every device.",
        PROGRAMS,
        has_own_interrupts=True,
    ),
    "admin": LazyCommand(
        "heckmeck.cli.admin:admin", "List, export, back up and delete tables.", PROGRAMS
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

#: The names under which our error handler and our ASCII are known to `codecs`.
STAND_INS: Final = "heckmeck_stand_ins"
PLAIN_ASCII: Final = "heckmeck_ascii"

#: What a full disk and broken hardware say when something is written.
OUTPUT_FAILED: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

Handler: TypeAlias = Callable[[int, FrameType | None], object] | int | None

# Exit statuses; usage errors exit with click's own 2.
DONE = 0
FAILED = 1
INTERRUPTED = 130  # as a shell reports a program ended by Ctrl-C


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line `args` (None: that of the process) and return its exit status."""
    # NumPy's library for matrices would start a thread for every core, and we use none of them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # After an installation the first command has to compile: heckmeck.solver.compiling says so.
    os.environ.setdefault("HECKMECK_COMPILING", "tell")
    _use_stand_ins()
    before = signal.getsignal(signal.SIGINT)
    try:
        return _run_and_flush(args)
    finally:
        if args is None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing but the end follows
        else:
            _hear_again(before)


def _run_and_flush(args: Sequence[str] | None) -> int:
    """Run the command line; an output that cannot be written never shows a traceback."""
    try:
        status = _run(args)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, not at exit, so that a closed pipe is noticed in time
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
    """Let this process hear Ctrl-C as before, if a command that was interrupted changed that."""
    if signal.getsignal(signal.SIGINT) is not handler:
        signal.signal(signal.SIGINT, handler)


def _use_stand_ins() -> None:
    """Let standard output and error write something for characters that they do not have."""
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
    """Return ASCII under a name of ours: click takes "ascii" for a mistake and writes UTF-8."""
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
    """Whether the user chose the locale C, for which Python writes UTF-8 unless told otherwise."""
    if environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8"):
        return False  # Python did what it was told
    names = ["LC_ALL", "LC_CTYPE", "LANG"]
    if sys.flags.utf8_mode and environment.get("LC_CTYPE") == "C.UTF-8":
        names.remove("LC_CTYPE")  # set by Python itself, in place of the user's LANG=C
    locale = next(filter(None, map(environment.get, names)), None)
    return locale in ("C", "POSIX")


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
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
