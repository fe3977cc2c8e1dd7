"""`heckmeck review`: every decision and every throw of a recorded game, judged."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click
from msgspec import to_builtins

from heckmeck import coach, rules
from heckmeck.cli.coach import unit_option
from heckmeck.cli.commands import UserError, file_errors, reporting
from heckmeck.cli.files import games_in, games_option, title
from heckmeck.cli.options import json_option, language_option
from heckmeck.cli.printing import Column, print_line, print_table, wrapped
from heckmeck.coach.story import story_of
from heckmeck.coach.why import Why
from heckmeck.record import BadRecord, Record, read_record, replay
from heckmeck.rules.events import TurnStarted

if TYPE_CHECKING:
    from heckmeck.wire.coach import Decision, Mark, PlayerTotals, Review

#: The signs of marks, the smallest first.
SIGNS: Final[dict["Mark", str]] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    file: str
    game: int | None
    seat: str | None
    deeper: bool
    unit: coach.Unit | None
    html: Path | None
    language: str
    as_json: bool


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@games_option
@click.option("--seat", metavar="NAME", help="Show only this player's mistakes (default: all).")
@click.option(
    "--deeper", is_flag=True, help="Judge by an evaluator that looks one turn further ahead."
)
@unit_option
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write one page with curve, luck and every mistake to FILE (default: no page).",
)
@language_option
@json_option("Print one JSON object per game.")
def review(**options: Unpack[Options]) -> None:
    """Review recorded games: what each decision cost, and how lucky each roll was.

    FILE is a record in JSON or text form, or has one record per line; - reads standard input. The
    figures are defined in: heckmeck docs analysis.

    \b
    Examples:
      $ heckmeck review game.heckmeck.json
      $ heckmeck review games.jsonl --game 2 --json
      $ heckmeck review game.heckmeck.txt --language de --html review.html
    """
    for number, (name, record) in enumerate(_records(options["file"], options["game"])):
        if options["html"] is not None and number:
            raise UserError(f"{options['file']} has several games: choose one with --game N.")
        judged = _reviewed(record, options)
        if options["html"] is not None:
            from heckmeck.cli.review_page import page

            text = page(record, judged, options["language"], options["seat"])
            with file_errors(options["html"]):
                options["html"].write_text(text, encoding="utf-8", newline="\n")
        if options["as_json"]:
            players = {"edition": record.edition, "seats": [*record.seats]}
            click.echo(json.dumps(players | to_builtins(judged)))
        else:
            click.echo("\n" if number else "", nl=False)
            _show(name, record, judged, options)


def _records(file: str, game: int | None) -> Iterator[tuple[str, Record]]:
    for number, data in games_in(file, game):
        try:
            yield title(file, number), read_record(data)
        except BadRecord as error:
            raise UserError(f"{title(file, number)}: {error}") from error


def _reviewed(record: Record, options: Options) -> "Review":
    from heckmeck.coach.review import review as judge

    seat = options["seat"]
    if seat is not None and seat not in record.seats:
        raise UserError(
            f"--seat {seat}: nobody is called that. The players are {', '.join(record.seats)}."
        )
    with reporting(coach.NoChampion, BadRecord):
        return judge(record, options["unit"], deeper=options["deeper"])


def _show(name: str, record: Record, judged: "Review", options: Options) -> None:
    scores = rules.scores(record.end)
    players = ", ".join(f"{seat} {score}" for seat, score in zip(record.seats, scores, strict=True))
    over = "" if rules.outcome(record.end) else " so far"
    click.secho(wrapped(f"{name}: {record.edition}, worms{over}: {players}"), bold=True)
    _show_players(record, judged)
    for seat, totals in zip(record.seats, judged.players, strict=True):
        story = story_of(totals, seat, options["language"])
        if story and options["seat"] in (None, seat):
            print_line(story)
    click.echo()
    _show_mistakes(record, judged, options)
    what = "points of win chance" if judged.unit == "win" else "worms"
    print_line(f"In {what}, judged by {judged.evaluator}. Definitions: heckmeck docs analysis.")


def _show_players(record: Record, judged: "Review") -> None:
    columns = [Column("player", "left", "bold"), Column("given away"), Column("luck")]
    columns += [Column(sign) for sign in SIGNS.values()]
    if judged.unit == "win":
        columns += map(Column, ("even luck", "error rate", "PR", "plays like"))
    rows = []
    for seat, totals in enumerate(judged.players):
        marks = Counter(each.mark for each in judged.decisions if each.seat == seat)
        row = [record.seats[seat], amount(totals.given_away, judged), amount(totals.luck, judged)]
        row += [str(marks[mark] or "") for mark in SIGNS]
        rows.append([*row, *(_figures(totals) if judged.unit == "win" else ())])
    print_table(columns, rows)


def _figures(totals: "PlayerTotals") -> Sequence[str]:
    even = "" if totals.adjusted is None else f"{100 * totals.adjusted:.0f}%"
    rates = [f"{each:.1f}" if each is not None else "" for each in (totals.error_rate, totals.pr)]
    return [even, *rates, totals.grade or ""]


def amount(worth: float, judged: "Review") -> str:
    """Return a loss or luck in the review's unit: points of win chance, or worms."""
    return f"{100 * worth:.1f}" if judged.unit == "win" else f"{worth:.2f}"


def mistakes(judged: "Review", seat: int | None = None) -> list["Decision"]:
    """Return the decisions with a mark, of one player or of all."""
    return [each for each in judged.decisions if each.mark and seat in (None, each.seat)]


def _show_mistakes(record: Record, judged: "Review", options: Options) -> None:
    name, turns = options["seat"], turns_of(record)
    found = mistakes(judged, None if name is None else record.seats.index(name))
    columns = (
        Column("turn"),
        Column("move"),
        Column("player", "left"),
        Column("", "left"),
        Column("played", "left"),
        Column("better", "left"),
        Column("lost"),
    )
    rows = [
        (
            str(turns[each.index]),
            str(each.index),
            record.seats[each.seat],
            SIGNS[each.mark] if each.mark else "",
            each.move,
            each.choices[0].move,
            amount(each.loss, judged),
        )
        for each in found
    ]
    if not rows:
        print_line("No mistakes.")
        return
    print_table(columns, rows)
    click.echo()
    why = Why(options["language"], record.seats)
    for each in found:
        if each.reason is not None:
            print_line(f"{each.index}: {why.short(each.reason, judged.unit)}")
    click.echo()


def turns_of(record: Record) -> list[int]:
    """Return the turn, counted from 1, that each move belongs to."""
    turns, turn = [], 1
    for step in replay(record):
        turns.append(turn)
        turn += any(isinstance(event, TurnStarted) for event in step.events)
    return turns
