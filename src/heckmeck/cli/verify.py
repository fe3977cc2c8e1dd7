"""`heckmeck verify`."""

import re
from functools import partial
from typing import Final

import click

from heckmeck.cli.checking import Refused, check_files
from heckmeck.cli.files import game_option
from heckmeck.dice_source import Checked, NoProof, UnfairDice, check_dice, count_dice
from heckmeck.record import JsonObject, Record

_SHA256: Final = re.compile("[0-9a-fA-F]{64}")


def _noted(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _SHA256.fullmatch(value):
        raise click.BadParameter(
            "a commitment is 64 hexadecimal digits, all that the table shows before the game."
        )
    return value


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
@click.option(
    "--commitment",
    metavar="HASH",
    callback=_noted,
    help="The promise that you saw and noted before the game; the record must hold the same.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each game.")
@game_option
def verify(files: tuple[str, ...], commitment: str | None, as_json: bool, game: int | None) -> int:
    """Work out every die of a recorded game again.

    A server promises its dice before a game (the SHA-256 of a seed) and shows the seed after it.
    Players promise words in the same way, and show them before the first throw. For every FILE
    (JSON or text form; - reads standard input) this checks that seed and words are those promised,
    and that they make exactly the dice that fell, the golden die included. A record is only paper:
    give it the --commitment that you noted, or it might have been made up from seed to last die.

    \b
    Exit status: 0 when every die of every file is as promised, 1 otherwise:
    also when some dice came with an imported record, and nobody promised them.

    \b
    Example:
      $ heckmeck verify game.heckmeck.json
    """
    return check_files(files, game, partial(_check, commitment), as_json=as_json)


def _check(noted: str | None, record: Record) -> JsonObject:
    try:
        checked = check_dice(record, noted)
    except NoProof as error:
        raise Refused(f"cannot be verified: {error}") from error
    except UnfairDice as error:
        raise Refused(f"not fair: {error}", error.index) from error
    dice, throws = count_dice(checked.throws), len(checked.throws)
    if not checked.covers_all:
        raise Refused(_gap(checked))
    summary = f"fair: all {dice} dice of {throws} throws are as promised{_trust(checked)}"
    return {
        "summary": summary,
        "throws": throws,
        "dice": dice,
        "not_shown": [*checked.not_shown],
        "words_promised": checked.words_promised,
    }


def _gap(checked: Checked) -> str:
    """Say which throws nobody promised."""
    throws, gap = len(checked.throws), len(checked.not_promised)
    if not gap:
        return "nothing is verified: there is no throw in the record"
    came = f"its first {gap} throws came with an imported record, and nobody promised their dice"
    if not throws:
        return f"nothing is verified: {came}"
    return f"not all is verified: {came}; the {throws} throws since are as promised"


def _trust(checked: Checked) -> str:
    """Say what is left to trust in the players' words."""
    if not checked.words_promised:
        return (
            "; but words were shown without a promise before, so whoever knew the seed and added "
            "theirs last could choose among dice"
        )
    if not checked.not_shown:
        return ""
    seats = " and ".join(map(str, checked.not_shown))
    return (
        f"; but seat {seats} did not show the words that it promised, so whoever knew the seed and "
        f"held it could choose among {2 ** len(checked.not_shown)} sets of dice"
    )
