"""`heckmeck validate`."""

import click

from heckmeck.cli.checking import check_files
from heckmeck.cli.files import games_option
from heckmeck.record import JsonObject, Record, final_state
from heckmeck.rules import outcome


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game.")
@games_option
def validate(files: tuple[str, ...], as_json: bool, game: int | None) -> int:
    """Check records against the rules, move by move.

    Every FILE (JSON or text form; - reads standard input) is played through. For an invalid
    record, the index of the first bad move and the reason are reported. In a file with one game
    per line, every game is checked, or only the one chosen with --game.

    \b
    Exit status: 0 if all records are valid, 1 otherwise.

    \b
    Examples:
      $ heckmeck validate games/*.heckmeck.json
      $ heckmeck validate games.jsonl
    """
    return check_files(files, game, _check, as_json=as_json)


def _check(record: Record) -> JsonObject:
    return {"summary": _summary(record), "moves": len(record.moves)}


def _summary(record: Record) -> str:
    end = outcome(final_state(record))
    finish = (
        "not finished"
        if end is None
        else f"won by {' and '.join(record.seats[seat] for seat in end.winners)}"
    )
    return f"ok, {record.edition}, {len(record.seats)} players, {len(record.moves)} moves, {finish}"
