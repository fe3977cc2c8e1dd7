"""The strength of all bots in every game: writes the first part and the appendix of strength.md.

Run from the project's root::

    python -m bench.strength                       # everything: about 40 minutes on one core
    python -m bench.strength classic-2 junior-4    # these tables only
    python -m bench.strength --quick classic-2     # a few games, print only

A table is an edition and a number of players. Results are luck-adjusted; a pair plays until the
standard error of its share is a point (half a point for pairs of champion, grandmaster and fox at
tables for two), or 2,000 games. Results are saved to bench/results/strength.json as they come, so
that an interrupted run continues where it stopped. Each result is saved with a hash of how its bots
play: it remains valid as long as they play the same way, with the same seed.
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
from functools import cache
from pathlib import Path
from typing import Final

from bench.calibration import turn_starts
from bench.pairs import Measured, Pair, balanced, every_pair, executor_of, measure
from bench.public_bots import PUBLIC, find, names
from bench.report import ROOT
from bench.strength_page import draw, page, write
from heckmeck.arena.tournament import play_by
from heckmeck.rules import EDITIONS, word
from heckmeck.values.win import win_chance

SEED: Final = 2026
RESULTS: Final = ROOT / "bench" / "results" / "strength.json"
#: The tables measured: each edition with few and with many players.
TABLES: Final = tuple(f"{edition}-{seats}" for edition in EDITIONS for seats in (2, 4))
CHAMPION: Final = "champion"
GRANDMASTER: Final = "grandmaster"
#: Positions at the end of each game in which the hash of a result has the champions' chances.
LAST: Final = 12
#: Whom the page is mostly about, and whom public bots are measured against.
LEADING: Final = (GRANDMASTER, CHAMPION, "fox")


@dataclass(frozen=True, slots=True)
class Plan:
    """How much each pair plays: until a standard error, or a number of games."""

    games: int = 2000
    error: float = 0.01
    leading_error: float = 0.005
    """For pairs of the leading bots, at tables for two."""
    seed: int = SEED

    def pair(self, edition: str, seats: int, one: str, other: str) -> Pair:
        """Return a pair."""
        leading = seats == 2 and {one, other} <= {*LEADING}
        error = self.leading_error if leading else self.error
        games = balanced(self.games * (4 if leading else 1), seats)
        return Pair(edition, seats, one, other, games, error, self.seed)


QUICK: Final = Plan(games=8, error=1.0, leading_error=1.0)


class Results:
    """The results so far, by pair, with the hash of how its bots play."""

    def __init__(self, path: Path | None) -> None:
        """Read the results in the file at ``path``; without a path nothing is saved."""
        self._path = path
        self._rows: dict[str, tuple[str, Measured]] = {}
        if path is not None and path.exists():
            for row in json.loads(path.read_text("utf-8")):
                playing = row.pop("playing")
                measured = Measured(**row)
                self._rows[_key(measured)] = (playing, measured)

    def has(self, pair: Pair) -> bool:
        """Whether this pair was already measured, as it plays now, as precisely as it asks for."""
        playing, found = self._rows.get(_key(pair), ("", None))
        return (
            found is not None
            and found.is_enough_for(pair)
            and found.seed == pair.seed
            and playing == playing_of(pair)
        )

    def drop_if_stale(self, pair: Pair) -> None:
        """Forget the result of a pair whose bots have played differently then."""
        key = _key(pair)
        if key in self._rows and self._rows[key][0] != playing_of(pair):
            del self._rows[key]
            self._save()

    def add(self, pair: Pair, measured: Measured) -> None:
        """Store a result, also in the file."""
        self._rows[_key(pair)] = (playing_of(pair), measured)
        self._save()

    def _save(self) -> None:
        if self._path is not None:
            rows = [
                {**asdict(row), "playing": playing}
                for _, (playing, row) in sorted(self._rows.items())
            ]
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_suffix(".new")
            fresh.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
            fresh.replace(self._path)

    def all(self) -> list[Measured]:
        """Return every result of the tables that are measured, in their order."""
        rows = [measured for _, measured in self._rows.values()]
        return [row for table in TABLES for row in rows if f"{row.edition}-{row.seats}" == table]


def _key(pair: Pair) -> str:
    return f"{pair.edition}-{pair.seats} {pair.one} {pair.other}"


@cache
def playing_of(pair: Pair) -> str:
    """Return a short hash of how the bots of a pair play.

    It is made of the first games of the pair, word for word, and of all digits of the chances that
    champions among them see near the end of these games.
    """
    found = hashlib.sha256()
    tournament = pair.tournament
    first = tournament.fixtures(0, min(tournament.round_games, tournament.games))
    for played in play_by("bulk", pair.edition, first, find):
        found.update(" ".join(map(word, played.moves)).encode())
        for name in sorted({CHAMPION, GRANDMASTER} & {pair.one, pair.other}):
            value = win_chance(pair.edition, deeper=name == GRANDMASTER)
            assert value is not None, "all editions have champions"
            found.update(value.chances(turn_starts(pair.edition, played)[-LAST:]).tobytes())
    return found.hexdigest()[:12]


def pairs(table: str, plan: Plan) -> list[Pair]:
    """Return the pairs of a table, those of the strongest bots first.

    Public bots play at tables for two, against the leading bots except for the grandmaster.
    """
    edition, _, players = table.partition("-")
    seats = int(players)
    everybody = _weakest_first(names(edition, seats))
    return [
        plan.pair(edition, seats, one, other)
        for one, other in reversed(every_pair(everybody))
        if not {one, other} & {*PUBLIC} or (seats == 2 and _meets_public(one, other))
    ]


def _weakest_first(everybody: list[str]) -> list[str]:
    """Put the champions at the end, so that they come first in a pair."""
    return sorted(everybody, key=("fox", CHAMPION, GRANDMASTER).__contains__)


def _meets_public(one: str, other: str) -> bool:
    return one in (CHAMPION, "fox") and other in PUBLIC


def run(wanted: Sequence[Pair], results: Results, workers: int | None) -> None:
    """Measure all pairs that are still missing, and report progress."""
    for pair in wanted:
        results.drop_if_stale(pair)
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
    """Return roughly how long a pair takes, in seconds."""
    by_game = {"classic": 0.01, "deluxe": 0.05, "barbecue": 0.03, "junior": 0.005}[pair.edition]
    games = {"classic": 200, "deluxe": 500, "barbecue": 250, "junior": 300}[pair.edition]
    slow = 4.0 if {pair.one, pair.other} & {GRANDMASTER, *PUBLIC} else 1.0
    return min(pair.games, games * (0.01 / pair.precise) ** 2) * by_game * slow * pair.seats / 2


def main() -> None:
    """Measure, and write or print the section."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "tables", nargs="*", metavar="TABLE", help="such as classic-2; default: all"
    )
    parser.add_argument("--bots", metavar="BOT,BOT,...", help="only pairs of these bots")
    parser.add_argument("--workers", type=int, help="processes; default: one per core")
    parser.add_argument("--quick", action="store_true", help="few games, print only")
    options = parser.parse_args()
    if unknown := set(options.tables) - set(TABLES):
        parser.error(f"no such table: {', '.join(sorted(unknown))}; tables are {', '.join(TABLES)}")
    plan = QUICK if options.quick else Plan()
    wanted = [pair for table in options.tables or TABLES for pair in pairs(table, plan)]
    if options.bots:
        wanted = [pair for pair in wanted if {pair.one, pair.other} <= {*options.bots.split(",")}]
    results = Results(None if options.quick else RESULTS)
    try:
        run(wanted, results, options.workers)
    except KeyboardInterrupt:
        print("Stopped; the results so far are saved.", file=sys.stderr)
    section = page(results.all())
    if options.quick:
        print(section)
        return
    draw(results.all())
    write("strength", section)


if __name__ == "__main__":
    main()
