"""Units of worth: the option `--unit`, and worths formatted for people."""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TypeVar

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.printing import Column, print_table
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
        help="Measure moves by win (chance to win the game) or worms (worms the turn brings). "
        "Default: win, where a champion has learned the game.",
    )(command)


def worth_text(worth: float, unit: str) -> str:
    """Format a worth for people."""
    return f"{worth:.1%}" if unit == "win" else f"{worth:+.3f}"


def show_advice(advice: "Advice") -> None:
    """Print every move with its worth and its risk, best first."""
    columns = (
        Column("move", "left", "bold"),
        Column(WORTH_IN[advice.unit]),
        Column("brings nothing"),
    )
    print_table(
        columns,
        [
            (word(move), worth_text(worth, advice.unit), f"{fail:.1%}")
            for move, worth, fail in advice.moves
        ],
    )


@contextlib.contextmanager
def champion_errors() -> Iterator[None]:
    """Turn `NoChampion` into an error for the user."""
    try:
        yield
    except NoChampion as error:
        raise UserError(str(error)) from error
