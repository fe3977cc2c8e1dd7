"""Tournament games per second on one core: bots against themselves, side by side and alone.

Run from the project's root: `python -m bench.arena [--json | --write]`. Time is CPU time of this
process; the first chunk is a warm-up and is not counted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from itertools import count

from bench.report import facts, table, write_section
from heckmeck.arena import tournament
from heckmeck.arena.chunks import Chunk
from heckmeck.arena.tournament import Tournament
from heckmeck.rules import EDITIONS

SEED = 2005
SEATS = 2
#: The games of a chunk; those played alone are slow and need no more than this.
CHUNK, ALONE_CHUNK = 512, 16


@dataclass(frozen=True, slots=True)
class Speed:
    """Games of a bot against itself, and the seconds they took."""

    edition: str
    bot: str
    side_by_side: int
    games: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Games per second."""
        return self.games / self.seconds


def measure(edition: str, bot: str, side_by_side: int, seconds: float) -> Speed:
    """Play chunks for at least ``seconds`` of CPU time."""
    size = CHUNK if side_by_side > 1 else ALONE_CHUNK
    tournament = Tournament(edition, (bot, bot), SEATS, games=sys.maxsize, seed=SEED)
    usual, tournament.SIDE_BY_SIDE = tournament.SIDE_BY_SIDE, side_by_side  # type: ignore[misc]
    try:
        Chunk(tournament, 0, ALONE_CHUNK).run()
        start = time.process_time()
        for chunk in count(1):
            Chunk(tournament, chunk * size, size).run()
            elapsed = time.process_time() - start
            if elapsed >= seconds:
                return Speed(edition, bot, side_by_side, chunk * size, elapsed)
    finally:
        tournament.SIDE_BY_SIDE = usual  # type: ignore[misc]
    raise AssertionError("counting never ends")


def run(seconds: float) -> list[Speed]:
    """Measure everything, one after the other."""
    together = tournament.SIDE_BY_SIDE
    plan = [
        *(("classic", "fox", at_once) for at_once in (together, 16, 1)),
        *((edition, "fox", together) for edition in EDITIONS if edition != "classic"),
        *((edition, "rooster", together) for edition in EDITIONS),
    ]
    speeds = []
    for edition, bot, at_once in plan:
        speeds.append(measure(edition, bot, at_once, seconds))
        print(f"{edition}, {bot}, {at_once}: {speeds[-1].per_second:,.0f} games/s", file=sys.stderr)
    return speeds


ABOUT = f"""## Arena: whole games on one core

A bot against itself, {SEATS} players, including rules, dice, thinking and the tally. Games played
side by side let the solver work on many turns at once. Written by `python -m bench.arena --write`.
The best C++ program we found plays 5 to 10 classic games per second.
"""


def markdown(speeds: list[Speed]) -> str:
    """Return the section for docs/benchmarks.md."""
    rows = [
        (speed.edition, speed.bot, str(speed.side_by_side), f"{speed.per_second:,.0f}")
        for speed in speeds
    ]
    return f"{ABOUT}\n{table(('edition', 'bot', 'games side by side', 'games per second'), rows)}"


def main() -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds for each row")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print JSON")
    output.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    speeds = run(options.seconds)
    if options.json:
        rows = [{**asdict(speed), "games_per_second": speed.per_second} for speed in speeds]
        print(json.dumps(rows, indent=2))
        return
    section = markdown(speeds)
    print(section)
    if options.write:
        write_section("arena", section, facts(("heckmeck", "numba", "numpy")))


if __name__ == "__main__":
    main()
