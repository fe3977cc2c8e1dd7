"""How long the bots think about a decision, in every game at its smallest and its largest table.

Run from the project's root: `python -m bench.deciding [--quick]`. Every bot plays all seats;
the CPU time of each decision is measured, except in the first game, in which Numba compiles and
weights are read. Writes its section of docs/strength.md.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from bench.report import table
from bench.strength_page import write
from heckmeck.bots import BOTS, Player, player
from heckmeck.dice import SeededLuck
from heckmeck.rules import EDITIONS, Move, apply, legal, new_game, throws

SEED: Final = 5
BOTS_TIMED: Final = ("fox", "champion", "grandmaster")


@dataclass(frozen=True, slots=True)
class Deciding:
    """How long a bot's decisions took, in milliseconds."""

    edition: str
    seats: int
    bot: str
    decisions: int
    mean: float
    slow: float
    """Only one decision of a hundred takes longer."""
    slowest: float


def decisions(edition: str, seats: int, bot: Player, seed: int) -> Iterator[float]:
    """Play a game and yield how long each decision took, in milliseconds."""
    state, luck = new_game(edition, seats), SeededLuck(seed)
    move: Move
    while throws(state) or legal(state):
        if throws(state):
            move = luck.throw(throws(state))
        else:
            began = time.process_time()
            move = bot.choose(state, luck)
            yield 1000 * (time.process_time() - began)
        state = apply(state, move).state


def measure(edition: str, seats: int, name: str, games: int) -> Deciding:
    """Time a bot's decisions in some games, after a first one that is not counted."""
    bot = player(name)
    for _ in decisions(edition, seats, bot, SEED):
        pass
    gc.collect()
    gc.freeze()  # what was compiled and read stays: Python need not look through it again
    found = np.array(
        [
            milliseconds
            for number in range(games)
            for milliseconds in decisions(edition, seats, bot, SEED + 1 + number)
        ]
    )
    slow = float(np.percentile(found, 99))
    return Deciding(edition, seats, name, len(found), found.mean(), slow, found.max())


ABOUT: Final = """## How long they think

CPU time per decision on one core, in milliseconds. Written by `python -m bench.deciding`. A turn is
solved once, at its first decision, and remembered while it lasts: most decisions take next to
nothing, and a few take as long as solving the turn. The first game is not counted, because code and
weights are loaded in it; Python's garbage collector is set to ignore them afterwards (otherwise a
collection takes up to a tenth of a second, once in thousands of decisions).
"""


def markdown(found: list[Deciding]) -> str:
    """Return the section."""
    rows = [
        (
            each.edition,
            str(each.seats),
            each.bot,
            f"{each.decisions:,}",
            f"{each.mean:.2f}",
            f"{each.slow:.1f}",
            f"{each.slowest:.1f}",
        )
        for each in found
    ]
    header = ("edition", "players", "bot", "decisions", "mean", "99% within", "slowest")
    return f"{ABOUT}\n{table(header, rows)}"


def main() -> None:
    """Time all bots at all tables, and write or print the section."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--games", type=int, default=5, help="number of games of each bot at each table"
    )
    parser.add_argument("--quick", action="store_true", help="one game each, print only")
    options = parser.parse_args()
    found = []
    for edition, game in EDITIONS.items():
        for seats in (game.players[0], game.players[-1]):
            for name in BOTS_TIMED:
                assert edition in BOTS[name].editions
                found.append(measure(edition, seats, name, 1 if options.quick else options.games))
                print(found[-1], file=sys.stderr)
    section = markdown(found)
    print(section)
    if not options.quick:
        write("deciding", section)


if __name__ == "__main__":
    main()
