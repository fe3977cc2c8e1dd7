"""How far from perfect: the chance to win that decisions give away, in games for two.

Run from the project's root: `python -m bench.given_away [--quick] [EDITION ...]`. The champion
plays `fox`. Each turn of either is judged by an evaluation that looks turns deeper than the
champion does: the value of the best play less the value of the player's own play, computed exactly.
That removes nearly all luck: a few hundred games say as much as a hundred thousand results would.
Writes its section of docs/strength.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bench.report import table
from bench.strength_page import write
from heckmeck.arena.estimates import Z95
from heckmeck.bulk.rows import RowRules, Rows, row_rules
from heckmeck.bulk.turns import RowValue, as_ended, chances_of_ends, ends_of_turns, play_turns
from heckmeck.rules import EDITIONS, new_game
from heckmeck.solver.kernel import Floats, Ints
from heckmeck.values.ahead import Deeper
from heckmeck.values.win import WormLead, chances_by, networks_of

SEED: Final = 55
SEATS: Final = 2
#: Turns that the judge looks ahead.
DEPTH: Final = 2
#: So many games that an edition takes a quarter of an hour.
GAMES: Final = {"classic": 3000, "deluxe": 300, "barbecue": 1500, "junior": 6000}
#: Tables judged at once.
BATCH: Final = 256


Estimate = tuple[float, float]
"""A mean, and half the width of the interval that holds the truth 95 times in 100."""


@dataclass(frozen=True, slots=True)
class GivenAway:
    """What each player gives away in a game, in chance to win."""

    edition: str
    games: int
    turns: float
    depth: int
    fox: Estimate
    champion: Estimate
    grandmaster: Estimate | None
    """What it would have given away in the champion's place; None if the judge is not deeper."""
    seconds: float


def given_away(rules: RowRules, rows: Rows, players: Sequence[RowValue], judge: RowValue) -> Floats:
    """Return [player, table]: what turns played by each player lose, as ``judge`` sees it."""
    lost = np.empty((len(players), len(rows)))
    for kind, places in rules.kinds(rows):
        layers = rules.layers(rows[places], kind)
        judged = ends_of_turns(rules, layers, SEATS, judge)
        own = judged.values[:, SEATS - 1].astype(np.float64)
        best, _ = chances_of_ends(rules, kind, judged.ends)
        for number, player in enumerate(players):
            played = ends_of_turns(rules, layers, SEATS, player)
            after = played.chosen[as_ended(played.branches)]
            _, ends = chances_of_ends(rules, kind, played.ends)
            lost[number, places] = best - (ends * own[after]).sum(axis=(1, 2))
    return lost


def compare(edition: str, games: int, depth: int) -> GivenAway:
    """Let champion and fox play, each of them first in half of the games."""
    for_two = next(each for each in networks_of(edition) if each.seats == (SEATS, SEATS))
    champion = chances_by(for_two, SEATS)
    judge = champion
    for _ in range(depth):
        judge = Deeper(judge)
    deeper = [chances_by(for_two, SEATS, deeper=True)] if depth > 1 else []
    began = time.perf_counter()
    lost, turns = _play(row_rules(edition), games, ([champion, *deeper], [WormLead()]), judge)
    found = [(float(each.mean()), float(Z95 * each.std() / games**0.5)) for each in lost]
    return GivenAway(
        edition,
        games,
        turns / games,
        depth,
        fox=found[-1],
        champion=found[0],
        grandmaster=found[1] if deeper else None,
        seconds=time.perf_counter() - began,
    )


def _play(
    rules: RowRules, games: int, sides: Sequence[Sequence[RowValue]], judge: RowValue
) -> tuple[Floats, int]:
    """Play games to their ends; return [player, game]: what was given away; and the turns.

    The first player of a side plays, the others are asked what they would play in its place.
    """
    rng = np.random.default_rng(SEED)
    begin = rules.row(new_game(rules.edition, SEATS).table, 0)
    rows = np.repeat(begin[np.newaxis], games, axis=0)
    to_move = np.arange(games) % SEATS
    lost = [np.zeros((len(players), games)) for players in sides]
    turns, playing = 0, np.arange(games)
    while len(playing):
        over = np.zeros(games, np.bool_)
        for side, players in enumerate(sides):
            tables = playing[to_move[playing] == side]
            turns += len(tables)
            for some in _batches(tables):
                lost[side][:, some] += given_away(rules, rows[some], players, judge)
                ended = play_turns(rules, rows[some], SEATS, players[0], rng).ended
                rows[some], over[some] = ended.rows, ended.over
        to_move[playing] = 1 - to_move[playing]
        playing = playing[~over[playing]]
        if sys.stderr.isatty():
            print(f"{rules.edition}: {len(playing)} games left", end="  \r", file=sys.stderr)
    return np.concatenate(lost), turns


def _batches(tables: Ints) -> list[Ints]:
    return [tables[first : first + BATCH] for first in range(0, len(tables), BATCH)]


ABOUT: Final = """## How far from perfect

The chance to win that each bot's decisions give away in a game for two, in percentage points.
Written by `python -m bench.given_away`: the champion plays `fox`, and every turn of either is
judged by an evaluation that looks `depth` turns deeper than the champion does. What a turn gives
away is the value of the best play less the value of the player's own play, computed exactly, so the
luck of the dice plays no part and a few hundred games say more than a hundred thousand results. As
far as the judge is right, a player that gives nothing away wins 50 plus what `fox` gives away. A
judge that looks two turns deeper can also judge the grandmaster, which is asked at the champion's
turns.
"""
HEADER: Final = (
    "edition",
    "games",
    "turns per game",
    "depth",
    "fox gives away",
    "champion gives away",
    "grandmaster would",
    "so the champion wins",
    "perfect play would win",
)


def markdown(found: list[GivenAway]) -> str:
    """Return the section."""
    rows = [
        (
            each.edition,
            f"{each.games:,}",
            f"{each.turns:.0f}",
            str(each.depth),
            _points(each.fox),
            _points(each.champion),
            _points(each.grandmaster) if each.grandmaster else "",
            f"{50 + 100 * (each.fox[0] - each.champion[0]):.1f}",
            f"{50 + 100 * each.fox[0]:.1f}",
        )
        for each in found
    ]
    return f"{ABOUT}\n{table(HEADER, rows)}"


def _points(estimate: Estimate) -> str:
    mean, half = estimate
    return f"{100 * mean:.2f} ± {100 * half:.2f}"


def main() -> None:
    """Compare in all editions, and write or print the section."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "editions", nargs="*", metavar="EDITION", help="such as classic; default: all"
    )
    parser.add_argument("--games", type=int, help="number of games in each edition")
    parser.add_argument("--depth", type=int, default=DEPTH, help="turns the judge looks ahead")
    parser.add_argument("--quick", action="store_true", help="20 games each, print only")
    options = parser.parse_args()
    if unknown := set(options.editions) - set(EDITIONS):
        parser.error(f"no such edition: {', '.join(sorted(unknown))}; there are {[*EDITIONS]}.")
    found = []
    for edition in options.editions or EDITIONS:
        games = 20 if options.quick else options.games or GAMES[edition]
        found.append(compare(edition, games, options.depth))
        print(found[-1], file=sys.stderr)
    section = markdown(found)
    print(section)
    if not options.quick:
        write("given-away", section)


if __name__ == "__main__":
    main()
