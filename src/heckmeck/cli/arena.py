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
#: A process of its own is worth its start for this many games.
GAMES_FOR_A_WORKER = 200


class Options(TypedDict):
    """The options as they were typed."""

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
    help="The game to play.",
)
@click.option(
    "--bots",
    required=True,
    metavar="BOT,BOT[,...]",
    shell_complete=bot_names,
    help=f"Who plays: {', '.join(BOTS)}, or exec:PROGRAM for a bot of your own.",
)
@click.option(
    "--games", type=int, default=1000, show_default=True, metavar="N", help="How many games."
)
@click.option(
    "--seats",
    type=int,
    default=2,
    show_default=True,
    metavar="N",
    help="How many players sit at a table.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to play in; by default one a core, fewer for few games.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    metavar="N",
    help="A number; the same one makes the same games, with any number of workers. By default one "
    "by chance, which the report names.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep records (games.jsonl), report and pictures in this directory.",
)
@click.option("--force", is_flag=True, help="Write into --out even if it is not empty.")
@click.option(
    "--ray",
    metavar="auto|local|ADDRESS",
    help="Play on a Ray cluster: the one found, one started here, or the one at an address.",
)
@click.option(
    "--move-seconds",
    type=float,
    default=MOVE_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long an exec: bot may think about a move.",
)
def arena(**options: Unpack[Options]) -> int:
    """Let bots play many games against each other, and say who is better by how much.

    Everybody plays on every seat, and the same dice fall once for each seating. With more bots
    than seats all line-ups are played in turn; with fewer, bots sit at the table several times. A
    bot's games are counted by its seats. Ctrl-C ends early and reports what was played.

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
        click.echo("Stopped before the first game was over.", err=True)
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
    """Play until the end or Ctrl-C; there is no report if no game was finished."""
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
            assert collector.tally.games == tournament.games, "every chunk comes back"
    except (BotMisbehaved, Unfinished, WorkersDied) as error:
        raise UserError(str(error)) from error
    finally:
        with file_errors(file):
            collector.finish()
    if not collector.tally.games:
        return None, collector
    seconds = time.perf_counter() - began
    return Report(tournament, summarise(tournament, collector.tally), seconds), collector
