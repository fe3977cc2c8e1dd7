"""`heckmeck verify`."""

import click

from heckmeck.cli.checking import Refused, check_files
from heckmeck.cli.files import games_option
from heckmeck.dice_source import NoProof, UnfairDice, check_dice, count_dice
from heckmeck.record import JsonObject, Record


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game.")
@games_option
def verify(files: tuple[str, ...], as_json: bool, game: int | None) -> int:
    """Check that a game's dice were fair.

    A server commits to its dice before a game (by the SHA-256 of a seed) and reveals the seed
    afterwards. For every FILE (JSON or text form; - reads standard input), this checks that the
    seed is the one promised, and that the seed and the players' words give exactly the dice
    recorded, the golden die included.

    \b
    Exit status: 0 if all dice are as promised, 1 otherwise.

    \b
    Example:
      $ heckmeck verify game.heckmeck.json
    """
    return check_files(files, game, _check, as_json=as_json)


def _check(record: Record) -> JsonObject:
    try:
        throws = check_dice(record)
    except NoProof as error:
        raise Refused(f"cannot be verified: {error}") from error
    except UnfairDice as error:
        raise Refused(f"not fair: {error}", error.index) from error
    dice = count_dice(throws)
    summary = f"fair: all {dice} dice of {len(throws)} rolls are as promised"
    return {"summary": summary, "throws": len(throws), "dice": dice}
