"""Filters for terminals that cannot show everything: without colours, or without some signs.

A stream that writes ASCII or Latin-1 would print escapes and break every line; the Linux console
has about 500 signs and shows a blank for the rest.
"""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TextIO

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

#: Substitutes for signs that the Linux console lacks.
_ON_CONSOLES: Final = {
    **dict(zip("╭╮╰╯▛▜▙▟▌▐", "┌┐└┘┌┐└┘││", strict=True)),
    **dict(zip("▸◂▶…⏎␣", "►◄►.¶_", strict=True)),
    **dict.fromkeys("▁▂▃▅▆▇", "▄"),
}
_IN_ASCII: Final = {
    **dict.fromkeys("╭╮╰╯┌┐└┘▛▜▙▟", "+"),
    **dict.fromkeys("│▌▐", "|"),
    **dict.fromkeys("─▀▄", "-"),
    **dict.fromkeys("▸▶►→", ">"),
    **dict.fromkeys("◂◄←", "<"),
    **dict.fromkeys("░▒▓", ":"),
    **dict.fromkeys("·…", "."),
    **dict.fromkeys("▁▂▃▅▆▇", " "),  # the ends of scroll bars, whose colour says enough
    **dict(zip("\u2019\u00d7\u00a0ßœŒ⏎␣", "'x soO^_", strict=True)),
    **dict.fromkeys("¿¡", " "),  # the one at the end says enough
}
#: An encoding that has these has everything the table draws.
_NEEDED: Final = "╭░▸"


class StandIns(LineFilter):
    """Substitutes signs that ``encoding`` lacks."""

    def __init__(self, encoding: str) -> None:
        """Write for a stream of ``encoding``; ``linux``: for the Linux console."""
        super().__init__()
        self._encoding = encoding

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments in available signs, with the same width."""
        return [
            Segment(stand_in(text, self._encoding), style, control)
            for text, style, control in segments
        ]


def stand_ins_for(stream: TextIO | None, environment: Mapping[str, str]) -> str | None:
    """Return the encoding that needs substitutes; ``None`` if everything can be shown."""
    encoding = (stream.encoding if stream is not None else None) or "ascii"
    if not _has(_NEEDED, encoding):
        return encoding
    return "linux" if environment.get("TERM") == "linux" else None


@lru_cache(4096)
def stand_in(text: str, encoding: str) -> str:
    """Return ``text`` in signs that ``encoding`` has, with the same width.

    >>> stand_in("│ ▸25◂ │ für Zoë …", "ascii")
    '| >25< | fur Zoe .'
    """
    if encoding == "linux":
        return "".join(_ON_CONSOLES.get(sign, sign) for sign in text)
    return text if _has(text, encoding) else "".join(_sign(sign, encoding) for sign in text)


def _sign(sign: str, encoding: str) -> str:
    if _has(sign, encoding):
        return sign
    known = _IN_ASCII.get(sign)
    if known is not None:
        return known
    letter = unicodedata.normalize("NFKD", sign)[:1]
    return letter if letter.isascii() and cell_len(sign) == 1 else "?" * cell_len(sign)


def _has(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


class Ink(LineFilter):
    """Replaces colours: pieces are reversed, quiet words dim."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments without colour."""
        return [
            Segment(text, None if style is None else _ink(style), control)
            for text, style, control in segments
        ]


@lru_cache(1024)
def _ink(style: Style) -> Style:
    paper = 0.0 if style.bgcolor is None else Color.from_rich_color(style.bgcolor).brightness
    pen = 1.0 if style.color is None else Color.from_rich_color(style.color).brightness
    return Style(
        bold=style.bold,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=paper > 0.45,
        dim=paper <= 0.45 and pen < 0.5,
        meta=style.meta or None,
    )
