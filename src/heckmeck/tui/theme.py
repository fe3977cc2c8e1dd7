"""The colours of the table: charcoal and embers if the terminal is dark, butcher's paper if light.

Pieces have the same colours in both themes.
"""

import os
import re
import select
import sys
import time
from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

DARK: Final = "heckmeck-dark"
LIGHT: Final = "heckmeck-light"

#: Every player has a colour, with that of text on it, and always a badge too.
_PLAYERS: Final = (
    ("#c8402f", "#ffffff"),
    ("#2f79bd", "#ffffff"),
    ("#43803b", "#ffffff"),
    ("#8a4fa8", "#ffffff"),
    ("#e3a51f", "#2e1c12"),
    ("#17807b", "#ffffff"),
    ("#6b5a4c", "#ffffff"),
)
_PIECES: Final = {
    "ink": "#2e1c12",
    "ivory": "#fbf3e1",
    "ivory-edge": "#a98a5a",
    "ivory-worm": "#b3402a",
    "gold": "#f6bd3a",
    "gold-edge": "#8a6410",
    "glow": "#ffb13d",
    "iron": "#211c18",
    "iron-text": "#a3937f",
    "iron-dim": "#6d6157",
    "specialist": "#ffc35c",
    **{f"player-{seat}": colour for seat, (colour, _) in enumerate(_PLAYERS)},
    **{f"player-{seat}-on": on for seat, (_, on) in enumerate(_PLAYERS)},
}

#: Every other colour: in the dark theme, and in the light one.
_COLOURS: Final = {
    "primary": ("#ff8a3d", "#a83c12"),
    "secondary": ("#f3b64a", "#7a5200"),
    "error": ("#ff8b78", "#a1260f"),
    "success": ("#8fc76b", "#2f6a1b"),
    "foreground": ("#f7eddc", "#2a1a10"),
    "background": ("#191512", "#ecdcbd"),
    "surface": ("#241e1a", "#fbf4e4"),
    "panel": ("#2e2721", "#f4e8cf"),
}
_VARIABLES: Final = {
    "quiet": ("#ab9a86", "#5d4632"),
    "line": ("#453a31", "#c0a878"),
    "button": ("#efe2c8", "#fffaf0"),
    "on-button": ("#2e1c12", "#2a1a10"),
    "go": ("#f47a2a", "#a83c12"),
    "on-go": ("#1f0e04", "#fff6ea"),
    "fails": ("#43180f", "#f3cfc4"),
    "on-fails": ("#ffb5a8", "#7c1d0b"),
    "worm": ("#f2907a", "#a83c12"),
}


def _theme(name: str, at: int) -> Theme:
    """Return the theme whose colours are the first or the second of each pair."""
    colour = {key: pair[at] for key, pair in _COLOURS.items()}
    return Theme(
        name=name,
        primary=colour["primary"],
        secondary=colour["secondary"],
        accent=colour["primary"],
        warning=colour["secondary"],
        error=colour["error"],
        success=colour["success"],
        foreground=colour["foreground"],
        background=colour["background"],
        surface=colour["surface"],
        panel=colour["panel"],
        dark=name == DARK,
        variables={**_PIECES, **{key: pair[at] for key, pair in _VARIABLES.items()}},
    )


THEMES: Final = (_theme(DARK, 0), _theme(LIGHT, 1))


def player_style(seat: int) -> str:
    """Return the style of a player's badge."""
    return f"bold $player-{seat % 7}-on on $player-{seat % 7}"


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
