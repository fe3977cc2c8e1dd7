"""Whether the terminal is dark or light, from the terminal itself or its environment."""

import os
import re
import select
import sys
import time
from collections.abc import Mapping
from typing import Final

#: Queries the background colour, then the terminal's identity, which every terminal answers: if
#: only the second answer arrives, the first will not come.
_QUESTION: Final = b"\x1b]11;?\x1b\\\x1b[c"
_COLOUR: Final = re.compile(
    rb"\]11;rgba?:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})", re.IGNORECASE
)
_WHO: Final = re.compile(rb"\x1b\[\?[0-9;]*c")
_LIGHT_NUMBERS: Final = {7, *range(9, 16)}


def is_dark(environment: Mapping[str, str], *, ask: bool = True) -> bool:
    """Whether text should be light on dark; true if unknown."""
    number = environment.get("COLORFGBG", "").rpartition(";")[2]
    if number.isdigit():
        return int(number) not in _LIGHT_NUMBERS
    return _dark_in(_answer() if ask else b"")


def _dark_in(answer: bytes) -> bool:
    match = _COLOUR.search(answer)
    if match is None:
        return True
    red, green, blue = (int(part, 16) / int("f" * len(part), 16) for part in match.groups())
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.5


def _answer(seconds: float = 0.25) -> bytes:
    """Query the terminal and return its answer; empty if there is no terminal."""
    if sys.platform == "win32" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return b""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSANOW)
        os.write(sys.stdout.fileno(), _QUESTION)
        return _read(terminal, seconds)
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)


def _read(terminal: int, seconds: float) -> bytes:
    heard = b""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and not _WHO.search(heard):
        ready, _, _ = select.select([terminal], [], [], left)
        if ready:
            heard += os.read(terminal, 1024)
    return heard
