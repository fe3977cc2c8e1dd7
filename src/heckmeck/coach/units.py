"""What worth is measured in."""

from typing import Literal, TypeAlias

#: ``win``: the chance to win the game. ``worms``: what the turn brings.
Unit: TypeAlias = Literal["win", "worms"]


class NoChampion(ValueError):
    """Chances to win are asked for where nobody has learned them."""
