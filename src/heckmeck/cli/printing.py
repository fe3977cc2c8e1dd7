"""Tables, sentences and progress that fit the terminal: no figure or name is ever cut off.

Characters that standard output cannot encode get substitutes: `#` for a block, `ue` for `ü`.

The width is `COLUMNS` if set, otherwise that of the terminal. Sentences are wrapped only on a
terminal; in a pipe or a file, each stays on one line.
"""

import codecs
import contextlib
import importlib.util
import io
import os
import re
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TextIO

import click

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn
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
    columns, text = width(), as_written(text)
    stream = sys.stderr if err else sys.stdout
    if columns is None or len(text) <= columns or not _is_terminal(stream):
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
    bar = _bar_length(columns, rows, room)
    if bar < SHORTEST_BAR:
        kept = [at for at, column in enumerate(columns) if not column.is_bar]
        columns = [columns[at] for at in kept]
        rows = [[row[at] for at in kept] for row in rows]
    if room is None or sum(_least_widths(columns, rows)) <= room:
        table = _table(columns, rows, bar)
        table.pad_edge = not at_edge
        # Cells are not markup: a bot's name can be any command.
        Console(highlight=False, markup=False, emoji=False, width=width() or ENDLESS).print(table)
    else:
        _print_list(columns, rows)


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


#: The maximum length of the bar.
BAR: Final = 40
#: In fewer columns than this, the bar takes the room that words and figures leave.
NARROW: Final = 100


@contextlib.contextmanager
def progress_bar(*figures: "ProgressColumn", hidden: bool = False) -> "Iterator[Progress]":
    """Show tasks with their description, a bar and figures; all of it is erased at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    console = Console(stderr=True, highlight=False)
    is_narrow = console.width < NARROW
    description = TextColumn("{task.description}", table_column=Column(overflow="fold"))
    column = Column(ratio=1 if is_narrow else None)
    bar = BarColumn(bar_width=None if is_narrow else BAR, table_column=column)
    with Progress(
        description,
        bar,
        *figures,
        console=console,
        transient=True,
        expand=is_narrow,
        disable=hidden or not _is_terminal(sys.stderr),
    ) as progress:
        yield progress


def can_draw() -> bool:
    """Whether matplotlib is installed; does not import it."""
    try:
        return importlib.util.find_spec("matplotlib") is not None
    except (ModuleNotFoundError, ValueError):  # something blocks its import
        return False


def say_if_none(what: str) -> None:
    """Report on standard error that ``what`` not drawn, if matplotlib is missing."""
    if not can_draw():
        from heckmeck.installation import to_add

        click.echo(f"{what} not drawn: that needs matplotlib. {to_add('plots')}", err=True)


@contextlib.contextmanager
def counted_progress(
    description: str, total: int, unit: str = "", *, time_left: bool = True, hidden: bool = False
) -> Iterator[Callable[[int], None]]:
    """Show a bar that counts to ``total``; yield a function to call with what was just done.

    With a ``unit``, the count is shown too.
    """
    from rich.progress import MofNCompleteColumn, TextColumn, TimeRemainingColumn

    figures: list[ProgressColumn] = [MofNCompleteColumn(), TextColumn(unit)] if unit else []
    figures += [TimeRemainingColumn()] if time_left else []
    with progress_bar(*figures, hidden=hidden) as bar:
        task = bar.add_task(description, total=total)
        yield lambda done: bar.advance(task, done)


#: The names of our error handler and our ASCII codec in `codecs`.
HANDLER: Final = "heckmeck_stand_ins"
PLAIN_ASCII: Final = "heckmeck_ascii"
#: ASCII substitutes for the characters that our texts and tables use, and similar ones.
#: All other characters lose their accents; letters of other scripts become question marks.
STAND_INS: Final = {
    # Bars: a block that is at least half full counts as full, so that bars are rounded.
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", " "),
    **dict.fromkeys("░▒▓", ":"),
    # Lines and boxes.
    **dict.fromkeys("─━╌╍┄┅═╴╶╸╺", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝", "+"),
    # Quotation marks, dashes, spaces.
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("‘’‚‹›", "'"),  # noqa: RUF001
    **dict.fromkeys("–—‐‑−", "-"),  # noqa: RUF001
    **dict.fromkeys("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}", " "),
    # Signs.
    **dict.fromkeys("¿¡", ""),  # the one at the end says enough
    "…": "...",
    "±": "+-",
    "×": "x",  # noqa: RUF001
    "·": ".",
    **dict.fromkeys("•★", "*"),
    **dict.fromkeys("→▸▶", ">"),
    **dict.fromkeys("←◂◀", "<"),
    "⏎": "Enter",
    "␣": "Space",
    # Letters that are not a plain letter with an accent, or are more than that in German.
    **dict(zip("äöüÄÖÜ", ["ae", "oe", "ue", "Ae", "Oe", "Ue"], strict=True)),
    **dict(zip("ßœŒæÆøØłŁ", ["ss", "oe", "Oe", "ae", "Ae", "o", "O", "l", "L"], strict=True)),
}

#: How Python represents undecodable bytes in names and arguments.
RAW_BYTES: Final = re.compile("[\udc80-\udcff]+")


def use_stand_ins() -> None:
    """Make standard output and error substitute characters they cannot encode."""
    codecs.register_error(HANDLER, stand_in)
    codecs.register(_plain_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            if is_ascii or _asks_for_ascii(os.environ):
                stream.reconfigure(encoding=PLAIN_ASCII)
            stream.reconfigure(errors=HANDLER)


def _plain_ascii(name: str) -> codecs.CodecInfo | None:
    """Return the ASCII codec under our own name; click treats "ascii" as a mistake."""
    if name != PLAIN_ASCII:
        return None
    codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        *codec, codec.incrementalencoder, codec.incrementaldecoder, name=PLAIN_ASCII
    )


def _asks_for_ascii(environment: Mapping[str, str]) -> bool:
    """Whether the user chose the C locale, for which Python would write UTF-8 by default."""
    if environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8"):
        return False  # the encoding was set explicitly
    names = ["LC_ALL", "LC_CTYPE", "LANG"]
    if sys.flags.utf8_mode and environment.get("LC_CTYPE") == "C.UTF-8":
        names.remove("LC_CTYPE")  # set by Python itself to replace LANG=C
    locale = next(filter(None, map(environment.get, names)), None)
    return locale in ("C", "POSIX")


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that cannot be encoded: an error handler for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = RAW_BYTES.sub(_as_text, error.object[error.start : error.end])
    return "".join(map(_in_ascii, bad)), error.end


def _as_text(raw: re.Match[str]) -> str:
    """Decode bytes that Python could not, such as a file name in the C locale."""
    return raw[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _in_ascii(character: str) -> str:
    """Return the substitute for a character; combining accents are dropped.

    >>> "".join(map(_in_ascii, "„Œuf“ für 3 € …"))
    '"Oeuf" fuer 3 ? ...'
    """
    known = STAND_INS.get(character)
    if known is not None:
        return known
    if unicodedata.combining(character):
        return ""
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode("ascii")
    return plain or "?"
