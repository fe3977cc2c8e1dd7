"""The learning curve of a training, as a table and as a picture."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import IO

from heckmeck.training.exam import Mark


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
        _write(points, file)


def _write(points: Sequence[Point], file: IO[str]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([field.name for field in fields(Point)])
    writer.writerows(astuple(each) for each in points)


def read_points(path: Path) -> list[Point]:
    """Read a curve written by `write_points`; a missing file is an empty curve."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Point(
                float(row["minutes"]),
                int(row["positions"]),
                float(row["loss"]),
                row["opponent"],
                int(row["seats"]),
                int(row["games"]),
                float(row["share"]),
                float(row["low"]),
                float(row["high"]),
            )
            for row in csv.DictReader(file)
        ]


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
