"""The output of `heckmeck arena`: tables, and the files of ``--out``."""

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

import click

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
from heckmeck.cli.pictures import can_draw, say_if_none
from heckmeck.cli.printing import Column, print_line, print_table, wrapped
from heckmeck.cli.progress import progress_bar


@contextlib.contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """Show a bar with the time left on standard error, if it is a terminal.

    Yields a function to call with the number of games just finished.
    """
    from rich.progress import MofNCompleteColumn, TextColumn, TimeRemainingColumn

    figures = (MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    with progress_bar(*figures) as bar:
        task = bar.add_task("Playing", total=games)
        yield lambda played: bar.advance(task, played)


def show(report: Report) -> None:
    """Print the report as tables."""
    rate = f"{report.seconds:.1f} s, {report.games_per_second:,.0f} games/s"
    click.secho(wrapped(f"{report.headline} ({rate})"), bold=True)
    click.echo()
    _print_table(BOT_HEADER, bot_rows(report.summary))
    if len(report.summary.pairs) > 1:
        _print_table(PAIR_HEADER, pair_rows(report.summary))
    for sentence in (*sentences(report), LEGEND):
        print_line(sentence)


def _print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    name, *figures = header
    print_table([Column(name, "left"), *map(Column, figures)], rows, at_edge=True)
    click.echo()


class OutputDirectory:
    """The directory of ``--out``: records during the games, the report after them."""

    def __init__(self, path: Path, *, force: bool) -> None:
        """Create the directory; raise `UserError` if it is not empty, unless ``force``."""
        self._path = path
        with file_errors(path):
            path.mkdir(parents=True, exist_ok=True)
            if any(path.iterdir()) and not force:
                raise UserError(f"{path} is not empty. Choose another directory, or add --force.")
        say_if_none("Pictures are")  # before hours of play

    @contextlib.contextmanager
    def records(self) -> Iterator[TextIO]:
        """Open the file for the records, one JSON record per line."""
        path = self._path / "games.jsonl"
        with file_errors(path):
            file = path.open("w", encoding="utf-8", newline="\n")
        try:
            yield file
        finally:
            with file_errors(path):
                file.close()

    def write(self, report: Report, tally: Tally) -> None:
        """Write the report as JSON and Markdown, and the pictures if they can be drawn."""
        data = json.dumps(report_to_json(report), indent=2)
        with file_errors(self._path):
            (self._path / "report.json").write_text(data + "\n", encoding="utf-8")
            pictures = self._draw(report, tally) if can_draw() else []
            page = report_to_markdown(report, pictures)
            (self._path / "report.md").write_text(page, encoding="utf-8")

    def _draw(self, report: Report, tally: Tally) -> list[tuple[str, str]]:
        from heckmeck.arena.plots import draw_all

        return draw_all(report.summary, tally, self._path)


@contextlib.contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Turn file system errors at or below ``path`` into errors for the user."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{error.filename or path}: {error.strerror}") from error
