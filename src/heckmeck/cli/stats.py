"""`heckmeck stats`: many recorded games, judged together."""

import json
from collections.abc import Iterator, Sequence
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from heckmeck import installation
from heckmeck.arena.estimates import Z95
from heckmeck.cli import printing
from heckmeck.cli.commands import UserError, file_errors
from heckmeck.cli.files import STANDARD_INPUT, games_in, title
from heckmeck.cli.options import json_option
from heckmeck.cli.printing import Column, print_line, print_table
from heckmeck.narration.messages import messages_in
from heckmeck.record import BadRecord, JsonObject, Record, read_record
from heckmeck.rules import outcome

if TYPE_CHECKING:
    from heckmeck.coach.season import Played
    from heckmeck.coach.statistics import Appearance, Estimate, Summary
    from heckmeck.wire.book import Honour

#: How the names of records end, in a folder.
RECORDS: Final = (".heckmeck.json", ".heckmeck.txt", ".jsonl")


@click.command()
@click.argument("places", nargs=-1, required=True, metavar="FOLDER|FILE...", type=click.Path())
@click.option(
    "--player", metavar="NAME", help="Show this player's figures in parts (default: all players)."
)
@click.option(
    "--plots",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also draw the figures into DIR, as .svg and .png (default: no pictures).",
)
@click.option(
    "--honours",
    "with_honours",
    is_flag=True,
    help="Show standings and honours too: who stole the most tiles in a game, and more.",
)
@json_option("Print the figures as one JSON object.")
def stats(
    places: tuple[str, ...],
    player: str | None,
    plots: Path | None,
    with_honours: bool,
    as_json: bool,
) -> None:
    """Judge many recorded games, and show what each player gave away, with error bars.

    A FOLDER is searched for records (.heckmeck.json, .heckmeck.txt and .jsonl files); a FILE has
    one game, or one per line. Games that no champion has learned (house rules) are left out. The
    figures are defined in: heckmeck docs analysis.

    \b
    Examples:
      $ heckmeck stats games
      $ heckmeck stats games.jsonl --json
      $ heckmeck stats games.jsonl --honours
    """
    if plots is not None and not printing.can_draw():
        raise UserError(f"--plots needs matplotlib. {installation.to_add('plots')}")
    found, season, left_out = _judged(places, with_season=with_honours)
    players = sorted({each.player for each in found})
    if not found:
        raise UserError(f"There are no games to judge in {', '.join(places)}.")
    if player is not None and player not in players:
        raise UserError(
            f"--player {player}: nobody is called that. The players are {', '.join(players)}."
        )
    names = players if player is None else [player]
    own = {name: [each for each in found if each.player == name] for name in names}
    judges = sorted({each.evaluator for each in found})
    if plots is not None:
        from heckmeck.cli.stats_plots import draw_all

        with file_errors(plots):
            draw_all(own, plots)
    if as_json:
        data = {name: _to_json(some) for name, some in own.items()}
        more = _season_to_json(season) if with_honours else {}
        facts = {"evaluators": judges, "players": data, "left_out": left_out, **more}
        click.echo(json.dumps(facts))
        return
    if with_honours:
        _show_season(season)
    _show_summaries("player", {name: _summary(some) for name, some in own.items()})
    if player is not None:
        _show_parts(own[player])
    if left_out:
        print_line(f"{left_out} games with house rules are left out: no champion knows them.")
    print_line(
        f"In points of win chance, with 95% intervals, judged by {'; '.join(judges)}. Definitions: "
        "heckmeck docs analysis."
    )


def files(places: Sequence[str]) -> Iterator[str]:
    """Yield the files of records, those of a folder in order."""
    for place in places:
        if place != STANDARD_INPUT and Path(place).is_dir():
            with file_errors(Path(place)):
                inside = sorted(path for path in Path(place).rglob("*") if path.is_file())
            yield from (str(path) for path in inside if path.name.endswith(RECORDS))
        else:
            yield place


def _judged(
    places: Sequence[str], *, with_season: bool
) -> tuple[list["Appearance"], list["Played"], int]:
    """Return every player in every game, all games as a season, and how many are left out.

    Without ``with_season`` the season is empty.
    """
    from heckmeck.coach.season import Judgement, Played, facts_of, judgement
    from heckmeck.coach.statistics import appearances, judged_games

    found: list[Appearance] = []
    season: list[Played] = []
    left_out = 0
    with printing.counted_progress("Judging", 0, "games", time_left=False) as advance:
        first, again = tee(_records(places))
        games = zip(first, judged_games(record for _, record in again), strict=True)
        for number, ((where, record), judged) in enumerate(games, start=1):
            if judged is None:
                left_out += 1
            else:
                found += appearances(record, judged, number)
            if with_season and outcome(record.end) is not None:
                ended = str(record.extra.get("ended", ""))
                verdict = Judgement() if judged is None else judgement(judged)
                season.append(Played(where, number, ended, facts_of(record), verdict))
            advance(1)
    return found, season, left_out


def _records(places: Sequence[str]) -> Iterator[tuple[str, Record]]:
    """Yield every game, and where it is."""
    for file in files(places):
        for place, data in games_in(file):
            try:
                yield title(file, place), read_record(data)
            except BadRecord as error:
                raise UserError(f"{title(file, place)}: {error}") from error


def _summary(some: Sequence["Appearance"]) -> "Summary":
    from heckmeck.coach.statistics import summary

    return summary(some)


def _show_parts(some: Sequence["Appearance"]) -> None:
    from heckmeck.coach.statistics import PARTS, SPLITS, given_away_by, split

    for by in SPLITS:
        _show_summaries(by, split(some, by))
    for by in PARTS:
        columns = (Column(by, "left", "bold"), Column("given away a game"))
        parts = given_away_by(some, by).items()
        print_table(columns, [(name, _points(each)) for name, each in parts])
        click.echo()


def _show_summaries(by: str, summaries: dict[str, "Summary"]) -> None:
    columns = [Column(by, "left", "bold"), *map(Column, ("games", "won", "even luck"))]
    columns += map(Column, ("given away", "luck", "error rate"))
    rows = [
        (
            name,
            str(each.games),
            _points(each.result),
            _points(each.adjusted),
            _points(each.given_away),
            _points(each.luck),
            _points(each.error_rate, 1),
        )
        for name, each in summaries.items()
    ]
    print_table(columns, rows)
    click.echo()


def _points(estimate: "Estimate | None", scale: float = 100.0) -> str:
    """Return a mean with its interval, in points."""
    if estimate is None:
        return ""
    half = "" if estimate.error is None else f" ± {scale * Z95 * estimate.error:.1f}"
    return f"{scale * estimate.mean:.1f}{half}"


# --- seasons --------------------------------------------------------------------------------------


#: Honours whose value is a part of a chance to win.
_CHANCES: Final = ("comeback", "lucky_roll", "unlucky_roll", "flawless", "against")
#: Honours that are called otherwise where plates are stolen.
_PLATES: Final = ("steals", "robbed")


def _show_season(season: Sequence["Played"]) -> None:
    from heckmeck.coach.season import honours, standings

    for each in standings(season, {}):
        columns = [Column(each.edition, "left", "bold"), *map(Column, ("games", "won"))]
        columns += map(Column, ("win share", "worms", "place"))
        rows = [
            (
                row.name,
                str(row.games),
                str(row.wins),
                f"{100 * row.share:.0f}%",
                str(row.worms),
                f"{row.place:.1f}",
            )
            for row in each.rows
        ]
        print_table(columns, rows)
        click.echo()
    for honour in honours(season, {}):
        print_line(f"{_honour(honour)} ({honour.table}, move {honour.index})")
    click.echo()


def _honour(honour: "Honour") -> str:
    """Return an honour as a sentence, and for which edition it is."""
    words = messages_in("en", "book")
    kind, blanks = honour.kind, {"name": honour.name, "value": f"{honour.value:.0f}"}
    if kind in _CHANCES:
        blanks["value"] = words.percent(f"{100 * abs(honour.value):.1f}")
    if kind in _PLATES and honour.edition == "barbecue":
        sentence = words.say(f"told.{kind}.barbecue", **blanks)
    else:
        sentence = words.say(f"told.{kind}", **blanks)
    where = f" [{honour.edition}]" if honour.edition else ""
    return f"{words.say(f'honour.{kind}')}{where}: {sentence}"


def _season_to_json(season: Sequence["Played"]) -> JsonObject:
    from heckmeck.coach.season import honours, standings

    found = {"standings": standings(season, {}), "honours": honours(season, {})}
    data: JsonObject = msgspec.to_builtins(found)
    return data


# --- as data --------------------------------------------------------------------------------------


def _to_json(some: Sequence["Appearance"]) -> JsonObject:
    from heckmeck.coach.statistics import PARTS, SPLITS, given_away_by, split

    data = _summary_to_json(_summary(some))
    for by in SPLITS:
        data[f"by_{by}"] = {name: _summary_to_json(each) for name, each in split(some, by).items()}
    for by in PARTS:
        data[f"given_away_by_{by}"] = {
            name: _estimate(each) for name, each in given_away_by(some, by).items()
        }
    return data


def _summary_to_json(summary: "Summary") -> JsonObject:
    return {
        "games": summary.games,
        "given_away": _estimate(summary.given_away),
        "luck": _estimate(summary.luck),
        "error_rate": _estimate(summary.error_rate),
        "result": _estimate(summary.result),
        "adjusted": _estimate(summary.adjusted),
    }


def _estimate(estimate: "Estimate | None") -> JsonObject | None:
    if estimate is None:
        return None
    return {"mean": estimate.mean, "error": estimate.error, "count": estimate.count}
