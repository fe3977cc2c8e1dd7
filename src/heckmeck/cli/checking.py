"""Checking and reporting every game of every file, for `validate` and `verify`."""

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import click

from heckmeck.cli.errors import UserError
from heckmeck.cli.files import games_in, title
from heckmeck.cli.printing import print_line
from heckmeck.record import BadRecord, JsonObject, Record, read_record

#: Checks a game: returns its summary and figures, or raises `Refused`.
Check = Callable[[Record], JsonObject]


class Refused(Exception):
    """The game failed the check, at the move with this ``index`` if there is one."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class Report(NamedTuple):
    """The result for a game, or for a file that cannot be read."""

    name: str
    game: int | None
    data: JsonObject

    @property
    def is_good(self) -> bool:
        """Whether the check passed."""
        return self.data["ok"] is True

    def to_json(self) -> JsonObject:
        """Return the report as one object; with the game's number if there are several."""
        which: JsonObject = {} if self.game is None else {"game": self.game}
        return {"file": self.name, **which, **self.data}

    def __str__(self) -> str:
        found = self.data["summary" if self.is_good else "error"]
        return f"{title(self.name, self.game)}: {found}"


def check_files(names: Sequence[str], game: int | None, check: Check, *, as_json: bool) -> int:
    """Check all games, or one per file, and print the results; return the exit status."""
    bad = [_check_file(name, game, check, as_json) for name in names].count(False)
    return 1 if bad else 0


def _check_file(name: str, game: int | None, check: Check, as_json: bool) -> bool:
    """Check a file, printing results as they come; return whether every game passed."""
    count = bad = 0
    for report in _reports(name, game, check):
        count += 1
        bad += not report.is_good
        if as_json:
            click.echo(json.dumps(report.to_json()))
        elif report.game is None or report.game == game or not report.is_good:
            print_line(str(report), hanging=2, err=not report.is_good)
    if count > 1 and not as_json:
        found = f"{bad:,} of {count:,} games are bad" if bad else f"ok, {count:,} games"
        print_line(f"{name}: {found}", hanging=2, err=bad > 0)
    return not bad


def _reports(name: str, game: int | None, check: Check) -> Iterator[Report]:
    try:
        with contextlib.closing(games_in(name, game)) as games:
            for number, data in games:
                yield Report(name, number, _found(data, check))
    except UserError as error:
        yield Report(name, None, _refused(str(error).removeprefix(f"{name}: "), None))


def _found(data: bytes, check: Check) -> JsonObject:
    try:
        return {"ok": True, **check(read_record(data))}
    except (BadRecord, Refused) as error:
        return _refused(str(error), error.index)


def _refused(message: str, index: int | None) -> JsonObject:
    return {"ok": False, "index": index, "error": message}
