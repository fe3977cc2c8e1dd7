"""`heckmeck play`."""

from itertools import count
from pathlib import Path

import click

from heckmeck.bots import BOTS, BotMisbehaved, Player, UnknownBot, player
from heckmeck.bots.outside import is_outside
from heckmeck.cli.errors import UserError
from heckmeck.cli.files import save
from heckmeck.cli.language import language_option
from heckmeck.cli.plain import PlainTable, StoppedPlaying
from heckmeck.dice_source import SeededLuck, fresh_seed
from heckmeck.record import BadRecord, History, Record, write_json
from heckmeck.rules import EDITIONS, BadSetup, HouseRules

LEFT = "\nThe game is left here."
DEFAULT_PLAYERS = "me,rooster"


@click.command()
@click.argument("edition", type=click.Choice(list(EDITIONS)), default="classic")
@click.option(
    "--players",
    default=DEFAULT_PLAYERS,
    show_default=True,
    help="Who sits at the table, in order: a bot's name is a bot, exec:PROGRAM a bot of your own, "
    "any other name a person here.",
)
@click.option("--first", type=int, help="The seat that starts, from 0; by default a random one.")
@click.option("--seed", help="Repeat a game's dice and bots: any text or number.")
@click.option("--flip-always", is_flag=True, help="House rule: every failed attempt turns a tile.")
@click.option("--flip-returned", is_flag=True, help="House rule: a returned tile is turned too.")
@click.option(
    "--record",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the game here, also one that was left early.",
)
@language_option
def play(
    edition: str,
    players: str,
    first: int | None,
    seed: str | None,
    path: Path | None,
    language: str,
    **house: bool,
) -> None:
    """Play a game in the terminal, line by line, against bots or with people at this screen.

    EDITION is classic (if left out), deluxe, barbecue or junior. Answer with the words that are
    offered, or their first letters; ? explains.

    \b
    Examples:
      $ heckmeck play
      $ heckmeck play deluxe --players Ada,Ben,random
      $ heckmeck play junior --seed 7 --record game.heckmeck.json
      $ heckmeck play --players "me,exec:./mybot --careful"
    """
    if path is not None and path.exists():
        raise UserError(f"{path} is there already. Choose another name for the record.")
    seed = seed or str(fresh_seed())
    names = [name.strip() for name in players.split(",")]
    start = SeededLuck(f"first {seed}").below(len(names)) if first is None else first
    history = _set_table(Record(edition, _seat_names(names), start, HouseRules(**house)))
    bots = _bots(names)
    if path is not None:
        save(path, write_json(history.record), replace=False)  # now, so that no game is lost later
    click.echo(f"{edition}, {', '.join(history.record.seats)}. Seed {seed}.\n")
    try:
        PlainTable(history, bots, seed, language).play()
    except StoppedPlaying:
        click.echo(LEFT)
    except (click.Abort, KeyboardInterrupt):
        click.echo(LEFT)
        raise
    except BadRecord as error:
        raise UserError(f"The game is left here: {error}") from error
    except BotMisbehaved as error:
        raise UserError(str(error)) from error
    finally:
        if path is not None:
            save(path, write_json(history.record), replace=True)
            click.echo(f"The record is in {path}.")


def _set_table(record: Record) -> History:
    try:
        return History(record)
    except BadSetup as error:
        raise UserError(str(error)) from error


def _bots(names: list[str]) -> dict[int, Player]:
    try:
        return {
            seat: player(name, outside=True)
            for seat, name in enumerate(names)
            if name in BOTS or is_outside(name)
        }
    except UnknownBot as error:
        raise UserError(str(error)) from error


def _seat_names(names: list[str]) -> tuple[str, ...]:
    """Return the names with equal ones told apart: two bots may be of one kind."""
    if "" in names:
        raise UserError("--players needs a name between the commas.")
    seats: list[str] = []
    for name in names:
        numbered = (f"{name} {number}" for number in count(1))
        candidates = numbered if names.count(name) > 1 else iter([name])
        seats.append(
            next(each for each in candidates if each not in {*names, *seats} or each == name)
        )
    return tuple(seats)
