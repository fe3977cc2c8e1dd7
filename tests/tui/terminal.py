"""A real terminal: `heckmeck` in a process of its own, behind a pseudo-terminal."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte

#: As in a shell's foreground: Ctrl-C is not ignored.
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from heckmeck.cli import main
sys.exit(main())
"""
#: Make the terminal the process's own, so that closing it is felt.
TAKE_TERMINAL = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
"""
#: On a busy machine it takes a while until a program shows something.
SECONDS = 60
SIZE = (80, 24)


class RealTerminal:
    """A screen of 80 by 24, a keyboard and a mouse."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self.written = b""
        self._master = master
        self._screen = pyte.Screen(*SIZE)
        self._stream = pyte.ByteStream(self._screen)

    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def wait_for(self, pattern: str) -> str:
        """Read until the screen shows ``pattern``; return it all."""
        until = time.monotonic() + SECONDS
        while not re.search(pattern, self.text()):
            assert time.monotonic() < until, f"{pattern!r} is not shown:\n{self.text()}"
            if not self._read(0.1) and self.process.poll() is not None:
                assert re.search(pattern, self.text()), f"it ended:\n{self.text()}"
        return self.text()

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def click(self, column: int, row: int) -> None:
        """Press and release the left button there, both from 0."""
        place = f"{column + 1};{row + 1}"
        self.type(f"\x1b[<0;{place}M\x1b[<0;{place}m")

    def place_of(self, pattern: str) -> tuple[int, int]:
        """Where on the screen that is, as column and row."""
        for row, line in enumerate(self._screen.display):
            match = re.search(pattern, line)
            if match:
                return match.start(), row
        raise AssertionError(f"{pattern!r} is not shown:\n{self.text()}")

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def hang_up(self) -> None:
        """Close the window."""
        os.close(self._master)
        self._master = -1

    def end(self) -> int:
        """Read until the program ends, and return its exit status."""
        until = time.monotonic() + SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < until, f"it goes on:\n{self.text()}"
            if self._master >= 0:
                self._read(0.1)
        while self._master >= 0 and self._read(0):
            pass
        return self.process.returncode

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # what Linux says when the other side is closed
            return False
        self.written += data
        self._stream.feed(data)
        return bool(data)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if self._master >= 0:
            os.close(self._master)


@contextmanager
def terminal(
    folder: Path, *args: str, errors_to: Path | None = None, **environment: str
) -> Iterator[RealTerminal]:
    """Run ``heckmeck *args`` in a terminal, in ``folder``; standard error may go to a file."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    _keep_output_at_ctrl_c(slave)
    errors = None if errors_to is None else os.open(errors_to, os.O_WRONLY | os.O_CREAT)
    # A bot's program may outlive a hasty exit by a moment; Python shows that to nobody by default.
    warnings = ("-W", "error", "-W", "ignore:subprocess:ResourceWarning")
    process = subprocess.Popen(
        [sys.executable, *warnings, "-c", TAKE_TERMINAL + PROGRAM, *args],
        cwd=folder,
        env=environment_in(folder, **environment),
        stdin=slave,
        stdout=slave,
        stderr=slave if errors is None else errors,
        start_new_session=True,
    )
    os.close(slave)
    if errors is not None:
        os.close(errors)
    shown = RealTerminal(process, master)
    try:
        yield shown
    finally:
        with contextlib.suppress(ProcessLookupError):
            shown.close()


def _keep_output_at_ctrl_c(slave: int) -> None:
    """Let Ctrl-C discard nothing that is written and not yet read: we read later than people do."""
    settings = termios.tcgetattr(slave)
    settings[3] |= termios.NOFLSH
    termios.tcsetattr(slave, termios.TCSANOW, settings)


def environment_in(folder: Path, **more: str) -> dict[str, str]:
    """An environment whose data folder is in ``folder``, in English, on a dark terminal."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    ours = {
        "XDG_DATA_HOME": str(folder / "data"),
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "COLORFGBG": "15;0",
    }
    return {**kept, **ours, **more}
