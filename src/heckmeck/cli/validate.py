"""`heckmeck validate`."""

import json

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.files import load
from heckmeck.record import BadRecord, JsonObject, Record, final_state
from heckmeck.rules import outcome


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
def validate(files: tuple[str, ...], as_json: bool) -> int:
    """Check records against the rules, word by word.

    Every FILE (JSON or text form; - reads standard input) is played through. A bad one is refused
    with the index of its first bad move and the reason.

    \b
    Exit status: 0 when all are good, 1 when one is not.

    \b
    Example:
      $ heckmeck validate games/*.heckmeck.json
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
        record = load(name)
    except UserError as error:
        reason = error.__cause__
        index = reason.index if isinstance(reason, BadRecord) else None
        message = str(error).removeprefix(f"{name}: ")
        return {"file": name, "ok": False, "index": index, "error": message}
    return {"file": name, "ok": True, "summary": _summary(record), "moves": len(record.moves)}


def _summary(record: Record) -> str:
    end = outcome(final_state(record))
    finish = (
        "not finished"
        if end is None
        else f"won by {' and '.join(record.seats[seat] for seat in end.winners)}"
    )
    return f"ok, {record.edition}, {len(record.seats)} players, {len(record.moves)} moves, {finish}"
