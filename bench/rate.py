"""How fast something plays, measured in one way for all."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """Moves played in a time. A move is one word of a record: roll, the dice, keep, stop."""

    name: str
    version: str
    moves: int
    seconds: float
    note: str

    @property
    def per_second(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds


def measure(play_game: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Play whole games for at least `seconds`; return the moves and the seconds they took.

    `play_game` plays one game and returns its number of moves. One game is played first and not
    counted, so that all caches are warm. Time is this process's CPU time: waiting for a core that
    another program holds is not counted.
    """
    play_game()
    moves = 0
    elapsed = 0.0
    start = time.process_time()
    while elapsed < seconds:
        moves += play_game()
        elapsed = time.process_time() - start
    return moves, elapsed
