"""`heckmeck advise`."""

import json
from typing import TYPE_CHECKING

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.files import load
from heckmeck.record import Record, final_state
from heckmeck.rules import AnyState, legal, word

if TYPE_CHECKING:
    from heckmeck.coach.advice import Advice


@click.command()
@click.argument("file")
@click.option(
    "--move",
    "after",
    type=click.IntRange(min=0),
    metavar="N",
    help="Advise after the first N moves; by default after all of them.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as the engine protocol has it.")
def advise(file: str, after: int | None, as_json: bool) -> None:
    """Weigh every legal move at a position of a record.

    Worth is the worms that the turn brings by best play, a loss counted as such; fail is the
    chance that it brings nothing.

    \b
    Examples:
      $ heckmeck advise game.heckmeck.json
      $ heckmeck advise game.heckmeck.json --move 17 --json
    """
    state = _state(load(file), after)
    from heckmeck.coach.advice import advise as weigh

    advice = weigh(state)
    if as_json:
        click.echo(json.dumps(advice.to_json()))
    else:
        _show(advice)


def _state(record: Record, after: int | None) -> AnyState:
    count = len(record.moves) if after is None else after
    if count > len(record.moves):
        raise UserError(f"--move {count}: the record has {len(record.moves)} moves.")
    state = final_state(record.first_moves(count))
    if not legal(state):
        raise UserError(
            f"No player is awaited after {count} moves: dice have to fall, or the game is over."
        )
    return state


def _show(advice: "Advice") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 1))
    table.add_column("move", style="bold")
    table.add_column(f"worth in {advice.unit}", justify="right")
    table.add_column("brings nothing", justify="right")
    for move, worth, fail in advice.moves:
        table.add_row(word(move), f"{worth:+.3f}", f"{fail:.1%}")
    Console(highlight=False).print(table)
