"""The solver's results for people: odds of a turn, advice for a position, review of a game.

`heckmeck.coach.odds`, `advice` and `review` import NumPy and Numba: import them where they are
used.
"""

from heckmeck.coach.turns import BadTurn, TurnSetup, state_of
from heckmeck.coach.units import NoChampion, Unit

__all__ = ["BadTurn", "NoChampion", "TurnSetup", "Unit", "state_of"]
