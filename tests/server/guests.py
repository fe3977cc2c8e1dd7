"""Bots that a host brings to tests: good ones and bad ones."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from heckmeck.rules import AnyState, Move, legal


class First:
    """Takes the first of everything.

    What is said here is not for everybody.
    """

    def choose(self, state: AnyState) -> Move:
        return legal(state)[0]


class AtOnce:
    def choose_all(self, states: Sequence[AnyState]) -> list[Move]:
        return [legal(state)[0] for state in states]


class Breaks:
    def choose(self, state: AnyState) -> Move:
        raise ZeroDivisionError(f"at seat {state.seat}")


class Cheats:
    def choose(self, state: AnyState) -> str:
        return "pinch:6"


class Hangs:
    def choose(self, state: AnyState) -> Move:
        if "GUEST_HANGS" in os.environ:  # so that a test knows
            Path(os.environ["GUEST_HANGS"]).touch()
        time.sleep(3600)
        raise AssertionError


class Dies:
    def choose(self, state: AnyState) -> Move:
        os._exit(1)
