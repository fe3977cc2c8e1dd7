"""Lines as wide as the terminal: broken between words, never inside a figure.

Where output goes into a pipe or a file, lines stay whole for the program that reads them, unless
``COLUMNS`` says how wide they may be.
"""

import textwrap
from typing import Final

import click

from heckmeck.cli.printing import width

#: Stands between what belongs together, a move and what it is worth, until lines are broken.
TIED: Final = "\uf8ff"
#: Narrower than this, lines are left alone.
_NARROWEST: Final = 20


def echo(text: str) -> None:
    """Print ``text``, broken into lines that fit."""
    click.echo(fitted(text, columns()))


def columns() -> int | None:
    """Return how wide lines may be; ``None``: as long as they are."""
    room = width()
    return None if room is None else max(room, _NARROWEST)


def fitted(text: str, most: int | None) -> str:
    """Return ``text`` in lines of at most ``most`` columns; the rest of a long line is indented.

    >>> fitted("  Ada: 3 (top tile 25, 2 in all)", 20)
    '  Ada: 3 (top tile\\n    25, 2 in all)'
    """
    lines = text.split("\n")
    if most is not None:
        lines = [part for line in lines for part in _broken(line, most)]
    return "\n".join(lines).replace(TIED, " ")


def _broken(line: str, most: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip(" ")) + 2)
    return textwrap.wrap(
        line,
        most,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]
