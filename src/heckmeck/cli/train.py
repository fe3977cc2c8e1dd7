"""`heckmeck train`."""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

import click
from rich.progress import TaskProgressColumn, TimeRemainingColumn

from heckmeck.arena.executors import Executor, Inline, Processes, WorkersDied
from heckmeck.arena.interrupts import held_interrupts
from heckmeck.bots.champion.network import BadWeights
from heckmeck.cli.errors import UserError
from heckmeck.cli.files import check_place
from heckmeck.cli.pictures import can_draw, say_if_none
from heckmeck.cli.printing import print_line
from heckmeck.cli.progress import progress_bar
from heckmeck.dice_source import fresh_seed
from heckmeck.rules import EDITIONS
from heckmeck.training.checkpoint import BadCheckpoint, seed_of
from heckmeck.training.curve import Point
from heckmeck.training.session import Plan, Session, Status

INTERRUPTED = 130  # as a shell reports a program ended by Ctrl-C


class Options(TypedDict):
    """The options as they were typed."""

    edition: str
    out: Path
    minutes: float
    positions: int | None
    seed: int | None
    workers: int
    ray: str | None
    exam_games: int
    resume: bool
    force: bool


@click.command()
@click.option(
    "--edition",
    type=click.Choice(list(EDITIONS)),
    default="classic",
    show_default=True,
    help="The game to learn.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE.npz",
    help="Where to put the weights; checkpoint and learning curve go beside them.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="MINUTES",
    help="How long to train; exams are not counted.",
)
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many positions to learn from, instead of --minutes: with the same --seed, one worker "
    "and the same versions of heckmeck and NumPy the same weights on every x86-64 processor.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    help="A number, by default one by chance; with --resume it must be that of the training.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that play; this one learns.",
)
@click.option(
    "--ray",
    metavar="auto|local|ADDRESS",
    help="Play on a Ray cluster: the one found, one started here, or the one at an address.",
)
@click.option(
    "--exam-games",
    type=click.IntRange(min=1),
    default=400,
    show_default=True,
    metavar="N",
    help="Games against fox and chick for each point of the learning curve.",
)
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@click.option("--force", is_flag=True, help="Overwrite a file of weights that is there.")
def train(**options: Unpack[Options]) -> int:
    """Train a champion's networks by self-play: one for two players, one for more.

    The network learns from exactly solved turns of games against itself, after a start with the
    games of players for worms. Ctrl-C keeps a checkpoint; the same command with --resume goes on
    from there.

    \b
    Examples:
      $ heckmeck train --edition junior --minutes 60 --out junior.npz
    """
    plan = _plan(options)
    with contextlib.closing(_executor(options)) as executor:
        session = Session(plan, executor)
        try:
            finished = _run(session, resume=options["resume"])
        except (BadCheckpoint, BadWeights, WorkersDied) as error:
            raise UserError(str(error)) from error
        except OSError as error:
            raise UserError(f"{error.filename or plan.out}: {error.strerror}") from error
    if not finished:
        goes_on = f"The same command with --resume goes on ({plan.checkpoint})."
        nothing = "Nothing was learned yet."
        print_line(f"Stopped. {goes_on if plan.checkpoint.exists() else nothing}", err=True)
        return INTERRUPTED
    say_if_none("The learning curve is")
    if can_draw():
        session.draw()
    print_line(f"Weights: {plan.out}. Learning curve: {plan.curve}.")
    return 0


def _plan(options: Options) -> Plan:
    out, seed = options["out"], options["seed"]
    if out.suffix != ".npz":
        raise click.UsageError(f"--out must end in .npz, not {out.name}.")
    plan = Plan(
        options["edition"],
        options["minutes"],
        out,
        seed=fresh_seed() if seed is None else seed,
        exam_games=options["exam_games"],
        positions=options["positions"],
    )
    if options["resume"]:
        if not plan.checkpoint.exists():
            raise UserError(f"There is no {plan.checkpoint} to go on from.")
        if seed is None:
            plan = _with_seed_of_checkpoint(plan)
    else:
        check_place(out, replace=options["force"])
    return plan


def _with_seed_of_checkpoint(plan: Plan) -> Plan:
    try:
        return replace(plan, seed=seed_of(plan.checkpoint))
    except BadCheckpoint as error:
        raise UserError(str(error)) from error


def _executor(options: Options) -> Executor:
    if options["ray"] is not None:
        from heckmeck.arena.ray_executor import NoCluster, OnRay

        try:
            return OnRay(options["ray"], os.cpu_count() or 1)
        except NoCluster as error:
            raise UserError(str(error)) from error
    return Inline() if options["workers"] == 1 else Processes(options["workers"])


def _run(session: Session, *, resume: bool) -> bool:
    """Train until the end, or until Ctrl-C; return whether it is the end."""
    try:
        with _progress() as show:
            for status in session.run(resume=resume):
                show(status)
    except KeyboardInterrupt:
        with held_interrupts():
            session.save()
        return False
    return True


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[Status], None]]:
    """Show a bar with the time left if standard error is a terminal, and every exam's marks."""
    with progress_bar(TaskProgressColumn(), TimeRemainingColumn()) as bar:
        task = bar.add_task("Games for worms", total=1.0)

        def show(status: Status) -> None:
            fewest, most = status.seats
            players = f"{fewest} players" if fewest == most else f"{fewest}-{most} players"
            told = f"{players}: {status.positions:,} positions, off by {status.loss:.4f}"
            bar.update(task, completed=status.done, description=told)
            for each in status.points:
                bar.console.print(_mark(each))

        yield show


def _mark(each: Point) -> str:
    return (
        f"{each.minutes:6.1f} min  {each.seats} players against {each.opponent}: "
        f"{100 * each.share:.1f} % won ({100 * each.low:.1f} to {100 * each.high:.1f} %)"
    )
