"""What `heckmeck arena` shows and what it leaves behind."""

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from heckmeck.arena.report import Report, report_to_json
from heckmeck.arena.report_words import (
    BOT_HEADER,
    LEGEND,
    PAIR_HEADER,
    bot_rows,
    pair_rows,
    report_to_markdown,
    sentences,
)
from heckmeck.arena.tally import Tally
from heckmeck.cli.errors import UserError


@contextlib.contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """Show a bar with the time left on standard error, if it is a terminal.

    Gives a function to call with the games that were finished.
    """
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task("Playing", total=games)
        yield lambda played: bar.advance(task, played)


def show(report: Report) -> None:
    """Print the report as tables."""
    # A bot's name can be any command: nothing in it is markup.
    console = Console(highlight=False, markup=False, emoji=False)
    rate = f"{report.seconds:.1f} s, {report.games_per_second:,.0f} games/s"
    console.print(f"{report.headline} ({rate})\n", style="bold")
    console.print(_table(BOT_HEADER, bot_rows(report.summary)), "")
    if len(report.summary.pairs) > 1:
        console.print(_table(PAIR_HEADER, pair_rows(report.summary)), "")
    for sentence in (*sentences(report), LEGEND):
        console.print(sentence)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    name, *numbers = header
    table.add_column(name, overflow="fold")
    for number in numbers:
        table.add_column(number, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


class OutputDirectory:
    """The directory of ``--out``: records while games are played, the report after that."""

    def __init__(self, path: Path, *, force: bool) -> None:
        """Make the directory; raise `UserError` if something is in it, unless ``force``."""
        self._path = path
        with file_errors():
            path.mkdir(parents=True, exist_ok=True)
            if any(path.iterdir()) and not force:
                raise UserError(f"{path} is not empty. Choose another directory, or add --force.")

    @contextlib.contextmanager
    def records(self) -> Iterator[TextIO]:
        """Open the file for the records, one JSON record a line."""
        with file_errors():
            file = (self._path / "games.jsonl").open("w", encoding="utf-8", newline="\n")
        with file:
            yield file

    def write(self, report: Report, tally: Tally) -> None:
        """Write the report as JSON and Markdown, and the pictures."""
        from heckmeck.arena.plots import draw_all

        data = json.dumps(report_to_json(report), indent=2)
        with file_errors():
            (self._path / "report.json").write_text(data + "\n", encoding="utf-8")
            pictures = draw_all(report.summary, tally, self._path)
            page = report_to_markdown(report, pictures)
            (self._path / "report.md").write_text(page, encoding="utf-8")


@contextlib.contextmanager
def file_errors() -> Iterator[None]:
    """Turn what the file system says into what the user is told."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{error.filename or 'writing'}: {error.strerror}") from error
