"""Games in bulk: random play through the public step, and whole games counted in naive solves.

Run from the project's root: `python -m bench.bulk [--json | --write]`. Everything is measured in
one run, as CPU time of this process, the best of several runs; the machine may be busy with other
things. OpenSpiel's pig is played too if OpenSpiel is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from unittest.mock import patch

import numpy as np

from bench import peers
from bench.report import facts, table, write_section
from bench.solver_kernel import CLASSIC, list_outcomes, naive_times
from heckmeck import bulk
from heckmeck.arena.tournament import Tournament, play_by
from heckmeck.bots import in_bulk
from heckmeck.bulk.machine import Batch, Box
from heckmeck.bulk.rows import Ints
from heckmeck.bulk.turns import AT_ONCE, Steps, solve_some
from heckmeck.rules import EDITIONS
from heckmeck.solver.compiling import compiled
from heckmeck.solver.solution import EndValues

SEED = 2005
#: Games side by side, and decisions between two looks at the clock.
GAMES, STEPS = 4096, 10
#: The games of a batch of bots.
BATCH = 1024
BOTS = ("fox", "champion")


@dataclass(frozen=True, slots=True)
class Random:
    """Random legal play, two players: decisions per second, masks included."""

    edition: str
    decisions: float
    with_observations: float


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole games of a bot against itself."""

    edition: str
    bot: str
    microseconds: float
    naive_solves: float
    solver: float
    """The share of the time that the solver's kernel takes, for the same turns alone."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything that was measured; pig is in moves per second, if it could be played."""

    naive_microseconds: float
    pig: float | None
    random: list[Random]
    whole: list[Whole]
    games: int
    """Whole games side by side."""
    load: float
    """The load of the machine, at the end."""


def best_rate(work: Callable[[], object], count: int, seconds: float) -> float:
    """Return the highest number of things done per second of CPU time."""
    work()
    best, end = 0.0, time.process_time() + seconds
    while time.process_time() < end:
        start = time.process_time()
        work()
        best = max(best, count / (time.process_time() - start))
    return best


def random_play(edition: str, seconds: float) -> Random:
    """Play legal moves at random."""
    games = bulk.new_games(edition, 2, GAMES, seed=SEED, autoreset="same_step")
    key = np.array([SEED], np.uint64)

    def step() -> None:
        for _ in range(STEPS):
            games.step(games.random_actions(key))

    def step_and_see() -> None:
        for _ in range(STEPS):
            games.step(games.random_actions(key))
            games.observations()

    count = GAMES * STEPS
    return Random(edition, best_rate(step, count, seconds), best_rate(step_and_see, count, seconds))


def whole_games(edition: str, bot: str, naive: float, seconds: float, games: int) -> Whole:
    """Play whole games in bulk, this many side by side."""
    tournament = Tournament(edition, (bot, bot), 2, games, SEED)

    def play() -> None:
        for _ in play_by("bulk", edition, tournament.fixtures(0, games)):
            pass

    microseconds = 1e6 / best_rate(play, games, seconds)
    return Whole(edition, bot, microseconds, microseconds / naive, solver_share(play))


def solver_share(play: Callable[[], None]) -> float:
    """Return the share of the solver's kernel: each batch of turns is first solved, then played."""
    solving, play_solved = 0.0, in_bulk._play_solved  # noqa: SLF001 (there is no other way in)

    def timed(box: Box, b: Batch, s: Steps, f: Ints, copies: int, e: EndValues, n: Ints) -> None:
        nonlocal solving
        began = time.process_time()
        solve_all(s, copies, e)
        solving += time.process_time() - began
        play_solved(box, b, s, f, copies, e, n)

    with patch.object(in_bulk, "_play_solved", timed):
        play()
        solving, began = 0.0, time.process_time()
        play()
        whole = time.process_time() - began
    return solving / (whole - solving)


@compiled
def solve_all(s: Steps, copies: int, ends: EndValues) -> None:
    """Solve turns, as they are solved to be played."""
    for first in range(0, len(ends.fail), AT_ONCE):
        solve_some(s, copies, ends, first, min(first + AT_ONCE, len(ends.fail)))


def run(seconds: float, games: int) -> Figures:
    """Measure everything."""
    naive = naive_times(list_outcomes(CLASSIC), seconds)[0].microseconds
    pig = peers.pig(seconds).per_second if find_spec("pyspiel") else None
    return Figures(
        naive,
        pig,
        [random_play(edition, seconds) for edition in EDITIONS],
        [whole_games(edition, bot, naive, seconds, games) for bot in BOTS for edition in EDITIONS],
        games,
        os.getloadavg()[0],
    )


ABOUT = """## Games in bulk

Random legal play through the public `step` of [`heckmeck.bulk`](bulk.md), 4,096 games of two
players at once, masks included; and whole games of bots on the compiled engine of the arena,
{games} at once, counted in solves of one classic turn by the naive kernel of the same run. *Solver*
is the share of their time that the solver's kernel takes for the same turns. One core. Written by
`python -m bench.bulk --write`.
"""


def markdown(figures: Figures) -> str:
    """Return the section for docs/benchmarks.md."""
    random = [
        (each.edition, f"{each.decisions / 1e6:.2f}", f"{each.with_observations / 1e6:.2f}")
        for each in figures.random
    ]
    whole = [
        (
            each.edition,
            each.bot,
            f"{each.microseconds:,.0f}",
            f"{each.naive_solves:.1f}",
            f"{100 * each.solver:.0f}%",
        )
        for each in figures.whole
    ]
    pig = (
        "OpenSpiel was not installed."
        if figures.pig is None
        else f"OpenSpiel's pig, C++ driven from Python: {figures.pig / 1e6:.2f} million moves/s; "
        f"classic is {figures.random[0].decisions / figures.pig:.1f} times as fast."
    )
    return "\n".join(
        (
            ABOUT.format(games=figures.games),
            table(("random play", "million decisions/s", "with float32 observations"), random),
            "",
            pig,
            "",
            table(
                ("whole games", "bot against itself", "µs per game", "naive solves", "solver"),
                whole,
            ),
            "",
            f"A naive solve took {figures.naive_microseconds:.0f} µs.",
            f"The load of the machine was {figures.load:.0f}.",
        )
    )


def main() -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds for each figure")
    parser.add_argument("--games", type=int, default=BATCH, help="whole games side by side")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print JSON")
    output.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    figures = run(options.seconds, options.games)
    if options.json:
        print(json.dumps(asdict(figures), indent=2))
        return
    section = markdown(figures)
    print(section)
    if options.write:
        write_section("bulk", section, facts(("heckmeck", "numba", "numpy", "open_spiel")))


if __name__ == "__main__":
    main()
