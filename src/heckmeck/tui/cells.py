"""Text by columns: letters of some scripts and emoji are two columns wide."""

import re

from rich.cells import cell_len, chop_cells, set_cell_size


def fit(text: str, width: int) -> str:
    """Return ``text`` in exactly ``width`` columns; an ellipsis marks text that is cut.

    >>> fit("rooster", 9), fit("rooster", 5)
    ('rooster  ', 'roos…')
    """
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1) + "…"


def centred(text: str, width: int) -> str:
    """Return ``text`` centred in ``width`` columns, cut if need be.

    >>> centred("25", 5), centred("ketchup", 5)
    (' 25  ', 'ketch')
    """
    free = width - cell_len(text)
    return set_cell_size(" " * max(free // 2, 0) + text, width)


def at_right(text: str, width: int) -> str:
    """Return ``text`` right-aligned in ``width`` columns, or unchanged if it is wider.

    >>> at_right("25", 4)
    '  25'
    """
    return " " * max(width - cell_len(text), 0) + text


def wrapped(text: str, width: int) -> list[str]:
    r"""Wrap ``text`` to lines of at most ``width`` columns, between words if possible.

    A no-break space holds its words together.

    >>> wrapped("chance to win", 6)
    ['chance', 'to win']
    >>> wrapped("risk: 12\u00a0%", 9)
    ['risk:', '12\xa0%']
    """
    lines = [""]
    words = (
        part
        for word in re.split(r"[ \n]+", text.strip())
        for part in chop_cells(word, max(width, 1))
    )
    for word in words:
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and cell_len(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
