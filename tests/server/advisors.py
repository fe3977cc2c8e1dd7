"""Advisors for tests."""

import os
import time
from dataclasses import dataclass

from heckmeck.coach import Unit
from heckmeck.rules import AnyState, legal, word
from heckmeck.wire.coach import Advice, WeighedMove


@dataclass(frozen=True)
class Slow:
    """An advisor that computes for a while, without ever letting go of its interpreter.

    Each move is worth the number of the process that weighs it.
    """

    seconds: float

    def __call__(self, state: AnyState, unit: Unit | None) -> Advice:
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            pass
        moves = [WeighedMove(word(move), float(os.getpid()), 0.0) for move in legal(state)]
        return Advice(unit or "worms", moves)
