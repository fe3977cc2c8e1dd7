"""The progress bar of long commands, on standard error if that is a terminal."""

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

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
    bar = BarColumn(
        bar_width=None if is_narrow else BAR,
        table_column=Column(ratio=1 if is_narrow else None),
    )
    with Progress(
        description,
        bar,
        *figures,
        console=console,
        transient=True,
        expand=is_narrow,
        disable=hidden or sys.stderr is None or not sys.stderr.isatty(),
    ) as progress:
        yield progress
