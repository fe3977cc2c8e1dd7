"""How right the champions are at the end: how far one more turn changes their chances to win.

Run from the project's root: `python -m bench.endgames [--quick] [EDITION ...]`. In games of `fox`,
tables with one tile left on the grill (in barbecue: where a failed attempt ends the game) are
evaluated as the champions do, and again one turn deeper. Writes its section of docs/strength.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Final

import numpy as np

from bench.report import table
from bench.strength_page import write
from heckmeck.bots.in_bulk import bulk_player
from heckmeck.bulk import new_games
from heckmeck.bulk.machine import TOTAL
from heckmeck.bulk.rows import Rows, row_rules
from heckmeck.bulk.turns import RowValue
from heckmeck.rules import EDITIONS
from heckmeck.values.ahead import Deeper
from heckmeck.values.win import NetworkChances, chances_by, networks_of

SEATS: Final = (2, 4)
TABLES: Final = 200
#: Games played at once, to find tables.
GAMES: Final = 64


@dataclass(frozen=True, slots=True)
class Gap:
    """How far one more turn changes the chance of the player to move, in percentage points."""

    edition: str
    seats: int
    evaluator: str
    tables: int
    mean: float
    largest: float
    milliseconds: float
    """How long an evaluation took, of CPU time."""


def last_tables(edition: str, seats: int) -> Iterator[Rows]:
    """Yield the tables with one tile left in games of `fox`, without end."""
    rules, fox = row_rules(edition), bulk_player("fox")
    for seed in count():
        games = new_games(edition, seats, GAMES, seed=seed)
        while not games.over.all():
            games.make_room()
            games.go_to_decisions()
            playing = np.flatnonzero(~games.over)
            rows = games.batch.rows[playing]
            begins = games.batch.turns[playing, TOTAL] == 0
            yield from rows[begins & (rules.left(rows) == 1)]
            fox.play(games, playing)


def gaps(edition: str, seats: int, tables: int) -> Iterator[Gap]:
    """Yield what is found for each evaluator."""
    rules = row_rules(edition)
    rows = np.stack(list(islice(last_tables(edition, seats), tables)))
    network = next(each for each in networks_of(edition) if each.seats[0] <= seats <= each.seats[1])
    evaluators: dict[str, RowValue] = {
        "network": NetworkChances(network),
        "champion": chances_by(network, seats),
        "grandmaster": chances_by(network, seats, deeper=True),
    }
    for name, value in evaluators.items():
        value.of(rules, rows[:2], seats)  # compiled
        began = time.process_time()
        said = value.of(rules, rows, seats)
        took = time.process_time() - began
        off = 100 * np.abs(Deeper(value).of(rules, rows, seats) - said)[:, 0]
        milliseconds = 1000 * took / tables
        yield Gap(edition, seats, name, tables, off.mean(), off.max(), milliseconds)


ABOUT: Final = """## Endgames

With one tile left on the grill (in barbecue: where a failed attempt ends the game), how far one
more turn changes the chance of the player to move, in percentage points. 0 means that an evaluator
sees everything that can follow. Written by `python -m bench.endgames`, at tables from games of
`fox`.
"""
HEADER: Final = ("edition", "players", "evaluator", "tables", "mean", "largest", "ms per table")


def markdown(found: list[Gap]) -> str:
    """Return the section."""
    rows = [
        (
            each.edition,
            str(each.seats),
            each.evaluator,
            str(each.tables),
            f"{each.mean:.2f}",
            f"{each.largest:.2f}",
            f"{each.milliseconds:.2f}",
        )
        for each in found
    ]
    return f"{ABOUT}\n{table(HEADER, rows)}"


def main() -> None:
    """Evaluate in all editions, and write or print the section."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "editions", nargs="*", metavar="EDITION", help="such as classic; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="10 tables each, print only")
    options = parser.parse_args()
    if unknown := set(options.editions) - set(EDITIONS):
        parser.error(f"no such edition: {', '.join(sorted(unknown))}; there are {[*EDITIONS]}.")
    found = [
        gap
        for edition in options.editions or EDITIONS
        for seats in SEATS
        for gap in gaps(edition, seats, 10 if options.quick else TABLES)
    ]
    section = markdown(found)
    print(section)
    if not options.quick and not options.editions:
        write("endgames", section)


if __name__ == "__main__":
    main()
