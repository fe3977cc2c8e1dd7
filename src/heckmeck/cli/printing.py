"""Tables and sentences that fit the terminal: no figure or name is ever cut off.

The width is `COLUMNS` if set, otherwise that of the terminal. Sentences are wrapped only on a
terminal; in a pipe or a file, each stays on one line.
"""

import os
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TextIO

import click

if TYPE_CHECKING:
    from rich.table import Table

#: Maximum length of a bar, in characters: two fit into 80 columns with their numbers.
LONGEST_BAR: Final = 24
#: A shorter bar is not informative and is left out.
SHORTEST_BAR: Final = 4
#: The spaces around a cell of a table.
PADDING: Final = 2
#: Longer names may be folded before a table is replaced by a list.
WHOLE_NAME: Final = 16

#: Wider than any table.
ENDLESS: Final = 10_000

#: The content of a table's cell; in a column of bars, the fraction that is full, from 0 to 1.
Cell = str | float | None


class Column(NamedTuple):
    """A column of a table: its heading and the style of its cells."""

    heading: str
    justify: Literal["left", "right"] = "right"
    style: str | None = None
    is_bar: bool = False


def width() -> int | None:
    """Return the number of columns, or None if unknown, as for a pipe or a file."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except (AttributeError, ValueError, OSError):  # closed, not a file, not a terminal
        return None


def print_line(text: str, *, hanging: int = 0, err: bool = False) -> None:
    """Print a text, wrapped if need be; all lines but the first are indented by ``hanging``."""
    click.echo(wrapped(text, hanging=hanging, err=err), err=err)


def wrapped(text: str, *, hanging: int = 0, err: bool = False) -> str:
    """Wrap the text between words, if it is printed to a terminal; never break a word."""
    columns = width()
    text = as_written(text)
    if (
        columns is None
        or len(text) <= columns
        or not _is_terminal(sys.stderr if err else sys.stdout)
    ):
        return text
    hanging = hanging if 2 * hanging < columns else 2
    # The text may be laid out in columns: the spaces between its first words are kept.
    start, rest = text[:hanging], text[hanging:]
    return textwrap.fill(
        rest,
        columns,
        initial_indent=start,
        subsequent_indent=" " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def as_written(text: str) -> str:
    """Return the text as standard output will write it: substitutes may be longer."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    errors = getattr(sys.stdout, "errors", None) or "replace"
    return text.encode(encoding, errors).decode(encoding, "replace")


def print_table(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], *, at_edge: bool = False
) -> None:
    """Print a table; if there is too little room, shrink or drop bars, then print a list.

    The first column names the row. With ``at_edge`` there are no spaces around the table.
    """
    from rich.console import Console

    room = width()
    if room is not None and at_edge:
        room += PADDING
    kept = _kept_columns(columns, rows, room)
    columns = [columns[at] for at in kept]
    rows = [[row[at] for at in kept] for row in rows]
    if room is None or sum(_least_widths(columns, rows)) <= room:
        table = _table(columns, rows, _bar_length(columns, rows, room))
        table.pad_edge = not at_edge
        # Cells are not markup: a bot's name can be any command.
        Console(highlight=False, markup=False, emoji=False, width=width() or ENDLESS).print(table)
    else:
        _print_list(columns, rows)


def _kept_columns(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], room: int | None
) -> list[int]:
    """Return the indices of the columns to show: bars only if there is room."""
    with_bars = _bar_length(columns, rows, room) >= SHORTEST_BAR
    return [at for at, column in enumerate(columns) if with_bars or not column.is_bar]


def _bar_length(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], room: int | None) -> int:
    """Return the length of a bar: the room left by all figures and names."""
    bars = sum(column.is_bar for column in columns)
    if room is None or not bars:
        return LONGEST_BAR
    left = room - sum(_least_widths(columns, rows)) - bars * PADDING
    return min(left // bars, LONGEST_BAR)


def _least_widths(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> list[int]:
    """Return the minimum widths of all columns except bars: figures are never folded."""
    widths = [
        max(len(as_written(cell)) for cell in (column.heading, *map(_text, cells))) + PADDING
        for column, cells in zip(columns, zip(*rows, strict=True), strict=True)
        if not column.is_bar
    ]
    widths[0] = min(widths[0], WHOLE_NAME + PADDING)
    return widths


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else ""


def _table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], bar: int) -> "Table":
    from rich.table import Table

    table = Table(box=None, padding=(0, 1))
    for at, column in enumerate(columns):
        table.add_column(
            column.heading,
            justify=column.justify,
            style=column.style,
            no_wrap=at > 0,
            overflow="fold",
            min_width=bar if column.is_bar else None,
        )
    for row in rows:
        table.add_row(
            *(
                _bar(cell, bar) if column.is_bar else as_written(_text(cell))
                for column, cell in zip(columns, row, strict=True)
            )
        )
    return table


def _bar(part: Cell, length: int) -> str:
    """Return a bar of eighths of a character, full at 1."""
    eighths = round((part if isinstance(part, float) else 0.0) * length * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (" ▏▎▍▌▋▊▉"[rest] if rest else "")


def _print_list(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
    """Print every row as a name with its figures below it."""
    _, *others = columns
    widest = max(len(column.heading) for column in others)
    for name, *cells in rows:
        print_line(_text(name), hanging=2)
        for column, cell in zip(others, cells, strict=True):
            print_line(f"  {column.heading:<{widest}}  {_text(cell)}".rstrip(), hanging=widest + 4)
