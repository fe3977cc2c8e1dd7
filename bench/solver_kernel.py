"""The turn solver next to a naive kernel that does the same in the obvious way.

Run from the project's root: `python -m bench.solver_kernel [--json | --write]`.

The naive kernel goes through the 34,389 rolls of a classic turn, and for each roll through the
faces that can be kept. It is also compiled by Numba, solves one position or a batch (the position
is the innermost loop), and must find the same values. Times are CPU time per position, the best
of many runs, Python's share included; the machine may be busy with other things.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import partial
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.report import facts, table, write_section
from heckmeck.rules import AnyGame, game
from heckmeck.solver.compiling import compiled
from heckmeck.solver.solution import EndValues, Solution, best, solve_batch
from heckmeck.solver.tables import totals_of

CLASSIC, DELUXE, BARBECUE, JUNIOR = map(game, ("classic", "deluxe", "barbecue", "junior"))


class Turn(NamedTuple):
    """A kind of turn to solve."""

    name: str
    game: AnyGame
    layers: int = 1
    weasel: bool = False
    golden: bool = False


NAIVE = "classic, naive"
TURNS = (
    Turn("classic", CLASSIC),
    Turn("barbecue", BARBECUE),
    Turn("junior", JUNIOR),
    Turn("deluxe (Bratworm for a double 1)", DELUXE, 2),
    Turn("deluxe with the weasel", DELUXE, 2, weasel=True),
    Turn("deluxe with the golden die", DELUXE, 2, golden=True),
)
BATCHES = (16, 64)
SEED = 2005
COLD_START = """
import time
import numpy as np
from bench.solver_kernel import CLASSIC, positions, solve
from heckmeck.solver.solution import best
start = time.perf_counter()
solution = solve(CLASSIC, positions(CLASSIC, 1))
solved = time.perf_counter()
solution.endings(best(solution.choices(solution.start)))
print(solved - start, time.perf_counter() - solved)
"""


def positions(rules: AnyGame, count: int, layers: int = 1) -> EndValues:
    """Values of the ends at some positions: random, better for higher totals."""
    rng = np.random.default_rng(SEED)
    totals = totals_of(rules)
    stop = rng.random((count, layers, 2, totals)) + np.arange(totals) / 10
    stop[..., 0, :] = -1.0
    return EndValues.of(stop, np.full((count, layers), -1.0))


def solve(
    rules: AnyGame, ends: EndValues, *, weasel: bool = False, golden: bool = False
) -> Solution:
    """Solve one position."""
    (solution,) = solve_batch(rules, ends, weasel=weasel, golden=golden)
    return solution


# ------------------------------------------------------------------------------ the naive kernel


class Outcomes(NamedTuple):
    """Every state of a classic turn, every roll in it, every keep after that, in three lists."""

    worm: NDArray[np.int64]
    total: NDArray[np.int64]
    dice: NDArray[np.int64]
    first_throw: NDArray[np.int64]
    chance: NDArray[np.float64]
    first_keep: NDArray[np.int64]
    state_after: NDArray[np.int64]


def list_outcomes(rules: AnyGame) -> Outcomes:
    """List the states, those with fewest dice first, and what can happen in each."""
    states = sorted(_states(rules), key=lambda state: (state[1], state))
    number = {state: i for i, state in enumerate(states)}
    first_throw, first_keep, chances, state_after = [0], [0], [], []
    for kept, dice, total in states:
        for shown, ways in _throws(rules, kept, dice).items():
            for face in sorted(set(shown) - {-1}):
                count = shown.count(face)
                after = (kept | 1 << face, dice - count, total + count * rules.dice.points[face])
                state_after.append(number[after])
            first_keep.append(len(state_after))
            chances.append(ways / len(rules.dice.faces) ** dice)
        first_throw.append(len(chances))
    return Outcomes(
        np.array([kept >> rules.dice.faces.index(rules.dice.worm) & 1 for kept, _, _ in states]),
        np.array([total for _, _, total in states]),
        np.array([dice for _, dice, _ in states]),
        np.array(first_throw),
        np.array(chances),
        np.array(first_keep),
        np.array(state_after),
    )


def _states(rules: AnyGame) -> set[tuple[int, int, int]]:
    """All (kept faces, dice in hand, total)."""
    found = {(0, rules.dice.count, 0)}
    ahead = list(found)
    while ahead:
        kept, dice, total = ahead.pop()
        for face, points in enumerate(rules.dice.points):
            for count in range(1, dice + 1):
                after = (kept | 1 << face, dice - count, total + count * points)
                if not kept >> face & 1 and after not in found:
                    found.add(after)
                    ahead.append(after)
    return found


def _throws(rules: AnyGame, kept: int, dice: int) -> Counter[tuple[int, ...]]:
    """All rolls and their weights; kept faces are merged as -1. None when nothing is open."""
    faces = range(len(rules.dice.faces))
    ways: Counter[tuple[int, ...]] = Counter()
    if dice and kept != (1 << len(faces)) - 1:
        for dice_shown in combinations_with_replacement(faces, dice):
            repeats = prod(factorial(dice_shown.count(face)) for face in faces)
            lumped = tuple(sorted(-1 if kept >> face & 1 else face for face in dice_shown))
            ways[lumped] += factorial(dice) // repeats
    return ways


@compiled
def naive_single(o: Outcomes, stop: NDArray[np.float64], fail: float) -> float:
    """Solve one position; return the worth of the turn."""
    worth = np.empty(len(o.total))
    for state in range(len(o.total)):
        roll = 0.0
        for throw in range(o.first_throw[state], o.first_throw[state + 1]):
            if o.first_keep[throw] == o.first_keep[throw + 1]:
                top = fail
            else:
                top = -np.inf
                for keep in range(o.first_keep[throw], o.first_keep[throw + 1]):
                    top = max(top, worth[o.state_after[keep]])
            roll += o.chance[throw] * top
        if o.dice[state] > 0 and o.first_throw[state] == o.first_throw[state + 1]:
            roll = fail
        ended = stop[o.worm[state], o.total[state]]
        worth[state] = ended if o.dice[state] == 0 else max(ended, roll)
        last = roll
    return last


@compiled
def naive_batch(
    o: Outcomes, stop: NDArray[np.float64], fail: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Solve many positions, `stop` [worm, total, position]; return the values of their turns."""
    batch = len(fail)
    worth = np.empty((len(o.total), batch))
    roll = np.empty(batch)
    top = np.empty(batch)
    for state in range(len(o.total)):
        roll[:] = 0.0
        for throw in range(o.first_throw[state], o.first_throw[state + 1]):
            if o.first_keep[throw] == o.first_keep[throw + 1]:
                top[:] = fail
            else:
                top[:] = -np.inf
                for keep in range(o.first_keep[throw], o.first_keep[throw + 1]):
                    after = o.state_after[keep]
                    for i in range(batch):
                        top[i] = max(top[i], worth[after, i])
            for i in range(batch):
                roll[i] += o.chance[throw] * top[i]
        if o.dice[state] > 0 and o.first_throw[state] == o.first_throw[state + 1]:
            roll[:] = fail
        for i in range(batch):
            ended = stop[o.worm[state], o.total[state], i]
            worth[state, i] = ended if o.dice[state] == 0 else max(ended, roll[i])
    return roll


# ------------------------------------------------------------------------------ measuring


@dataclass(frozen=True, slots=True)
class Time:
    """How long a solve takes."""

    name: str
    batch: int
    microseconds: float
    """CPU time per position."""


def measure(name: str, batch: int, run: Callable[[], object], seconds: float) -> Time:
    """Run for some seconds of CPU time and return the best run."""
    run()
    fastest = float("inf")
    end = time.process_time() + seconds
    while time.process_time() < end:
        start = time.process_time_ns()
        run()
        fastest = min(fastest, time.process_time_ns() - start)
    return Time(name, batch, fastest / batch / 1000)


def check_agreement(outcomes: Outcomes) -> None:
    """Raise if the two kernels find different values."""
    values = positions(CLASSIC, BATCHES[0])
    ours = [solution.value for solution in solve_batch(CLASSIC, values)]
    together = naive_batch(outcomes, *_innermost(values))
    alone = [
        naive_single(outcomes, stop[0], fail[0])
        for stop, fail in zip(values.stop, values.fail, strict=True)
    ]
    if not (np.allclose(together, ours, atol=1e-11) and np.allclose(alone, ours, atol=1e-11)):
        raise RuntimeError("The naive kernel and the solver disagree.")


def _innermost(values: EndValues) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values of stopping and failing with the position as the innermost axis."""
    stop = np.moveaxis(values.stop[:, 0], 0, -1)
    return np.ascontiguousarray(stop), np.ascontiguousarray(values.fail[:, 0])


def naive_times(outcomes: Outcomes, seconds: float) -> list[Time]:
    """Time the naive kernel."""
    one = positions(CLASSIC, 1)
    single = partial(naive_single, outcomes, one.stop[0, 0], one.fail[0, 0])
    times = [measure(NAIVE, 1, single, seconds)]
    for batch in BATCHES:
        many = partial(naive_batch, outcomes, *_innermost(positions(CLASSIC, batch)))
        times.append(measure(NAIVE, batch, many, seconds))
    return times


def our_times(turn: Turn, seconds: float) -> list[Time]:
    """Time the solver on one kind of turn."""
    name, rules, layers, weasel, golden = turn
    one = positions(rules, 1, layers)
    single = partial(solve, rules, one, weasel=weasel, golden=golden)
    times = [measure(name, 1, single, seconds)]
    for batch in BATCHES:
        values = positions(rules, batch, layers)
        many = partial(solve_batch, rules, values, weasel=weasel, golden=golden)
        times.append(measure(name, batch, many, seconds))
    return times


def endings_time(seconds: float) -> Time:
    """Time the chances of all ends of a turn."""
    solution = solve(CLASSIC, positions(CLASSIC, 1))
    roll = best(solution.choices(solution.start))
    return measure("classic, chances of all ends", 1, lambda: solution.endings(roll), seconds)


def cold_start() -> tuple[float, float]:
    """The first solve and the first endings in a process without anything compiled, in seconds."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-c", COLD_START],
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
            check=True,
            capture_output=True,
            text=True,
        )
    solved, ended = map(float, done.stdout.split())
    return solved, ended


def run(seconds: float) -> list[Time]:
    """Time everything."""
    outcomes = list_outcomes(CLASSIC)
    check_agreement(outcomes)
    ours = [row for turn in TURNS for row in our_times(turn, seconds)]
    return [*naive_times(outcomes, seconds), *ours, endings_time(seconds)]


ABOUT = """## Solving a turn

The time to compute the exact value of every choice of a whole turn, next to a naive kernel that
goes through the 34,389 rolls of a classic turn one by one, also compiled by Numba, in the same run.
CPU time on one core, the best of many runs. Written by `python -m bench.solver_kernel --write`.
"""


def markdown(times: Sequence[Time], cold: tuple[float, float]) -> str:
    """Return the section for docs/benchmarks.md."""
    naive = {row.batch: row.microseconds for row in times if row.name == NAIVE}
    rows = []
    for name, batch, microseconds in map(astuple, times):
        factor = f"{naive[batch] / microseconds:.1f}" if name in (NAIVE, "classic") else ""
        rows.append((name, str(batch), f"{microseconds:.1f}", factor))
    header = ("turn", "positions at once", "µs per position", "times as fast as naive")
    first_time = (
        f"Compiling took {cold[0]:.1f} s for solving and {cold[1]:.1f} s for the chances of the "
        "ends; after that, the code is loaded from disk."
    )
    return "\n".join((ABOUT, table(header, rows), "", first_time))


def main() -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds for each row")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print JSON")
    output.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    times = run(options.seconds)
    cold = cold_start()
    if options.json:
        compile_seconds = {"solve": cold[0], "endings": cold[1]}
        report = {"times": [asdict(row) for row in times], "compile_seconds": compile_seconds}
        print(json.dumps(report, indent=2))
        return
    section = markdown(times, cold)
    print(section)
    if options.write:
        write_section("solver", section, facts(("numba", "numpy")))


if __name__ == "__main__":
    main()
