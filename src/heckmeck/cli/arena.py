"""`heckmeck arena`."""

import contextlib
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO, TypedDict, Unpack

import click

from heckmeck import dice, interrupts, rules
from heckmeck.arena import report
from heckmeck.arena.adjusted import evaluator
from heckmeck.arena.chunks import Collector, cut
from heckmeck.arena.standings import Standings
from heckmeck.arena.tournament import (
    BadTournament,
    Engine,
    Tournament,
    Unfinished,
)
from heckmeck.bots import BOTS, BotMisbehaved
from heckmeck.cli import printing
from heckmeck.cli.commands import UserError, file_errors, reporting
from heckmeck.cli.options import (
    bot_names,
    edition_option,
    json_option,
    move_seconds_option,
    number_option,
    ray_option,
)
from heckmeck.cli.printing import Column, print_line
from heckmeck.executors import Executor, NoCluster, WorkersDied, cores, executor_for
from heckmeck.values import NoChampion

#: The number of games that makes another worker process worth starting.
GAMES_FOR_A_WORKER = 200


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    edition: str
    bots: str
    games: int
    seats: int
    workers: int | None
    seed: int | None
    as_json: bool
    out: Path | None
    force: bool
    ray: str | None
    move_seconds: float
    adjusted: bool
    engine: Engine


@click.command()
@edition_option("Game to play.")
@click.option(
    "--bots",
    required=True,
    metavar="BOT,BOT[,...]",
    shell_complete=bot_names,
    help=f"Bots that play: {', '.join(BOTS)}, or your own: py:MODULE:CLASS, champion:FILE or "
    "exec:PROGRAM.",
)
@click.option("--games", type=int, default=1000, metavar="N", help="Number of games to play.")
@click.option("--seats", type=int, default=2, metavar="N", help="Number of players at a table.")
@number_option("--workers", "Worker processes (default: one per core, fewer for short runs).")
@number_option(
    "--seed",
    "Seed of the games; the same seed gives the same games with any number of workers "
    "(default: random, shown in the report).",
    least=0,
    most=2**64 - 1,
)
@click.option(
    "--adjusted",
    is_flag=True,
    help="Also report win shares without the luck of the dice, which need far fewer games.",
)
@json_option("Print the results as one JSON object.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIRECTORY",
    help="Save records (games.jsonl), report and pictures to DIRECTORY (default: save nothing).",
)
@click.option("--force", is_flag=True, help="Write into --out even if it is not empty.")
@ray_option
@move_seconds_option("exec: bots")
@click.option(
    "--engine",
    type=click.Choice(["bulk", "rules"]),
    default="bulk",
    show_default=True,
    help="What plays the games, which are the same: the compiled engine, or the rules, which are "
    "the reference and far slower.",
)
def arena(**options: Unpack[Options]) -> int:
    """Run a tournament of bots, and rate them.

    Every bot plays in every seat, and each set of dice is used once per seating. With more bots
    than seats, all line-ups take turns; with fewer, a bot takes several seats. A bot's games are
    counted per seat. Ctrl-C ends the tournament early and reports the games played.

    \b
    Examples:
      $ heckmeck arena --bots fox,chick --games 2000
      $ heckmeck arena --edition deluxe --bots fox,rooster,chick --out results
      $ heckmeck arena --bots fox,exec:./mybot --seed 7 --json
      $ heckmeck arena --bots champion,fox --games 2000 --adjusted
    """
    tournament = _tournament(options)
    if options["adjusted"]:
        with reporting(NoChampion):
            evaluator(tournament.edition, tournament.seats)
    out = OutputDirectory(options["out"], force=options["force"]) if options["out"] else None
    with contextlib.ExitStack() as stack:
        records = stack.enter_context(out.records()) if out else None
        executor = stack.enter_context(contextlib.closing(_executor(options)))
        standings = _play(tournament, executor, records, options)
    if standings is None:
        click.echo("Stopped before the first game had finished.", err=True)
        return interrupts.STATUS
    with interrupts.held_interrupts():
        if options["as_json"]:
            click.echo(json.dumps(report.report_to_json(standings)))
        else:
            show(standings)
        if out:
            out.write(standings)
    return 0 if standings.is_complete else interrupts.STATUS


def _tournament(options: Options) -> Tournament:
    seed = options["seed"]
    tournament = Tournament(
        edition=options["edition"],
        bots=tuple(name.strip() for name in options["bots"].split(",")),
        seats=options["seats"],
        games=options["games"],
        seed=dice.fresh_seed() if seed is None else seed,
        move_seconds=options["move_seconds"],
    )
    try:
        tournament.check()
    except (rules.BadSetup, BadTournament) as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    return tournament


def _executor(options: Options) -> Executor:
    workers = cores()
    if options["ray"] is None:
        workers = min(workers, max(options["games"] // GAMES_FOR_A_WORKER, 1))
    with reporting(NoCluster):
        return executor_for(options["workers"] or workers, options["ray"])


def _play(
    tournament: Tournament, executor: Executor, records: TextIO | None, options: Options
) -> Standings | None:
    """Play until the end or Ctrl-C; return None if no game was finished."""
    collector = Collector(records)
    file = Path(records.name) if records is not None else Path()
    chunks = cut(
        tournament,
        executor.workers,
        keep_records=records is not None,
        largest=collector.pace,
        adjusted=options["adjusted"],
        engine=options["engine"],
    )
    bar = printing.counted_progress("Playing", tournament.games, "games")
    began = time.perf_counter()
    try:
        with (
            reporting(BotMisbehaved, Unfinished, WorkersDied),
            contextlib.suppress(KeyboardInterrupt),
            bar as advance,
        ):
            for result in executor.run(chunks):
                with interrupts.held_interrupts(), file_errors(file):
                    collector.take(result)
                    advance(result.count)
            assert collector.tally.games == tournament.games, "every chunk returns its games"
    finally:
        with file_errors(file):
            collector.finish()
    if not collector.tally.games:
        return None
    return Standings(tournament, collector.tally, time.perf_counter() - began)


def show(standings: Standings) -> None:
    """Print the report as tables."""
    rate = f"{standings.seconds:.1f} s, {standings.games_per_second:,.0f} games/s"
    click.secho(printing.wrapped(f"{report.headline(standings)} ({rate})"), bold=True)
    click.echo()
    _print_table(report.BOT_HEADER, report.bot_rows(standings))
    if rows := report.adjusted_rows(standings):
        _print_table(report.ADJUSTED_HEADER, rows)
    if len(standings.pairs) > 1:
        _print_table(report.PAIR_HEADER, report.pair_rows(standings))
    for sentence in (*report.sentences(standings), report.LEGEND):
        print_line(sentence)


def _print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    name, *figures = header
    printing.print_table([Column(name, "left"), *map(Column, figures)], rows, at_edge=True)
    click.echo()


class OutputDirectory:
    """The directory of ``--out``: records during the games, the report after them."""

    def __init__(self, path: Path, *, force: bool) -> None:
        """Create the directory; raise `UserError` if it is not empty, unless ``force``."""
        self._path = path
        with file_errors(path):
            path.mkdir(parents=True, exist_ok=True)
            if any(path.iterdir()) and not force:
                raise UserError(f"{path} is not empty. Choose another directory, or add --force.")
        printing.say_if_none("Pictures are")  # before hours of play

    @contextlib.contextmanager
    def records(self) -> Iterator[TextIO]:
        """Open the file for the records, one JSON record per line."""
        path = self._path / "games.jsonl"
        with file_errors(path):
            file = path.open("w", encoding="utf-8", newline="\n")
        try:
            yield file
        finally:
            with file_errors(path):
                file.close()

    def write(self, standings: Standings) -> None:
        """Write the report as JSON and Markdown, and the pictures if they can be drawn."""
        data = json.dumps(report.report_to_json(standings), indent=2)
        with file_errors(self._path):
            (self._path / "report.json").write_text(data + "\n", encoding="utf-8")
            pictures = report.draw_all(standings, self._path) if printing.can_draw() else []
            page = report.report_to_markdown(standings, pictures)
            (self._path / "report.md").write_text(page, encoding="utf-8")
