"""Whether shares without luck are those with it, and how many games they save.

Run from the project's root: `python -m bench.adjusted [--quick] [--workers N]`. Three pairs of bots
play tournaments; each share of wins is compared with the luck-adjusted one of the same games.
Writes its section of docs/strength.md.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Final

from bench.pairs import executor_of
from bench.report import table
from bench.strength_page import write
from heckmeck.arena.chunks import Collector, cut
from heckmeck.arena.estimates import Z95
from heckmeck.arena.standings import Standings
from heckmeck.arena.tournament import Tournament
from heckmeck.executors import Executor

SEED: Final = 20
#: Games of a run that only shows that all of this works.
QUICK: Final = 64


@dataclass(frozen=True, slots=True)
class Trial:
    """A pair of bots at a table for two, and the saving that was found in a first, rough trial."""

    edition: str
    one: str
    other: str
    games: int
    goal: float


TRIALS: Final = (
    Trial("classic", "champion", "fox", 100_000, 38.0),
    Trial("deluxe", "champion", "fox", 10_000, 8.7),
    Trial("junior", "rooster", "chick", 20_000, 7.8),
)


@dataclass(frozen=True, slots=True)
class Compared:
    """The share of wins of ``trial.one`` with luck and without, and their standard errors."""

    trial: Trial
    raw: float
    raw_error: float
    adjusted: float
    error: float
    ratio: float

    @property
    def agrees(self) -> bool:
        """Whether the difference is within the 95% error of the share with luck.

        The adjusted share is far more precise, so the other's error is that of the difference.
        """
        return abs(self.raw - self.adjusted) <= Z95 * self.raw_error

    @property
    def row(self) -> tuple[str, ...]:
        """The comparison as a row of the table."""
        trial = self.trial
        return (
            trial.edition,
            f"{trial.one} against {trial.other}",
            f"{trial.games:,}",
            f"{100 * self.raw:.2f} ± {100 * Z95 * self.raw_error:.2f}",
            f"{100 * self.adjusted:.2f} ± {100 * Z95 * self.error:.2f}",
            "yes" if self.agrees else "NO",
            f"{self.ratio:.1f}",
            f"{trial.goal}",
        )


def compare(trial: Trial, executor: Executor) -> Compared:
    """Play a trial's games and compare the shares."""
    bots = (trial.one, trial.other)
    tournament = Tournament(trial.edition, bots, 2, trial.games, SEED)
    collector = Collector()
    chunks = cut(tournament, executor.workers, largest=collector.pace, adjusted=True)
    for result in executor.run(chunks):
        collector.take(result)
        done = collector.tally.games
        print(f"\r{trial.edition}: {done:,} of {trial.games:,} games", end="", file=sys.stderr)
    print(file=sys.stderr)
    standings = Standings(tournament, collector.tally, 0.0)
    (one,) = (bot for bot in standings.bots if bot.name == trial.one)
    adjusted, raw_error = one.adjusted, one.paired_error
    assert adjusted is not None, "there are at least two deals"
    assert raw_error is not None, "there are at least two deals"
    assert adjusted.variance_ratio is not None, "the bots do not always play alike"
    share = one.won.share
    return Compared(
        trial, share, raw_error, adjusted.share, adjusted.error, adjusted.variance_ratio
    )


def section(found: list[Compared]) -> str:
    """Return the section of docs/strength.md."""
    header = (
        "edition",
        "bots",
        "games",
        "share of the first",
        "luck-adjusted",
        "agree",
        "fewer games",
        "goal",
    )
    return f"""## Shares without luck

The share of games that the first bot of a pair wins at tables for two, in percent, with its 95%
error, and the luck-adjusted share of the same games. Both estimate the same, so they must agree
within the error of the first. The last columns say how many times as many games the share with luck
needs for the same error, games with the same dice being one observation, and how many times that
was in a first trial. Written by `python -m bench.adjusted`.

{table(header, [each.row for each in found])}"""


def main() -> None:
    """Run the trials, print the section and write it; Ctrl-C leaves out trials not yet finished."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few games; write nothing")
    parser.add_argument("--workers", type=int, help="processes (default: one per core)")
    options = parser.parse_args()
    trials = [replace(each, games=QUICK) for each in TRIALS] if options.quick else TRIALS
    found: list[Compared] = []
    with closing(executor_of(options.workers)) as executor, suppress(KeyboardInterrupt):
        found.extend(compare(each, executor) for each in trials)
    print(section(found))
    if found and not options.quick:
        write("adjusted", section(found))


if __name__ == "__main__":
    main()
