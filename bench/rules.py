"""Whole random games of each edition, in moves per second, next to the peers in the same run."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from random import Random

import heckmeck
from bench import peers
from bench.rate import Rate, measure
from bench.report import facts, table, write_section
from heckmeck import rules

SEED = peers.SEED
SEATS = 2
PACKAGES = ("heckmeck", "open_spiel", "pickomino-env")


def edition(name: str, seconds: float) -> Rate:
    """Play random games of an edition, including legal, throws and apply."""
    game = rules.game(name)
    random = Random(SEED)

    def play_game() -> int:
        state = game.initial(SEATS)
        moves = 0
        while True:
            options = game.legal(state)
            if options:
                move = options[int(random.random() * len(options))]
            else:
                chances = game.throws(state)
                if not chances.total:
                    return moves
                move = chances.at(int(random.random() * chances.total))
            state, _ = game.apply(state, move)
            moves += 1

    moves, elapsed = measure(play_game, seconds)
    return Rate(f"heckmeck {name}", heckmeck.__version__, moves, elapsed, f"{SEATS} players")


def run(seconds: float) -> list[Rate]:
    """Measure us and the peers in turn."""
    ours: list[Callable[[float], Rate]] = [
        lambda time, name=name: edition(name, time)  # type: ignore[misc]
        for name in rules.EDITIONS
    ]
    rates = []
    for measured in (*ours, *peers.ALL):
        rates.append(measured(seconds))
        print(f"{rates[-1].name}: {rates[-1].per_second:,.0f} moves/s", file=sys.stderr)
    return rates


def report(rates: list[Rate]) -> str:
    """Return the section of docs/benchmarks.md."""
    classic = rates[0].per_second
    rows = [
        (rate.name, f"{rate.per_second:,.0f}", f"{rate.per_second / classic:.2f}", rate.note)
        for rate in rates
    ]
    return "\n".join(
        (
            "## Rules: random games on one core",
            "",
            "`python -m bench.rules`. A move is one word of a record.",
            "",
            table(("what", "moves per second", "relative to classic", "note"), rows),
        )
    )


def main() -> None:
    """Measure, print, and write the section unless asked not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds for each")
    parser.add_argument("--json", action="store_true", help="print JSON, write nothing")
    arguments = parser.parse_args()
    rates = run(arguments.seconds)
    if arguments.json:
        print(json.dumps([{**asdict(rate), "per_second": rate.per_second} for rate in rates]))
    else:
        write_section("rules", report(rates), facts(PACKAGES))


if __name__ == "__main__":
    main()
