"""A table without colour, if NO_COLOR is set: light on dark becomes reversed text."""

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter


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
