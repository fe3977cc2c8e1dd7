"""Two strategies on a small board: exactly how often each wins, without throwing dice.

Each strategy is an `Evaluator`. Solving every turn with it gives the probabilities of where the
turn leads, and from these follow the exact chances of the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heckmeck.solver.kernel import Floats
from heckmeck.solver.positions import Evaluator
from heckmeck.solver.small_boards import RESULTS, Board, Places
from heckmeck.solver.solution import best
from heckmeck.solver.solved import SolvedTurn, solve_all

#: Games that are not over after this many turns hardly ever end.
UNDECIDED: Final = 1e-12
MOST_TURNS: Final = 20_000
#: Turns solved at once; more would only use more memory.
PART: Final = 512


class NeverEnds(RuntimeError):
    """Two strategies whose games against each other do not end."""


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """Where the turns of a strategy lead: places and their chances by position, padded with 0."""

    places: Places
    chances: Floats

    def expect(self, value: Floats) -> Floats:
        """Return the mean of ``value`` [place] over where each position's turn leads."""
        mean: Floats = np.sum(self.chances * value[self.places], axis=1)
        return mean

    def spread(self, weight: Floats, size: int) -> Floats:
        """Return how often each place is reached [place], given how often each turn is played."""
        led = np.zeros(size)
        np.add.at(led, self.places, self.chances * weight[:, np.newaxis])
        return led


class Duel(NamedTuple):
    """The chances to win of the first of two players."""

    going_first: float
    going_second: float

    @property
    def share(self) -> float:
        """Its share of the wins when both go first equally often."""
        return (self.going_first + self.going_second) / 2


def habits_of(board: Board, evaluator: Evaluator) -> Habits:
    """Return where turns lead that maximise the value given by ``evaluator``."""
    rows: list[dict[int, float]] = []
    for first in range(0, len(board.positions), PART):
        places = range(first, min(first + PART, len(board.positions)))
        turns = solve_all([board.turn_at(place) for place in places], evaluator)
        rows += [_leads_to(board, place, turn) for place, turn in zip(places, turns, strict=True)]
    return _padded(rows)


def _leads_to(board: Board, place: int, turn: SolvedTurn) -> dict[int, float]:
    solution = turn.solution
    ends = solution.endings(best(solution.choices(solution.start)))
    size = len(board.positions) + len(RESULTS)
    chances = np.bincount(board.stop[place].ravel(), weights=ends.stop[0].ravel(), minlength=size)
    chances[board.fail[place]] += ends.fail[0]
    return {int(led): float(chances[led]) for led in np.flatnonzero(chances)}


def _padded(rows: Sequence[dict[int, float]]) -> Habits:
    width = max(map(len, rows))
    places = np.zeros((len(rows), width), dtype=np.int32)
    chances = np.zeros((len(rows), width))
    for number, row in enumerate(rows):
        places[number, : len(row)] = list(row)
        chances[number, : len(row)] = list(row.values())
    return Habits(places, chances)


def duel(board: Board, one: Habits, other: Habits) -> Duel:
    """Return how often ``one`` wins against ``other``; raise `NeverEnds` if games do not end."""
    size = len(board.positions)
    won, lost = np.array(RESULTS), 1.0 - np.array(RESULTS)
    # [position]: the chance of ``one`` when it, or the other, is to move there.
    mine, theirs = np.full(size, 0.5), np.full(size, 0.5)
    for _ in range(MOST_TURNS):
        now = one.expect(np.concatenate((theirs, won)))
        then = other.expect(np.concatenate((now, lost)))
        change = max(np.abs(now - mine).max(), np.abs(then - theirs).max())
        mine, theirs = now, then
        if change < UNDECIDED:
            return Duel(float(mine[0]), float(theirs[0]))
    raise NeverEnds(f"After {2 * MOST_TURNS} turns too many games are still undecided.")


def visits(board: Board, one: Habits, other: Habits) -> NDArray[np.float64]:
    """Return how often a game from the start, ``one`` going first, visits each position.

    Raise `NeverEnds` if games do not end.
    """
    size = len(board.positions)
    here, seen = np.zeros(size), np.zeros(size)
    here[0] = 1.0
    for turn in range(MOST_TURNS):
        seen += here
        if here.sum() < UNDECIDED:
            return seen
        habits = other if turn % 2 else one
        here = habits.spread(here, size + len(RESULTS))[:size]
    raise NeverEnds(f"After {MOST_TURNS} turns too many games are still being played.")
