"""The error rate of every bot in every edition: what the grades of the coach are measured by.

Run from the project's root: `python -m bench.grades [--games N] [EDITION ...]`. Every bot plays at
tables of two against every other, once in each seat; decisions are judged by the champion's
network, as in a review. Prints the table of docs/analysis.md; `--write` writes it there.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from math import sqrt
from pathlib import Path
from typing import Final

from bench.report import table
from heckmeck.arena.tournament import Tournament, play
from heckmeck.bots import BOTS
from heckmeck.coach.figures import BANDS, GRADES, error_rate
from heckmeck.coach.review import judged
from heckmeck.record import Record
from heckmeck.rules import EDITIONS
from heckmeck.values.win import win_chance

PAGE: Final = Path(__file__).parents[1] / "docs" / "analysis.md"
BEGIN: Final = "<!-- begin: python -m bench.grades --write -->"
END: Final = "<!-- end -->"
SEED: Final = 77
SEATS: Final = 2
GAMES: Final = 300

#: The sum of losses and the number of counted decisions of a bot in one game.
Played = tuple[float, int]


def judge(edition: str, games: int) -> dict[str, list[Played]]:
    """Return what each bot lost in counted decisions, game by game."""
    value = win_chance(edition)
    assert value is not None, "every edition has a champion"
    tournament = Tournament(edition, tuple(BOTS), SEATS, games, SEED)
    found: dict[str, list[Played]] = defaultdict(list)
    played = [*play(edition, tournament.fixtures(0, games))]
    records = (Record(edition, game.fixture.bots, moves=game.moves) for game in played)
    for game, each in zip(played, judged(records, value), strict=True):
        for seat, bot in enumerate(game.fixture.bots):
            own = [n for n in each.decisions if each.seat(n) == seat and each.counted(n)]
            found[bot].append((sum(map(each.loss, own)), len(own)))
    return found


def rate(played: list[Played]) -> tuple[float, float]:
    """Return a bot's error rate, and half the width of its 95% interval; games are independent."""
    losses, counted = sum(loss for loss, _ in played), sum(count for _, count in played)
    mean = losses / counted
    off = sum((loss - mean * count) ** 2 for loss, count in played)
    scale = error_rate([1.0], SEATS) or 0.0
    return scale * mean, 1.96 * scale * sqrt(off) / counted


def measured(editions: list[str], games: int) -> str:
    """Return the table: a bot, and its error rate in each edition."""
    found = {edition: judge(edition, games) for edition in editions}
    rows = []
    for bot in BOTS:
        rates = [rate(found[edition][bot]) for edition in editions]
        rows.append([f"`{bot}`", *(f"{mean:.1f} ± {half:.1f}" for mean, half in rates)])
    return table(["error rate of", *editions], rows)


def bands(editions: list[str]) -> str:
    """Return the bands as a table."""
    rows = [
        [f"`{grade}`", *(f"up to {BANDS[edition][place]:g}" for edition in editions)]
        for place, grade in enumerate(GRADES)
    ]
    return table(["grade", *editions], [*rows, ["`random`", *("more" for _ in editions)]])


def main() -> int:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("editions", nargs="*", default=list(EDITIONS), metavar="EDITION")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    editions = options.editions
    rates = measured(editions, options.games)
    games = f"{options.games} games an edition, seed {SEED}, with 95% intervals."
    text = f"{bands(editions)}\n\n{rates}\n\n{games}"
    sys.stdout.write(f"{text}\n")
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        page = f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"
        PAGE.write_text(page, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
