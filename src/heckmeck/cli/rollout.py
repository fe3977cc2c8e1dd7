"""`heckmeck rollout`."""

import contextlib
import json
import time
from collections.abc import Iterator
from typing import TypedDict, Unpack

import click

from heckmeck import dice, interrupts
from heckmeck.arena.adjusted import evaluator_at
from heckmeck.arena.estimates import Z95
from heckmeck.arena.pace import SECONDS
from heckmeck.arena.rollout import Piece, Rollout, Rounds, count_rounds, cut
from heckmeck.arena.tournament import Unfinished
from heckmeck.bots import BOTS, BotMisbehaved, UnknownBot, find_bot
from heckmeck.cli import printing
from heckmeck.cli.coach import record_to_study
from heckmeck.cli.commands import reporting
from heckmeck.cli.files import game_option
from heckmeck.cli.options import json_option, number_option, position_option, ray_option
from heckmeck.cli.printing import Column, print_line, print_table
from heckmeck.executors import Executor, NoCluster, WorkersDied, executor_for
from heckmeck.record import JsonObject
from heckmeck.rules import game_at
from heckmeck.values import NoChampion

#: Pieces of work of a worker in the time of ``--seconds``, so that it is not far exceeded.
PIECES_IN_TIME = 5


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    file: str | None
    after: int | None
    game: int | None
    position: str | None
    games: int
    bot: str
    precision: float | None
    seconds: float | None
    seed: int | None
    workers: int
    ray: str | None
    as_json: bool


@click.command()
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option(
    "--move",
    "after",
    type=click.IntRange(min=0),
    metavar="N",
    help="Play on from the position after the first N moves (default: after all of them).",
)
@game_option
@position_option
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1024,
    metavar="N",
    help="Games to play after each move, at least 128, in rounds of 16.",
)
@click.option(
    "--bot",
    default="champion",
    metavar="BOT",
    help=f"Bot that plays all seats: {', '.join(BOTS)}, or your own: py:MODULE:CLASS, "
    "champion:FILE or exec:PROGRAM.",
)
@click.option(
    "--precision",
    type=click.FloatRange(min=0, min_open=True),
    metavar="POINTS",
    help="Stop as soon as every standard error is below this many points of win chance.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop after this time.",
)
@number_option(
    "--seed",
    "Seed of the games; the same seed gives the same games with any number of workers "
    "(default: random, shown in the report).",
    least=0,
    most=2**64 - 1,
)
@number_option("--workers", "Worker processes.", default=1)
@ray_option
@json_option("Print the results as one JSON object.")
def rollout(**options: Unpack[Options]) -> int:
    """Play a position on many times after each legal move, and compare the moves.

    FILE is a record in JSON or text form, - reads standard input (default: none, with --position).
    One bot plays all seats. Shares of wins leave out the luck of the dice (heckmeck docs analysis);
    first rolls are spread evenly, and all moves are followed by the same dice. Ctrl-C reports what
    was played so far.

    \b
    Examples:
      $ heckmeck rollout game.heckmeck.json --move 17 --games 128
      $ heckmeck rollout game.heckmeck.json --bot fox --precision 0.5 --json
      $ heckmeck rollout --position classic_21-24.26-36_25_-_1~44W~11335
    """
    work = _rollout(options)
    with contextlib.closing(_executor(options)) as executor:
        done, seconds = _play(work, executor, options)
    if not done.moves:
        click.echo("Stopped before the first games had finished.", err=True)
        return interrupts.STATUS
    with interrupts.held_interrupts():
        if options["as_json"]:
            click.echo(json.dumps(_to_json(done, seconds)))
        else:
            _show(done, seconds)
    return 0 if _is_enough(done, seconds, options) else interrupts.STATUS


def _rollout(options: Options) -> Rollout:
    record = record_to_study(
        options["file"], options["game"], options["after"], options["position"]
    )
    seed = options["seed"]
    work = Rollout(record, options["bot"], dice.fresh_seed() if seed is None else seed)
    with reporting(UnknownBot, NoChampion):
        find_bot(work.bot, outside=True)
        evaluator_at(record.end.table)
    return work


def _executor(options: Options) -> Executor:
    with reporting(NoCluster):
        return executor_for(options["workers"], options["ray"])


def _play(work: Rollout, executor: Executor, options: Options) -> tuple[Rounds, float]:
    """Play until there are enough games, or Ctrl-C."""
    limit = options["seconds"]
    done = Rounds(work, SECONDS if limit is None else min(SECONDS, limit / PIECES_IN_TIME))
    began = time.perf_counter()
    games = count_rounds(work, options["games"]) * work.games
    pieces = cut(work, options["games"], executor.workers, done.pace)
    bar = printing.counted_progress("Playing", games, "games a move")
    with (
        reporting(BotMisbehaved, Unfinished, WorkersDied),
        contextlib.suppress(KeyboardInterrupt),
        bar as advance,
    ):
        for result in executor.run(_until_enough(pieces, done, began, options)):
            with interrupts.held_interrupts():
                done.take(result)
                advance(len(result.rounds) * work.games)
    return done, time.perf_counter() - began


def _until_enough(
    pieces: Iterator[Piece], done: Rounds, began: float, options: Options
) -> Iterator[Piece]:
    """Yield pieces of work until the rounds that are done are enough."""
    for piece in pieces:
        if done.moves and _is_enough(done, time.perf_counter() - began, options):
            return
        yield piece


def _is_enough(done: Rounds, seconds: float, options: Options) -> bool:
    precision, limit = options["precision"], options["seconds"]
    if limit is not None and seconds >= limit:
        return True
    if done.are_few:
        return False
    return done.games >= options["games"] or (
        precision is not None and 100 * done.error < precision
    )


def _to_json(done: Rounds, seconds: float) -> JsonObject:
    work = done.rollout
    return {
        "edition": work.record.edition,
        "seat": work.state.seat,
        "move": len(work.record.moves),
        "bot": work.bot,
        "evaluator": _judge(work),
        "seed": work.seed,
        "games": done.games,
        "seconds": seconds,
        "moves": [
            {
                "move": each.move,
                "share": each.share,
                "error": each.error,
                "by_seat": [*each.by_seat],
                "behind": each.behind,
                "behind_error": each.behind_error,
                "raw_share": each.raw,
                "raw_error": each.raw_error,
            }
            for each in done.moves
        ],
    }


def _judge(work: Rollout) -> str:
    return evaluator_at(work.state.table).name


def _show(done: Rounds, seconds: float) -> None:
    work = done.rollout
    print_line(
        f"{game_at(work.state.table).edition}, after {len(work.record.moves)} moves: "
        f"{done.games:,} games of {work.bot} for each move, seed {work.seed} ({seconds:.1f} s)"
    )
    columns = (
        Column("move", "left", "bold"),
        Column("chance to win, 95%"),
        Column("behind the best, 95%"),
        Column("won with luck, 95%"),
    )
    rows = [
        (
            each.move,
            _with_error(each.share, each.error),
            "" if each.move == done.moves[0].move else _with_error(each.behind, each.behind_error),
            _with_error(each.raw, each.raw_error),
        )
        for each in done.moves
    ]
    print_table(columns, rows)
    print_line(f"Luck is judged by {_judge(work)}; see heckmeck docs analysis.")


def _with_error(share: float, error: float) -> str:
    return f"{share:.1%} ± {Z95 * error:.1%}"
