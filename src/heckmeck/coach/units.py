"""The units of worth."""

from typing import Literal, TypeAlias

#: ``win``: the chance to win the game. ``worms``: what the turn brings.
Unit: TypeAlias = Literal["win", "worms"]


class NoChampion(ValueError):
    """Chances to win are requested but no champion has learned them."""
