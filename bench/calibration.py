"""Calibration of the champion: of positions it gives 70%, 70 out of 100 should be won.

Run from the project's root: `python -m bench.calibration [--quick] [TABLE ...]`. The champion plays
itself in games it was not trained on; its forecasts of every player's chance at the start of every
turn are compared with the results. Writes its section of docs/strength.md and a picture.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.report import ROOT, table
from bench.strength_page import write
from heckmeck.arena.tournament import Fixture, GameResult, play_by
from heckmeck.dice import key_of
from heckmeck.rules import EDITIONS, AnyState, apply, new_game
from heckmeck.values.win import WinChance, win_chance

#: Training draws its games otherwise, so no seed of ours is one of its games.
SEED: Final = 7_102_005
BINS: Final = 10
PICTURE: Final = ROOT / "docs" / "images" / "calibration.svg"
TABLES: Final = tuple(f"{name}-{seats}" for name in EDITIONS for seats in (2, 4))

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """What was said and what came true, for every player at the start of every turn."""

    name: str
    games: int
    said: Floats
    won: Floats
    game: NDArray[np.int64]
    """Which game each belongs to: what is said in one game is not independent."""

    @property
    def bins(self) -> list[tuple[int, float, float, float]]:
        """For each tenth: how many, the mean said, the share won, and its standard error."""
        place = np.minimum((self.said * BINS).astype(int), BINS - 1)
        found = []
        for each in range(BINS):
            here = place == each
            if here.any():
                said, won = self.said[here].mean(), self.won[here].mean()
                found.append((int(here.sum()), float(said), float(won), self._error(here)))
        return found

    def _error(self, here: NDArray[np.bool_]) -> float:
        """Return the standard error of the share won, with whole games as what is independent."""
        off = (self.won[here] - self.won[here].mean()).astype(np.float64)
        by_game = np.bincount(self.game[here], weights=off)
        return float(np.sqrt(np.sum(by_game**2)) / here.sum())

    @property
    def gap(self) -> float:
        """The mean distance between said and won, tenth by tenth, weighed by how many."""
        return sum(count * abs(said - won) for count, said, won, _ in self.bins) / len(self.said)

    @property
    def brier(self) -> float:
        """The mean squared distance between what was said and what came: less is better."""
        return float(np.mean((self.said - self.won) ** 2))

    @property
    def brier_of_equal(self) -> float:
        """The same for a forecaster that always gives the overall share of wins."""
        return float(np.var(self.won))


def turn_starts(edition: str, game: GameResult) -> list[AnyState]:
    """Return the state at the start of each turn of a game."""
    state = new_game(edition, len(game.scores))
    starts = [state]
    for move in game.moves:
        before, (state, _) = state.seat, apply(state, move)
        if state.seat != before:
            starts.append(state)
    return starts


def calibrate(name: str, champion: WinChance, games: int) -> Calibrated:
    """Let the champion play itself and compare."""
    edition, _, players = name.partition("-")
    seats = int(players)
    # Not the arena's schedule: it plays each deal once a seat, and with one bot on all seats these
    # would be the same game over again.
    bots = ("champion",) * seats
    fixtures = [Fixture(number, bots, key_of(SEED, number)) for number in range(games)]
    said: list[Floats] = []
    won: list[Floats] = []
    number: list[NDArray[np.int64]] = []
    for game in play_by("bulk", edition, fixtures):
        starts = turn_starts(edition, game)
        shares = np.zeros(seats)
        shares[list(game.winners)] = 1 / len(game.winners)
        said.append(champion.chances(starts).ravel())
        won.append(np.tile(shares, len(starts)))
        number.append(np.full(seats * len(starts), game.fixture.number))
    return Calibrated(
        name, games, np.concatenate(said), np.concatenate(won), np.concatenate(number)
    )


ABOUT: Final = """## Calibration

Whether the champion's chances to win can be trusted: of the positions it gives 70%, about 70 out of
100 should be won. Written by `python -m bench.calibration`: the champion plays itself in games it
was not trained on, and forecasts every player's chance at the start of every turn. `gap` is the
mean difference between forecast and result, in tenths of the range; the Brier score is the mean
squared error, next to that of always forecasting the overall share of wins.
"""


def markdown(found: list[Calibrated]) -> str:
    """Return the section."""
    rows = [
        (
            *each.name.rsplit("-", 1),
            f"{each.games:,}",
            f"{len(each.said):,}",
            f"{each.gap:.2%}",
            f"{each.brier:.4f}",
            f"{each.brier_of_equal:.4f}",
        )
        for each in found
    ]
    header = ("edition", "players", "games", "forecasts", "gap", "Brier", "Brier of no forecast")
    tenths = [
        (each.name, f"{count:,}", f"{said:.1%}", f"{won:.1%} ± {1.96 * error:.1%}")
        for each in found
        for count, said, won, error in each.bins
    ]
    parts = [
        ABOUT.strip(),
        table(header, rows),
        "![Reliability](images/calibration.svg)",
        table(("table", "forecasts", "forecast", "won"), tenths),
    ]
    return "\n\n".join(parts)


def draw(found: list[Calibrated]) -> None:
    """Draw results over forecasts: a perfect forecaster is on the diagonal."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 6), layout="constrained")
    axes = figure.add_subplot(title="Said and won", xlabel="said, %", ylabel="won, %")
    axes.plot([0, 100], [0, 100], color="grey", linestyle=":")
    for each in found:
        said = [100 * bin_[1] for bin_ in each.bins]
        won = [100 * bin_[2] for bin_ in each.bins]
        bars = [196 * bin_[3] for bin_ in each.bins]
        axes.errorbar(said, won, yerr=bars, marker="o", markersize=3, label=each.name, capsize=2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    with rc_context({"svg.hashsalt": "calibration"}):
        figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    """Compare at all tables, and write or print the section."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "tables", nargs="*", metavar="TABLE", help="such as classic-2; default: all"
    )
    parser.add_argument("--games", type=int, default=2_000, help="number of games at each table")
    parser.add_argument("--quick", action="store_true", help="40 games each, print only")
    options = parser.parse_args()
    found = []
    for name in options.tables or TABLES:
        champion = win_chance(name.partition("-")[0])
        if champion is None:
            print(f"{name}: no champion has been trained", file=sys.stderr)
            continue
        found.append(calibrate(name, champion, 40 if options.quick else options.games))
        print(f"{name}: gap {found[-1].gap:.2%}", file=sys.stderr)
    if not found:
        raise SystemExit("There is nothing to calibrate: see `heckmeck train --help`.")
    section = markdown(found)
    print(section)
    if not options.quick:
        draw(found)
        write("calibration", section)


if __name__ == "__main__":
    main()
