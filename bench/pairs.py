"""Two bots at a table: a tournament of the arena, in which public bots may play too.

At a table for more than two the bots take alternate seats, so that each has half. Results are
luck-adjusted (`heckmeck.arena.adjusted`): a few hundred games say as much as thousands of results.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from bench.public_bots import find
from heckmeck.arena.chunks import Chunk
from heckmeck.arena.estimates import Z95
from heckmeck.arena.standings import Standings, Tally
from heckmeck.arena.tournament import Tournament
from heckmeck.executors import Executor, Inline, executor_for

#: Games between two looks at the error.
STEP: Final = 96
#: Fewer deals than this tell too little about their variance.
FEWEST_GAMES: Final = 192


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots to be measured against each other.

    They play ``games``, or fewer if the standard error of the share is ``precise`` before.
    """

    edition: str
    seats: int
    one: str
    other: str
    games: int
    precise: float
    seed: int

    @property
    def tournament(self) -> Tournament:
        """The same as a tournament."""
        bots = (self.one, self.other)
        return Tournament(self.edition, bots, self.seats, self.games, self.seed)


@dataclass(frozen=True, slots=True)
class Measured(Pair):
    """How many games ``one`` wins against ``other``, of all games that one of the two bots wins.

    ``games`` are those played. The share is luck-adjusted; ``error`` is its standard error,
    computed from whole deals (games with the same dice).
    """

    share: float
    error: float
    turns: float
    seconds: float

    @property
    def half(self) -> float:
        """Half the width of the 95% confidence interval."""
        return Z95 * self.error

    @property
    def is_clear(self) -> bool:
        """Whether ``one`` is ahead with its error bar clear of equality."""
        return self.share - self.half > 0.5

    def is_enough_for(self, pair: Pair) -> bool:
        """Whether this is as precise as a pair asks for, or of as many games."""
        return self.games >= pair.games or (
            self.games >= FEWEST_GAMES and self.error <= pair.precise
        )


def measure(pair: Pair, executor: Executor | None = None) -> Measured:
    """Play a pair's games, here or with an executor, until that is enough.

    How many are played does not depend on the number of workers.
    """
    began, tally, done = time.perf_counter(), Tally(), 0
    executor = executor or Inline()
    while True:
        last = min(done + balanced(STEP, pair.seats), pair.games)
        for result in executor.run(_chunks(pair, done, last, executor.workers)):
            tally += result.tally
        done = last
        found = counted(pair, Standings(pair.tournament, tally, time.perf_counter() - began))
        if found.is_enough_for(pair):
            return found


def _chunks(pair: Pair, first: int, last: int, workers: int) -> Iterator[Chunk]:
    """Split these games evenly among the workers, in whole deals."""
    deals = (last - first) // pair.seats
    each = max(-(-deals // workers), 1) * pair.seats
    for at in range(first, last, each):
        count = min(each, last - at)
        yield Chunk(pair.tournament, at, count, find=find, adjusted=True)


def counted(pair: Pair, standings: Standings) -> Measured:
    """Return the result of a pair; a share is of all games, however many seats a bot had."""
    games = standings.tally.games
    (one,) = (bot for bot in standings.bots if bot.name == pair.one)
    by_game = one.won.games / games
    adjusted = one.adjusted
    assert adjusted is not None, "there are at least two deals"
    found = asdict(pair) | {"games": games}
    return Measured(
        **found,
        share=adjusted.share * by_game,
        error=adjusted.error * by_game,
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
