"""Two bots at a table: a tournament of the arena, in which public bots may play too.

At a table for more than two the bots take alternate seats, so that each has half.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Final

from bench.public_bots import find
from heckmeck.arena.chunks import cut
from heckmeck.arena.estimates import Z95
from heckmeck.arena.standings import Standings, Tally
from heckmeck.arena.tournament import Tournament
from heckmeck.executors import Executor, Inline, executor_for

#: With fewer games than this, there are too few deals to estimate their variance.
FEW_GAMES: Final = 100


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


@dataclass(frozen=True, slots=True)
class Measured(Pair):
    """How often ``one`` won against ``other``, of all games that one of the two bots won.

    ``error`` is the standard error, computed from whole deals (games with the same dice).
    """

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


def measure(pair: Pair, executor: Executor | None = None) -> Measured:
    """Play a pair's games, here or with an executor, and count."""
    began = time.perf_counter()
    executor = executor or Inline()
    chunks = cut(pair.tournament, executor.workers, find=find)
    tally = sum((result.tally for result in executor.run(chunks)), Tally())
    return counted(pair, Standings(pair.tournament, tally, time.perf_counter() - began))


def counted(pair: Pair, standings: Standings) -> Measured:
    """Return the result of a pair; a share is of all games, however many seats a bot had."""
    games = standings.tally.games
    (one,) = (bot for bot in standings.bots if bot.name == pair.one)
    return Measured(
        **asdict(pair),
        share=one.won.wins / games,
        error=(one.paired_error or 0.0) * one.won.games / games,
        turns=standings.turns.mean,
        seconds=standings.seconds,
    )


def executor_of(workers: int | None) -> Executor:
    """Return an executor with ``workers`` processes (None: one per core)."""
    # One process per core: threads of the linear algebra would only compete.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return executor_for(workers or len(os.sched_getaffinity(0)))


def balanced(games: int, seats: int) -> int:
    """Round the number of games up to whole rounds of a pair at tables of ``seats``."""
    rounds = Tournament("classic", ("fox", "chick"), seats, 1, 0).round_games
    return -(-games // rounds) * rounds


def every_pair(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return each pair of names once, the later name of the list first."""
    return [(names[j], names[i]) for j in range(len(names)) for i in range(j)]
