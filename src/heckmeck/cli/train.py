"""`heckmeck train`."""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

import click
from rich.progress import TaskProgressColumn, TimeRemainingColumn

from heckmeck import dice, executors, interrupts
from heckmeck.cli.commands import UserError, file_errors, reporting
from heckmeck.cli.files import check_place
from heckmeck.cli.options import edition_option, number_option, ray_option
from heckmeck.cli.printing import can_draw, print_line, progress_bar, say_if_none
from heckmeck.rules import game
from heckmeck.training.session import BadCheckpoint, Plan, Session, Status, seed_of
from heckmeck.values.network import BadWeights


class Options(TypedDict):
    """The options of the command, as click hands them over."""

    edition: str
    out: Path
    minutes: float
    positions: int | None
    seed: int | None
    workers: int
    ray: str | None
    exam_games: int
    players: int | None
    further: Path | None
    resume: bool
    force: bool


@click.command()
@edition_option("Game to learn.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE.npz",
    help="File for the weights; the checkpoint and the learning curve are saved next to it.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    metavar="MINUTES",
    help="Training time, not counting exams.",
)
@number_option(
    "--positions",
    "Number of positions to learn from, instead of --minutes (the default). With the same "
    "--seed, one worker and the same versions of heckmeck and NumPy, the weights are the same on "
    "every x86-64 processor.",
)
@number_option(
    "--seed",
    "Seed of the training; with --resume, the one it was started with (default: random, or "
    "the one in the checkpoint).",
    least=0,
    most=2**63 - 1,
)
@number_option(
    "--workers", "Number of processes that play; learning happens in this one.", default=1
)
@ray_option
@number_option(
    "--exam-games", "Games against fox and chick for each point of the learning curve.", default=400
)
@number_option(
    "--players",
    "Train only the network for this number of players (default: all networks).",
    least=2,
    most=7,
)
@click.option(
    "--from",
    "further",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE.npz",
    help="Weights to train further (default: untrained networks).",
)
@click.option("--resume", is_flag=True, help="Continue an interrupted training.")
@click.option("--force", is_flag=True, help="Overwrite the file of --out if it exists.")
def train(**options: Unpack[Options]) -> int:
    """Train a champion by self-play: one network for two players, one for more.

    The network first learns from games of bots that count worms, then from exactly solved turns of
    games against itself. Ctrl-C saves a checkpoint; run the same command with --resume to
    continue.

    \b
    Examples:
      $ heckmeck train --edition junior --minutes 60 --out junior.npz
    """
    plan = _plan(options)
    with (
        contextlib.closing(_executor(options)) as executor,
        reporting(BadCheckpoint, BadWeights, executors.WorkersDied),
        file_errors(plan.out),
    ):
        session = Session(plan, executor)
        finished = _run(session, resume=options["resume"])
    if not finished:
        goes_on = f"Continue with the same command and --resume ({plan.checkpoint})."
        nothing = "Nothing has been learned yet."
        print_line(f"Stopped. {goes_on if plan.checkpoint.exists() else nothing}", err=True)
        return interrupts.STATUS
    say_if_none("The learning curve is")
    if can_draw():
        session.draw()
    print_line(f"Weights: {plan.out}. Learning curve: {plan.curve}.")
    return 0


def _plan(options: Options) -> Plan:
    out, seed = options["out"], options["seed"]
    if out.suffix != ".npz":
        raise click.UsageError(f"--out must end in .npz, not {out.name}.")
    players, most = options["players"], game(options["edition"]).players[-1]
    if players is not None and players > most:
        raise click.UsageError(
            f"{options['edition']} is played by up to {most} players, not {players}."
        )
    plan = Plan(
        options["edition"],
        options["minutes"],
        out,
        seed=dice.fresh_seed() if seed is None else seed,
        exam_games=options["exam_games"],
        positions=options["positions"],
        players=players,
        further=options["further"],
    )
    if options["resume"]:
        if not plan.checkpoint.exists():
            raise UserError(
                f"There is no checkpoint {plan.checkpoint} to resume from. Start without --resume."
            )
        if seed is None:
            with reporting(BadCheckpoint):
                plan = replace(plan, seed=seed_of(plan.checkpoint))
    else:
        check_place(out, replace=options["force"])
    return plan


def _executor(options: Options) -> executors.Executor:
    workers = options["workers"] if options["ray"] is None else os.cpu_count() or 1
    with reporting(executors.NoCluster):
        return executors.executor_for(workers, options["ray"])


def _run(session: Session, *, resume: bool) -> bool:
    """Train until the end or Ctrl-C; return whether the training is complete."""
    try:
        with _progress() as show:
            for status in session.run(resume=resume):
                show(status)
    except KeyboardInterrupt:
        with interrupts.held_interrupts():
            session.save()
        return False
    return True


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[Status], None]]:
    """Show a bar with the time left if standard error is a terminal, and every exam's result."""
    with progress_bar(TaskProgressColumn(), TimeRemainingColumn()) as bar:
        task = bar.add_task("Games for worms", total=1.0)

        def show(status: Status) -> None:
            fewest, most = status.seats
            players = f"{fewest} players" if fewest == most else f"{fewest}-{most} players"
            description = f"{players}: {status.positions:,} positions, loss {status.loss:.4f}"
            bar.update(task, completed=status.done, description=description)
            for each in status.points:
                bar.console.print(
                    f"{each.minutes:6.1f} min  {each.seats} players against {each.opponent}: "
                    f"{each.share:.1%} won ({each.low:.1%} to {each.high:.1%})"
                )

        yield show
