"""`heckmeck verify`."""

import json

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.files import load
from heckmeck.dice_source import NoProof, UnfairDice, check_dice, count_dice
from heckmeck.record import JsonObject


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
def verify(files: tuple[str, ...], as_json: bool) -> int:
    """Work out every die of a recorded game again.

    A server promises its dice before a game (the SHA-256 of a seed) and shows the seed after it.
    For every FILE (JSON or text form; - reads standard input) this checks that the seed is the one
    promised, and that seed and players' words make exactly the dice that fell, the golden die
    included.

    \b
    Exit status: 0 when every die of every file is as promised, 1 otherwise.

    \b
    Example:
      $ heckmeck verify game.heckmeck.json
    """
    reports = [_report(name) for name in files]
    for report in reports:
        good = report["ok"] is True
        if as_json:
            click.echo(json.dumps(report))
        else:
            click.echo(f"{report['file']}: {report['summary' if good else 'error']}", err=not good)
    return 0 if all(report["ok"] is True for report in reports) else 1


def _report(name: str) -> JsonObject:
    try:
        throws = check_dice(load(name))
    except UserError as error:
        return _bad(name, None, str(error).removeprefix(f"{name}: "))
    except NoProof as error:
        return _bad(name, None, f"cannot be verified: {error}")
    except UnfairDice as error:
        return _bad(name, error.index, f"not fair: {error}")
    dice = count_dice(throws)
    summary = f"fair: all {dice} dice of {len(throws)} throws are as promised"
    return {"file": name, "ok": True, "summary": summary, "throws": len(throws), "dice": dice}


def _bad(name: str, index: int | None, error: str) -> JsonObject:
    return {"file": name, "ok": False, "index": index, "error": error}
