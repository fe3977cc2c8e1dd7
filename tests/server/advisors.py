"""Advisors for tests."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from heckmeck.rules import AnyState, legal, word
from heckmeck.server.hints import Weighed


@dataclass(frozen=True)
class Slow:
    """An advisor that computes for a while, without ever letting go of its interpreter.

    Each move is worth the number of the process that weighs it.
    """

    seconds: float
    unit: str = "pid"

    def weigh(self, state: AnyState) -> Sequence[Weighed]:
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            pass
        return [Weighed(word(move), float(os.getpid()), None) for move in legal(state)]
