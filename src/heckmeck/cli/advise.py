"""`heckmeck advise`."""

import json
from typing import TYPE_CHECKING

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.files import game_option, load
from heckmeck.cli.units import champion_errors, show_advice, unit_option
from heckmeck.record import Record, final_state
from heckmeck.rules import AnyState, legal

if TYPE_CHECKING:
    from heckmeck.coach import Unit


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--move",
    "after",
    type=click.IntRange(min=0),
    metavar="N",
    help="Weigh the position after the first N moves (default: after all of them).",
)
@game_option
@unit_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as in the engine protocol.")
def advise(
    file: str, after: int | None, game: int | None, unit: "Unit | None", as_json: bool
) -> None:
    """Weigh every legal move at a position of a record.

    FILE is a record in JSON or text form; - reads standard input. A move is worth its chance to
    win with best play (--unit win), or the worms the turn brings, losses included (--unit worms).
    The chance that the turn brings nothing is shown too.

    \b
    Examples:
      $ heckmeck advise game.heckmeck.json
      $ heckmeck advise game.heckmeck.json --move 17 --json
      $ heckmeck advise game.heckmeck.json --unit worms
      $ heckmeck advise games.jsonl --game 3 --move 17
    """
    state = _state(load(file, game), after)
    from heckmeck.coach.advice import advise as weigh

    with champion_errors():
        advice = weigh(state, unit)
    if as_json:
        click.echo(json.dumps(advice.to_json()))
    else:
        show_advice(advice)


def _state(record: Record, after: int | None) -> AnyState:
    count = len(record.moves) if after is None else after
    if count > len(record.moves):
        raise UserError(
            f"--move {count}: the record has only {len(record.moves)} moves. Choose a number from "
            f"0 to {len(record.moves)}."
        )
    state = final_state(record.first_moves(count))
    if not legal(state):
        raise UserError(
            f"There is nothing to decide after {count} moves: the dice are still to be rolled, or "
            "the game is over."
        )
    return state
