"""Exams: games against a bot of the registry; their results are the learning curve."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Final

import msgspec

from heckmeck.arena.estimates import wilson
from heckmeck.arena.tournament import Tournament, play
from heckmeck.bots import Player, player
from heckmeck.bots.exact import Exact
from heckmeck.values.network import Network
from heckmeck.values.win import WinChance

LEARNER: Final = "learner"


@dataclass(frozen=True, slots=True)
class Mark:
    """The result of a network against a bot."""

    opponent: str
    seats: int
    games: int
    share: float
    """The share of wins; an equal share is one divided by the number of seats."""
    low: float
    high: float
    """The 95% confidence interval of the share."""


@dataclass(frozen=True, slots=True, eq=False)
class Exam:
    """A network in one seat, the same bot in all others; the network takes all seats in turn."""

    network: Network
    opponent: str
    seats: int
    games: int
    seed: int

    def __str__(self) -> str:
        return f"an exam against {self.opponent}"

    def run(self) -> Mark:
        """Play the games."""
        learner = Exact(WinChance([self.network]))
        bots = (LEARNER, *[self.opponent] * (self.seats - 1))
        exam = Tournament(self.network.edition, bots, self.seats, self.games, self.seed)
        wins = 0.0

        def find(name: str) -> Player:
            return learner if name == LEARNER else player(name)

        for game in play(exam.edition, exam.fixtures(0, exam.games), find):
            won = game.fixture.bots.index(LEARNER) in game.winners
            wins += won / len(game.winners)
        return Mark(
            self.opponent, self.seats, self.games, wins / self.games, *wilson(wins, self.games)
        )


# ------------------------------------------------------------------------------ the curve


@dataclass(frozen=True, slots=True)
class Point:
    """One exam result: when it was taken, and against whom."""

    minutes: float
    positions: int
    loss: float
    opponent: str
    seats: int
    games: int
    share: float
    low: float
    high: float


def point(minutes: float, positions: int, loss: float, mark: Mark) -> Point:
    """Return the point of an exam result."""
    return Point(round(minutes, 2), positions, round(loss, 6), *astuple(mark))


def write_points(points: Sequence[Point], path: Path) -> None:
    """Write the curve as CSV with a header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([field.name for field in fields(Point)])
        writer.writerows(map(astuple, points))


def read_points(path: Path) -> list[Point]:
    """Read a curve written by `write_points`; a missing file is an empty curve."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [msgspec.convert(row, Point, strict=False) for row in csv.DictReader(file)]


def draw(points: Sequence[Point], title: str, path: Path) -> None:
    """Draw the curve; needs the extra ``heckmeck[plots]``."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.add_subplot(title=title)
    for opponent, seats in dict.fromkeys((each.opponent, each.seats) for each in points):
        own = [each for each in points if (each.opponent, each.seats) == (opponent, seats)]
        # An equal share is drawn as 1 for any number of players.
        shares = [each.share * seats for each in own]
        # The interval is rounded: a share of 0 or 1 may be slightly outside.
        errors = [
            [max(each.share - each.low, 0.0) * seats for each in own],
            [max(each.high - each.share, 0.0) * seats for each in own],
        ]
        minutes = [each.minutes for each in own]
        label = f"{opponent}, {seats} players"
        axes.errorbar(minutes, shares, yerr=errors, marker="o", capsize=3, label=label, lw=1)
    axes.axhline(1.0, color="grey", linestyle=":")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("minutes of training")
    axes.set_ylabel("wins, in equal shares (dotted: as good as the others)")
    if points:
        figure.legend(frameon=False, loc="outside right upper")
    figure.savefig(path)
