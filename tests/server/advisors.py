"""Advisors for tests."""

import os
import time
from dataclasses import dataclass

from heckmeck.coach import Unit
from heckmeck.rules import AnyState, legal, word
from heckmeck.server.hints import Hints, Weighed


@dataclass(frozen=True)
class Slow:
    """An advisor that computes for a while, without ever letting go of its interpreter.

    Each move is worth the number of the process that weighs it.
    """

    seconds: float

    def weigh(self, state: AnyState, unit: Unit | None) -> Hints:
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            pass
        moves = [Weighed(word(move), float(os.getpid()), None) for move in legal(state)]
        return Hints(unit or "pid", moves)
