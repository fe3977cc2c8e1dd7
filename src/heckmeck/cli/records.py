"""The commands that read records: `heckmeck replay`, `convert`, `position` and the checks."""

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import click
from msgspec import to_builtins

from heckmeck import record as notation
from heckmeck.cli import commands, options, printing
from heckmeck.cli.files import game_option, games_in, games_option, load, save, title
from heckmeck.dice import Checked, NoProof, UnfairDice, check_dice, count_dice
from heckmeck.narration import Narrator
from heckmeck.record import BadRecord, JsonObject, Record, final_state, moments, read_record
from heckmeck.rules import outcome, word

FORMS: Final = {"json": notation.write_json, "text": notation.write_text}
_SHA256: Final = re.compile("[0-9a-fA-F]{64}")

files_argument = click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
results_option = options.json_option("Print one JSON object per game.")

#: Checks a game: returns its summary and figures, or raises `CheckFailed`.
Check = Callable[[Record], JsonObject]


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@options.json_option(
    "Print one JSON object per line: the number of moves, the move, its events, the state."
)
@game_option
@options.language_option
def replay(file: str, as_json: bool, game: int | None, language: str) -> None:
    """Print a recorded game move by move, in plain sentences.

    FILE is a record in JSON or text form; - reads standard input.

    \b
    Examples:
      $ heckmeck replay game.heckmeck.json
      $ heckmeck replay game.heckmeck.txt --json
      $ heckmeck replay game.heckmeck.txt --language de
      $ heckmeck replay games.jsonl --game 3
    """
    record = load(file, game)
    if as_json:
        for moment in moments(record):
            click.echo(json.dumps(moment))
    else:
        _show(record, Narrator(record.seats, language))


def _show(record: Record, narrator: Narrator) -> None:
    widest = max((len(word(move)) for move in record.moves), default=0)
    number_width = len(str(len(record.moves)))
    printing.print_line(f"{record.edition}, {', '.join(record.seats)}", hanging=2)
    printing.print_line(narrator.start(record.first), hanging=2)
    for step in notation.replay(record):
        told = narrator.events(step.events)
        line = f"{step.index:>{number_width}}  {word(step.move):<{widest}}  {told}"
        printing.print_line(line, hanging=number_width + widest + 4)


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--to",
    "form",
    type=click.Choice(list(FORMS)),
    help="Format to write (default: json if the output's name ends in .json, otherwise text).",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write to (default: standard output).",
)
@click.option("--force", is_flag=True, help="Overwrite the output file if it exists.")
@game_option
def convert(
    file: str, form: str | None, output: Path | None, force: bool, game: int | None
) -> None:
    """Convert a record to JSON or text, without loss except for comments.

    FILE is a record in JSON or text form; - reads standard input.

    \b
    Examples:
      $ heckmeck convert game.heckmeck.json
      $ heckmeck convert game.heckmeck.txt -o game.heckmeck.json
      $ heckmeck convert games.jsonl --game 3 -o third.heckmeck.txt
    """
    text = FORMS[form or _form_of(output)](load(file, game))
    if output is None:
        # A record is always UTF-8; no character of a name may be substituted.
        click.echo(text.encode(), nl=False)
    else:
        save(output, text, replace=force)


def _form_of(output: Path | None) -> str:
    return "json" if output is not None and output.suffix == ".json" else "text"


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--move",
    "after",
    type=click.IntRange(min=0),
    metavar="N",
    help="Print the position after the first N moves (default: after all of them).",
)
@game_option
@options.json_option("Print JSON: the position as text, and its pieces.")
def position(file: str, after: int | None, game: int | None, as_json: bool) -> None:
    """Print a position of a record on one line.

    FILE is a record in JSON or text form; - reads standard input. The text is short enough for a
    link, and other commands take it with --position; heckmeck docs record describes it.

    \b
    Examples:
      $ heckmeck position game.heckmeck.json
      $ heckmeck position game.heckmeck.json --move 17 --json
    """
    record = load(file, game)
    count = len(record.moves) if after is None else after
    if count > len(record.moves):
        raise commands.UserError(
            f"--move {count}: the record has only {len(record.moves)} moves. Choose a number from "
            f"0 to {len(record.moves)}."
        )
    draft = notation.draft_of(record.first_moves(count).end)
    text = notation.write_draft(draft)
    if as_json:
        click.echo(json.dumps({"position": text, **to_builtins(draft, str_keys=True)}))
    else:
        click.echo(text)


# --- checking -------------------------------------------------------------------------------------


class CheckFailed(Exception):
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
    good = [_check_file(name, game, check, as_json) for name in names]
    return 0 if all(good) else 1


def _check_file(name: str, game: int | None, check: Check, as_json: bool) -> bool:
    """Check a file, printing results as they come; return whether every game passed."""
    count = bad = 0
    for report in _reports(name, game, check):
        count += 1
        bad += not report.is_good
        if as_json:
            click.echo(json.dumps(report.to_json()))
        elif report.game is None or report.game == game or not report.is_good:
            printing.print_line(str(report), hanging=2, err=not report.is_good)
    if count > 1 and not as_json:
        found = f"{bad:,} of {count:,} games are bad" if bad else f"ok, {count:,} games"
        printing.print_line(f"{name}: {found}", hanging=2, err=bad > 0)
    return not bad


def _reports(name: str, game: int | None, check: Check) -> Iterator[Report]:
    try:
        with contextlib.closing(games_in(name, game)) as games:
            for number, data in games:
                yield Report(name, number, _found(data, check))
    except commands.UserError as error:
        yield Report(name, None, _failed(str(error).removeprefix(f"{name}: "), None))


def _found(data: bytes, check: Check) -> JsonObject:
    try:
        return {"ok": True, **check(read_record(data))}
    except (BadRecord, CheckFailed) as error:
        return _failed(str(error), error.index)


def _failed(message: str, index: int | None) -> JsonObject:
    return {"ok": False, "index": index, "error": message}


@click.command()
@files_argument
@results_option
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
    return check_files(files, game, _check_moves, as_json=as_json)


def _check_moves(record: Record) -> JsonObject:
    return {"summary": _summary(record), "moves": len(record.moves)}


def _summary(record: Record) -> str:
    end = outcome(final_state(record))
    winners = [] if end is None else [record.seats[seat] for seat in end.winners]
    finish = f"won by {' and '.join(winners)}" if winners else "not finished"
    return f"ok, {record.edition}, {len(record.seats)} players, {len(record.moves)} moves, {finish}"


def _noted(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _SHA256.fullmatch(value):
        raise click.BadParameter(
            "a commitment has 64 hexadecimal digits; copy all that the table shows before the game."
        )
    return value


@click.command()
@files_argument
@click.option(
    "--commitment",
    metavar="HASH",
    callback=_noted,
    help="Commitment that you noted before the game; the record must contain it (default: the "
    "record's own).",
)
@results_option
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
    return check_files(files, game, partial(_check_dice, commitment), as_json=as_json)


def _check_dice(noted: str | None, record: Record) -> JsonObject:
    try:
        checked = check_dice(record, noted)
    except NoProof as error:
        raise CheckFailed(f"cannot be verified: {error}") from error
    except UnfairDice as error:
        raise CheckFailed(f"not fair: {error}", error.index) from error
    dice, throws = count_dice(checked.throws), len(checked.throws)
    if not checked.covers_all:
        raise CheckFailed(_gap(checked))
    summary = f"fair: all {dice} dice of {throws} rolls are as promised{_trust(checked)}"
    return {
        "summary": summary,
        "throws": throws,
        "dice": dice,
        "not_shown": [*checked.not_shown],
        "words_promised": checked.salts_promised,
    }


def _gap(checked: Checked) -> str:
    """Return which rolls nobody promised."""
    throws, gap = len(checked.throws), len(checked.not_promised)
    if not gap:
        return "nothing is verified: the record contains no roll"
    if checked.own_dice:
        drawn = "; who starts was drawn as promised" if checked.drawn else ""
        return (
            f"the dice cannot be verified: the players rolled all {gap} rolls with dice of their "
            f"own and entered what fell{drawn}"
        )
    came = f"its first {gap} rolls came with an imported record, and nobody promised their dice"
    if not throws:
        return f"nothing is verified: {came}"
    return f"not all is verified: {came}; the {throws} rolls since are as promised"


def _trust(checked: Checked) -> str:
    """Return what remains to be trusted about the players' words."""
    if not checked.salts_promised:
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
