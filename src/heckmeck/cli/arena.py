"""`heckmeck arena`."""

import contextlib
import json
import os
import time
from pathlib import Path
from typing import TextIO, TypedDict, Unpack

import click

from heckmeck.arena.chunks import cut
from heckmeck.arena.collecting import Collector
from heckmeck.arena.executors import Executor, Inline, Processes, WorkersDied
from heckmeck.arena.interrupts import held_interrupts
from heckmeck.arena.lockstep import Unfinished
from heckmeck.arena.report import Report, report_to_json
from heckmeck.arena.summary import summarise
from heckmeck.arena.tournament import BadTournament, Tournament
from heckmeck.bots import BOTS, BotMisbehaved
from heckmeck.bots.outside import MOVE_SECONDS
from heckmeck.cli.arena_output import OutputDirectory, file_errors, progress, show
from heckmeck.cli.completing import bot_names
from heckmeck.cli.errors import UserError
from heckmeck.dice_source import fresh_seed
from heckmeck.rules import EDITIONS

INTERRUPTED = 130  # as a shell reports a program ended by Ctrl-C
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


@click.command()
@click.option(
    "--edition",
    type=click.Choice(list(EDITIONS)),
    default="classic",
    show_default=True,
    help="Game to play.",
)
@click.option(
    "--bots",
    required=True,
    metavar="BOT,BOT[,...]",
    shell_complete=bot_names,
    help=f"Bots that play: {', '.join(BOTS)}, or exec:PROGRAM for your own bot.",
)
@click.option(
    "--games",
    type=int,
    default=1000,
    show_default=True,
    metavar="N",
    help="Number of games to play.",
)
@click.option(
    "--seats",
    type=int,
    default=2,
    show_default=True,
    metavar="N",
    help="Number of players at a table.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Worker processes (default: one per core, fewer for short runs).",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    metavar="N",
    help="Seed of the games; the same seed gives the same games with any number of workers "
    "(default: random, shown in the report).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as one JSON object.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIRECTORY",
    help="Save records (games.jsonl), report and pictures to DIRECTORY (default: save nothing).",
)
@click.option("--force", is_flag=True, help="Write into --out even if it is not empty.")
@click.option(
    "--ray",
    metavar="auto|local|ADDRESS",
    help="Play on a Ray cluster: auto finds one, local starts one here, ADDRESS names one "
    "(default: no cluster).",
)
@click.option(
    "--move-seconds",
    type=float,
    default=MOVE_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Time limit per move for exec: bots.",
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
    """
    tournament = _tournament(options)
    out = (
        None if options["out"] is None else OutputDirectory(options["out"], force=options["force"])
    )
    with contextlib.ExitStack() as stack:
        records = stack.enter_context(out.records()) if out else None
        executor = stack.enter_context(contextlib.closing(_executor(options)))
        report, collector = _play(tournament, executor, records)
    if report is None:
        click.echo("Stopped before the first game had finished.", err=True)
        return INTERRUPTED
    with held_interrupts():
        if options["as_json"]:
            click.echo(json.dumps(report_to_json(report)))
        else:
            show(report)
        if out:
            out.write(report, collector.tally)
    return 0 if report.is_complete else INTERRUPTED


def _tournament(options: Options) -> Tournament:
    seed = options["seed"]
    tournament = Tournament(
        edition=options["edition"],
        bots=tuple(name.strip() for name in options["bots"].split(",")),
        seats=options["seats"],
        games=options["games"],
        seed=fresh_seed() if seed is None else seed,
        move_seconds=options["move_seconds"],
    )
    try:
        tournament.check()
    except BadTournament as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    return tournament


def _executor(options: Options) -> Executor:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    useful = max(options["games"] // GAMES_FOR_A_WORKER, 1)
    if options["ray"] is not None:
        from heckmeck.arena.ray_executor import NoCluster, OnRay

        try:
            return OnRay(options["ray"], options["workers"] or cores or 1)
        except NoCluster as error:
            raise UserError(str(error)) from error
    workers = options["workers"] or min(cores or 1, useful)
    return Inline() if workers == 1 else Processes(workers)


def _play(
    tournament: Tournament, executor: Executor, records: TextIO | None
) -> tuple[Report | None, Collector]:
    """Play until the end or Ctrl-C; the report is None if no game was finished."""
    collector = Collector(records)
    file = Path(records.name) if records is not None else Path()
    chunks = cut(tournament, executor.workers, keep_records=records is not None)
    began = time.perf_counter()
    try:
        with contextlib.suppress(KeyboardInterrupt), progress(tournament.games) as advance:
            for result in executor.run(chunks):
                with held_interrupts(), file_errors(file):
                    collector.take(result)
                    advance(result.count)
            assert collector.tally.games == tournament.games, "every chunk returns its games"
    except (BotMisbehaved, Unfinished, WorkersDied) as error:
        raise UserError(str(error)) from error
    finally:
        with file_errors(file):
            collector.finish()
    if not collector.tally.games:
        return None, collector
    seconds = time.perf_counter() - began
    return Report(tournament, summarise(tournament, collector.tally), seconds), collector
