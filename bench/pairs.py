"""Two bots at a table: games with balanced seats and dice, as `heckmeck arena` plays them.

Differs from the arena in one thing only: bots that are not in the registry (`bench.public_bots`)
may play too. At a table for more than two the bots take alternate seats, so that each has half.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import reduce
from math import sqrt
from operator import add
from typing import Final

from bench.public_bots import find
from heckmeck.arena.error_bars import Z95
from heckmeck.arena.lockstep import play
from heckmeck.arena.tally import WIN, Tally, tally_of
from heckmeck.arena.tournament import Tournament

#: With fewer games than this, there are too few deals to estimate their variance.
FEW_GAMES: Final = 100
#: Games that a process plays at once: enough for bots that decide at many tables together.
CHUNK: Final = 512


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots to be measured against each other."""

    edition: str
    seats: int
    one: str
    other: str
    games: int
    seed: int

    @property
    def tournament(self) -> Tournament:
        """The same as a tournament."""
        bots = (self.one, self.other)
        return Tournament(self.edition, bots, self.seats, self.games, self.seed)

    def chunks(self) -> Iterator[tuple[Pair, int, int]]:
        """Cut the games into whole rounds: every line-up on every seat."""
        size = max(CHUNK // self.tournament.round_games, 1) * self.tournament.round_games
        for first in range(0, self.games, size):
            yield self, first, min(size, self.games - first)


@dataclass(frozen=True, slots=True)
class Measured:
    """How often ``one`` won against ``other``, of all games that one of the two bots won.

    ``error`` is the standard error, computed from whole deals (games with the same dice).
    """

    edition: str
    seats: int
    one: str
    other: str
    games: int
    seed: int
    share: float
    error: float
    turns: float
    seconds: float

    @property
    def half(self) -> float:
        """Half the width of the 95% confidence interval."""
        if self.games < FEW_GAMES:
            return Z95 * max(self.error, sqrt(self.share * (1 - self.share) / self.games))
        return Z95 * self.error

    @property
    def is_clear(self) -> bool:
        """Whether ``one`` is ahead with its error bar clear of equality."""
        return self.share - self.half > 0.5


def play_part(part: tuple[Pair, int, int]) -> Tally:
    """Play some games of a pair, in a worker process."""
    pair, first, count = part
    fixtures = pair.tournament.schedule.fixtures(first, count)
    return tally_of(play(pair.edition, fixtures, find), pair.seats)


def measure(pair: Pair, pool: ProcessPoolExecutor | None = None) -> Measured:
    """Play a pair's games, here or in a pool, and count."""
    began = time.perf_counter()
    tallies = (pool.map if pool else map)(play_part, pair.chunks())
    return counted(pair, reduce(add, tallies), time.perf_counter() - began)


def counted(pair: Pair, tally: Tally, seconds: float) -> Measured:
    """Return the result of a pair from its tally."""
    won = sum(parts for (bot, _), parts in tally.won.items() if bot == pair.one) / WIN
    turns = sum(length * games for length, games in tally.turns.items()) / tally.games
    return Measured(
        pair.edition,
        pair.seats,
        pair.one,
        pair.other,
        tally.games,
        pair.seed,
        share=won / tally.games,
        error=deal_error(pair.one, tally),
        turns=turns,
        seconds=seconds,
    )


def deal_error(name: str, tally: Tally) -> float:
    """Return the standard error of a bot's wins per game, computed from whole deals.

    A bot wins more in deals in which it has more seats. The number of deals of each kind is fixed,
    so only the variance within a kind counts.
    """
    kinds: dict[int, list[tuple[float, int]]] = {}
    for (bot, seats, parts), times in tally.deals.items():
        if bot == name:
            kinds.setdefault(seats, []).append((parts / WIN, times))
    return sqrt(sum(map(_variance_of_sum, kinds.values()))) / tally.games


def _variance_of_sum(deals: list[tuple[float, int]]) -> float:
    """Return the variance of the sum of these values, given with their frequencies."""
    count = sum(times for _, times in deals)
    mean = sum(value * times for value, times in deals) / count
    squares = sum(times * (value - mean) ** 2 for value, times in deals)
    return squares * count / max(count - 1, 1)


def pool_of(workers: int | None) -> ProcessPoolExecutor | None:
    """Return a pool of ``workers`` processes (None: one per core), or None for a single one."""
    count = workers or len(os.sched_getaffinity(0))
    if count == 1:
        return None
    # One process per core: threads of the linear algebra would only compete.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))


def balanced(games: int, seats: int) -> int:
    """Round the number of games up to whole rounds of a pair at tables of ``seats``."""
    rounds = Tournament("classic", ("fox", "chick"), seats, 1, 0).round_games
    return -(-games // rounds) * rounds


def every_pair(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return each pair of names once, the later name of the list first."""
    return [(names[j], names[i]) for j in range(len(names)) for i in range(j)]
