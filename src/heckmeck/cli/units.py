"""What worth is measured in: the option `--unit`, and worth as people read it."""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TypeVar

import click

from heckmeck.cli.errors import UserError
from heckmeck.coach import NoChampion
from heckmeck.rules import word

if TYPE_CHECKING:
    from heckmeck.coach.advice import Advice

Command = TypeVar("Command", bound=Callable[..., object])

#: The heading of a column of worths.
WORTH_IN: Final = {"win": "chance to win", "worms": "worth in worms"}


def unit_option(command: Command) -> Command:
    """Add the option `--unit`."""
    return click.option(
        "--unit",
        type=click.Choice(list(WORTH_IN)),
        help="What worth is: win, the chance to win the game, or worms that the turn brings. "
        "By default win where a champion knows the game.",
    )(command)


def worth_text(worth: float, unit: str) -> str:
    """Return a worth as people read it."""
    return f"{worth:.1%}" if unit == "win" else f"{worth:+.3f}"


def show_advice(advice: "Advice") -> None:
    """Print every move with its worth and its risk, best first."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 1))
    table.add_column("move", style="bold")
    table.add_column(WORTH_IN[advice.unit], justify="right")
    table.add_column("brings nothing", justify="right")
    for move, worth, fail in advice.moves:
        table.add_row(word(move), worth_text(worth, advice.unit), f"{fail:.1%}")
    Console(highlight=False).print(table)


@contextlib.contextmanager
def champion_errors() -> Iterator[None]:
    """Tell the user where nobody knows the chance to win."""
    try:
        yield
    except NoChampion as error:
        raise UserError(str(error)) from error
