"""The champion's method of learning against perfect play, on small boards.

Run from the project's root: `python -m bench.small_boards [--quick]`. A small board of classic for
two is solved exactly (`heckmeck solve`), the learned method is trained on that board from scratch,
and the two are compared exactly, without rolling dice. Writes its section of docs/strength.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from typing import Final

import numpy as np

from bench.report import table
from bench.strength_page import write
from heckmeck.bulk.rows import row_rules
from heckmeck.solver.kernel import Floats
from heckmeck.solver.small_boards import (
    Board,
    SolvedBoard,
    duel,
    habits_of,
    lay_out,
    solve_board,
    visits,
)
from heckmeck.training.trainer import Settings, Trainer
from heckmeck.values.network import Network
from heckmeck.values.win import NetworkChances
from heckmeck.values.worms import WORMS

BOARDS: Final = ((21, 22, 23, 24, 25), (21, 22, 23, 24, 25, 26), (21, 24, 27, 30, 33))
HIDDEN: Final = (64, 32)
SEED: Final = 5


@dataclass(frozen=True, slots=True)
class Compared:
    """The result for a board; errors and losses are chances to win, from 0 to 1."""

    tiles: tuple[int, ...]
    positions: int
    first_player: float
    solving: float
    """Seconds."""
    training: float
    """Seconds."""
    error: float
    """The mean over the positions of perfect games, weighted by how often they occur."""
    error_of_all: float
    """The mean over all positions."""
    loss: float
    """What the learned method loses against perfect play, going first as often as second."""
    fox_loss: float


def train(board: Board, minutes: float) -> Network:
    """Train on a board from scratch, with the champion's own method."""
    # A small board needs few tables but full coverage: more exploration, a smaller memory.
    settings = Settings(
        "classic",
        (2, 2),
        HIDDEN,
        SEED,
        start=board.positions[0],
        tables=256,
        steps=16,
        room=20_000,
        explore=0.1,
        first_rate=4e-3,
        last_rate=5e-5,
        warm_turns=60,
        warm_steps=400,
    )
    trainer = Trainer(settings)
    trainer.warm_up()
    began, seconds = time.monotonic(), 60 * minutes
    while (elapsed := time.monotonic() - began) < seconds:
        trainer.step(elapsed / seconds)
    return trainer.learner.network


def learned_chances(board: Board, network: Network) -> Floats:
    """Return the network's chance to win of the player to move, for each position."""
    rules = row_rules("classic")
    rows = np.concatenate([rules.row(position, 0).reshape(1, -1) for position in board.positions])
    return NetworkChances(network).of(rules, rows, 2)[:, 0].astype(np.float64)


def compare(tiles: tuple[int, ...], minutes: float) -> Compared:
    """Solve, train and compare."""
    board = lay_out(tiles)
    began = time.perf_counter()
    exact = solve_board(board)
    solving = time.perf_counter() - began
    began = time.perf_counter()
    learned = learned_chances(board, train(board, minutes))
    training = time.perf_counter() - began
    perfect = habits_of(board, exact)
    seen = visits(board, perfect, perfect)
    wrong = np.abs(learned - exact.chance)
    # Plays by the learned chances as perfect play does by the exact ones.
    believer = habits_of(board, SolvedBoard(board, learned, learned))
    return Compared(
        tiles,
        len(board.positions),
        float(exact.chance[0]),
        solving,
        training,
        float(np.average(wrong, weights=seen)),
        float(wrong.mean()),
        0.5 - duel(board, believer, perfect).share,
        0.5 - duel(board, habits_of(board, WORMS), perfect).share,
    )


ABOUT: Final = """## Against perfect play on small boards

Trained on a board small enough to be solved exactly, the champion's method loses almost nothing
against perfect play. Written by `python -m bench.small_boards`: a small board of classic for two is
solved by value iteration over all of its positions (`heckmeck solve --tiles 21-25`), and the
champion's method is trained on the same board from scratch, with a small network. The table
compares them exactly, without rolling dice: the mean error of its chances to win (over the
positions of perfect games, weighted by how often they occur, and over all positions), and what its
play loses against perfect play, going first as often as second. What `fox` loses is shown for
comparison.
"""
HEADER: Final = (
    "tiles",
    "positions",
    "first player wins",
    "mean error",
    "of all positions",
    "loses",
    "fox loses",
    "trained for",
)


def markdown(found: list[Compared]) -> str:
    """Return the section."""
    rows = [
        (
            " ".join(map(str, each.tiles)),
            f"{each.positions:,}",
            f"{each.first_player:.2%}",
            f"{each.error:.2%}",
            f"{each.error_of_all:.2%}",
            f"{each.loss:.3%}",
            f"{each.fox_loss:.2%}",
            f"{each.training / 60:.1f} min",
        )
        for each in found
    ]
    return f"{ABOUT}\n{table(HEADER, rows)}"


def main() -> None:
    """Compare on all boards, and write or only show it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--minutes", type=float, default=6.0, help="minutes of training on each board"
    )
    parser.add_argument("--quick", action="store_true", help="one board, one minute, print only")
    options = parser.parse_args()
    found = []
    for tiles in BOARDS[:1] if options.quick else BOARDS:
        found.append(compare(tiles, 1.0 if options.quick else options.minutes))
        print(found[-1], file=sys.stderr)
    section = markdown(found)
    print(section)
    if not options.quick:
        write("small-boards", section)


if __name__ == "__main__":
    main()
