"""`heckmeck verify`."""

import re
from functools import partial
from typing import Final

import click

from heckmeck.cli.checking import Refused, check_files
from heckmeck.cli.files import games_option
from heckmeck.dice_source import Checked, NoProof, UnfairDice, check_dice, count_dice
from heckmeck.record import JsonObject, Record

_SHA256: Final = re.compile("[0-9a-fA-F]{64}")


def _noted(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _SHA256.fullmatch(value):
        raise click.BadParameter(
            "a commitment has 64 hexadecimal digits; copy all that the table shows before the game."
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
    help="Commitment that you noted before the game; the record must contain it (default: the "
    "record's own).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game.")
@games_option
def verify(files: tuple[str, ...], commitment: str | None, as_json: bool, game: int | None) -> int:
    """Check that a game's dice were fair.

    A server commits to its dice before a game (by the SHA-256 of a seed) and reveals the seed
    afterwards. Players promise words in the same way, and show them before the first roll. For
    every FILE (JSON or text form; - reads standard input), this checks that the seed and the words
    are the ones promised, and that they give exactly the dice recorded, the golden die included.
    A record could be made up as a whole: pass the --commitment that you noted to rule that out.

    \b
    Exit status: 0 if all dice are as promised, 1 otherwise; also if some dice
    came with an imported record, because nobody promised them.

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
    summary = f"fair: all {dice} dice of {throws} rolls are as promised{_trust(checked)}"
    return {
        "summary": summary,
        "throws": throws,
        "dice": dice,
        "not_shown": [*checked.not_shown],
        "words_promised": checked.words_promised,
    }


def _gap(checked: Checked) -> str:
    """Return which rolls nobody promised."""
    throws, gap = len(checked.throws), len(checked.not_promised)
    if not gap:
        return "nothing is verified: the record contains no roll"
    came = f"its first {gap} rolls came with an imported record, and nobody promised their dice"
    if not throws:
        return f"nothing is verified: {came}"
    return f"not all is verified: {came}; the {throws} rolls since are as promised"


def _trust(checked: Checked) -> str:
    """Return what remains to be trusted about the players' words."""
    if not checked.words_promised:
        return (
            "; but the words were not promised beforehand, so anyone who knew the seed and added "
            "words last could choose the dice"
        )
    if not checked.not_shown:
        return ""
    seats = " and ".join(map(str, checked.not_shown))
    return (
        f"; but seat {seats} did not show the promised words, so a player there "
        f"who knew the seed could choose from {2 ** len(checked.not_shown)} sets of dice"
    )
