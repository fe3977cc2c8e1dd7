"""`heckmeck odds`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.odds_plot import check, draw
from heckmeck.cli.printing import Cell, Column, print_line, print_table
from heckmeck.cli.units import champion_errors, show_advice, unit_option
from heckmeck.coach import Unit
from heckmeck.record import JsonObject
from heckmeck.rules import EDITIONS, Specialist

if TYPE_CHECKING:
    from heckmeck.coach import TurnSetup
    from heckmeck.coach.odds import Odds


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    edition: str
    holding: str | None
    kept: str
    hand: int | None
    roll: str | None
    unit: Unit | None
    as_json: bool
    plot: Path | None


@click.command()
@click.option(
    "--edition",
    type=click.Choice(list(EDITIONS)),
    default="classic",
    show_default=True,
    help="Edition whose dice to use.",
)
@click.option(
    "--holding",
    type=click.Choice(["golden", "weasel", "canned"]),
    help="Specialist held by the player, in deluxe (default: none).",
)
@click.option(
    "--kept", default="", metavar="DICE", help="Dice kept so far, such as 44W (default: none)."
)
@click.option(
    "--hand",
    type=click.IntRange(min=0),
    metavar="N",
    help="White dice still in hand (default: all that are not kept).",
)
@click.option(
    "--roll",
    metavar="DICE",
    help="The dice just rolled, such as 1134W, or 1134W+1 with the golden die (default: not "
    "rolled yet).",
)
@unit_option
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON; with --unit, the moves are included."
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also draw the odds to FILE, an .svg or .png (default: no picture).",
)
def odds(**options: Unpack[Options]) -> None:
    """Show the exact odds of a turn: at least and exactly each number, with a worm.

    The odds for each number assume perfect play for that number alone. Describe any point of a
    turn with --kept, --hand and --roll; if there is a choice, each move is weighed as in the first
    turn of a two-player game.

    \b
    Examples:
      $ heckmeck odds
      $ heckmeck odds --kept 44W --hand 5
      $ heckmeck odds --edition deluxe --holding weasel --roll 11234455
      $ heckmeck odds --edition junior --json
      $ heckmeck odds --roll 1124445W --unit worms
    """
    holding, unit, plot = options["holding"], options["unit"], options["plot"]
    if plot is not None:
        check(plot)
    from heckmeck.coach import BadTurn, TurnSetup
    from heckmeck.coach.advice import advise_turn
    from heckmeck.coach.odds import odds as odds_of

    setup = TurnSetup(
        options["edition"],
        Specialist(holding) if holding else None,
        options["kept"],
        options["hand"],
        options["roll"],
    )
    try:
        result = odds_of(setup)
        with champion_errors():
            advice = advise_turn(setup, unit)
    except BadTurn as error:
        raise UserError(str(error)) from error
    if plot is not None:
        draw(result, _title(setup), plot)
    if options["as_json"]:
        click.echo(json.dumps(_to_json(result) | (advice.to_json() if unit else {})))
    else:
        _show(result, _title(setup))
        if len(advice.moves) > 1:
            click.echo()
            show_advice(advice)


def _to_json(odds: "Odds") -> JsonObject:
    return {
        "edition": odds.edition,
        "at_least": {str(number): chance for number, chance in odds.at_least.items()},
        "exactly": {str(number): chance for number, chance in odds.exactly.items()},
    }


def _title(setup: "TurnSetup") -> str:
    parts = [
        setup.edition,
        f"holding {setup.holding}" if setup.holding else "",
        f"kept {setup.kept}" if setup.kept else "",
        f"{setup.hand} in hand" if setup.hand is not None else "",
        f"rolled {setup.roll}" if setup.roll else "",
    ]
    return ", ".join(filter(None, parts))


def _show(odds: "Odds", title: str) -> None:
    columns = (
        Column("", style="bold"),
        Column("at least"),
        Column("", "left", "dark_orange", is_bar=True),
        Column("exactly"),
        Column("", "left", "green", is_bar=True),
    )
    rows: list[list[Cell]] = []
    for number in sorted({*odds.at_least, *odds.exactly}):
        at_least, exactly = odds.at_least.get(number), odds.exactly.get(number)
        rows.append([str(number), _percent(at_least), at_least, _percent(exactly), exactly])
    print_line(f"Odds with a worm: {title}")
    print_table(columns, rows)


def _percent(chance: float | None) -> str:
    return "" if chance is None else f"{chance:.1%}"
