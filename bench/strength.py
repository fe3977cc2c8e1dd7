"""The strength of all bots in every game: writes the summary and cross tables of docs/strength.md.

Run from the project's root::

    python -m bench.strength                       # everything: hours
    python -m bench.strength classic-2 junior-3    # these tables only
    python -m bench.strength --quick classic-2     # a few games, print only

A table is an edition and a number of players. Every pair of bots plays; results are saved to
bench/results/strength.json as they come, so that an interrupted run continues where it stopped. A
result remains valid as long as the champion's weights and the seed are the same and no more games
are requested. So the pairs that matter most can be given more games than the rest::

    python -m bench.strength classic-2 --bots champion,fox,expect-2 --games 20000
    python -m bench.strength --games 2000 --deep 200 --others 200
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bench.pairs import Measured, Pair, balanced, every_pair, executor_of, measure
from bench.public_bots import names
from bench.report import ROOT
from bench.strength_page import cross_tables, write
from heckmeck import bots
from heckmeck.rules import EDITIONS

SEED: Final = 2018
RESULTS: Final = ROOT / "bench" / "results" / "strength.json"
#: The tables measured: each edition with few and with many players.
TABLES: Final = tuple(
    f"{edition}-{seats}"
    for edition in EDITIONS
    for seats in ((2, 3, 4, 7) if edition in ("classic", "deluxe") else (2, 3, 4, 5))
)
CHAMPION: Final = "champion"
GRANDMASTER: Final = "grandmaster"


@dataclass(frozen=True, slots=True)
class Plan:
    """How many games each kind of pair plays."""

    champion: int
    grandmaster: int
    others: int
    seed: int

    def games(self, one: str, other: str, seats: int) -> int:
        """Return the games of a pair, in whole rounds."""
        if GRANDMASTER in (one, other):
            return balanced(self.grandmaster, seats)
        return balanced(self.champion if CHAMPION in (one, other) else self.others, seats)


#: The options that make a plan, in its order.
PLANNED: Final = ("games", "deep", "others", "seed")
QUICK: Final = Plan(champion=40, grandmaster=4, others=20, seed=SEED)


class Results:
    """The results so far, by pair, with the weights used."""

    def __init__(self, path: Path | None) -> None:
        """Read the results in the file at ``path``; without a path nothing is saved."""
        self._path = path
        self._rows: dict[str, tuple[str, Measured]] = {}
        if path is not None and path.exists():
            for row in json.loads(path.read_text("utf-8")):
                weights = row.pop("weights")
                measured = Measured(**row)
                self._rows[_key(measured)] = (weights, measured)

    def has(self, pair: Pair) -> bool:
        """Whether this pair was already measured, with at least as many games."""
        weights, found = self._rows.get(_key(pair), ("", None))
        return (
            found is not None
            and weights == weights_of(pair)
            and found.games >= pair.games
            and found.seed == pair.seed
        )

    def add(self, pair: Pair, measured: Measured) -> None:
        """Store a result, also in the file."""
        self._rows[_key(pair)] = (weights_of(pair), measured)
        if self._path is not None:
            rows = [
                {**asdict(row), "weights": weights}
                for _, (weights, row) in sorted(self._rows.items())
            ]
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_suffix(".new")
            fresh.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
            fresh.replace(self._path)

    def all(self) -> list[Measured]:
        """Return every result."""
        return [measured for _, measured in self._rows.values()]


def _key(pair: Pair) -> str:
    return f"{pair.edition}-{pair.seats} {pair.one} {pair.other}"


def weights_of(pair: Pair) -> str:
    """Return a short hash of the weights used by this pair; empty if no champion plays."""
    if not {CHAMPION, GRANDMASTER} & {pair.one, pair.other}:
        return ""
    found = sorted(Path(bots.__file__).parent.rglob(f"*{pair.edition}*.npz"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in found)).hexdigest()[:12]


def pairs(table: str, plan: Plan) -> list[Pair]:
    """Return the pairs of a table, those of the strongest bots first."""
    edition, _, players = table.partition("-")
    seats = int(players)
    return [
        Pair(edition, seats, one, other, plan.games(one, other, seats), plan.seed)
        for one, other in reversed(every_pair(_weakest_first(names(edition, seats))))
    ]


def _weakest_first(everybody: list[str]) -> list[str]:
    """Put the champions at the end, so that they come first in a pair."""
    return sorted(everybody, key=(CHAMPION, GRANDMASTER).__contains__)


def run(wanted: Sequence[Pair], results: Results, workers: int | None) -> None:
    """Measure all pairs that are still missing, and report progress."""
    todo = [pair for pair in wanted if not results.has(pair)]
    done, began = 0.0, time.perf_counter()
    whole = float(sum(map(_cost, todo)))
    with contextlib.closing(executor_of(workers)) as executor:
        for pair in todo:
            measured = measure(pair, executor)
            results.add(pair, measured)
            done += _cost(pair)
            left = (time.perf_counter() - began) * (whole - done) / done / 60
            print(
                f"{pair.edition}-{pair.seats} {pair.one} against {pair.other}: "
                f"{measured.share:.1%} ± {measured.half:.1%} of {measured.games:,} games, "
                f"{measured.games / measured.seconds:.0f} games/s; about {left:.0f} min left",
                file=sys.stderr,
            )


def _cost(pair: Pair) -> float:
    """Return roughly how long a pair takes, in classic games for two."""
    edition = {"classic": 1.0, "deluxe": 8.0, "barbecue": 8.0, "junior": 1.0}[pair.edition]
    deep = 20.0 if GRANDMASTER in (pair.one, pair.other) else 1.0
    return pair.games * edition * deep * (1 + pair.seats / 4)


def main() -> None:
    """Measure, and write or print the section."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "tables", nargs="*", metavar="TABLE", help="such as classic-2; default: all"
    )
    parser.add_argument("--games", type=int, default=20_000, help="games of the champion's pairs")
    parser.add_argument("--deep", type=int, default=1_000, help="games of the grandmaster's pairs")
    parser.add_argument("--others", type=int, default=2_000, help="games of all other pairs")
    parser.add_argument("--bots", metavar="BOT,BOT,...", help="only pairs of these bots")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the games")
    parser.add_argument("--workers", type=int, help="processes; default: one per core")
    parser.add_argument("--quick", action="store_true", help="few games, print only")
    options = parser.parse_args()
    if unknown := set(options.tables) - set(_known_tables()):
        parser.error(f"no such table: {', '.join(sorted(unknown))}; tables are {TABLES[0]} etc.")
    plan = QUICK if options.quick else Plan(*(getattr(options, each) for each in PLANNED))
    wanted = [pair for table in options.tables or TABLES for pair in pairs(table, plan)]
    if options.bots:
        wanted = [pair for pair in wanted if {pair.one, pair.other} <= {*options.bots.split(",")}]
    if options.quick:
        results = Results(None)
        run(wanted, results, options.workers)
        print(cross_tables(results.all()))
        return
    results = Results(RESULTS)
    try:
        run(wanted, results, options.workers)
    except KeyboardInterrupt:
        print("Stopped; the results so far are saved.", file=sys.stderr)
    write("strength", cross_tables(results.all()))


def _known_tables() -> list[str]:
    return [f"{name}-{seats}" for name, game in EDITIONS.items() for seats in game.players]


if __name__ == "__main__":
    main()
