"""What the solver knows, for people: odds of a turn, advice for a position, review of a game.

`heckmeck.coach.odds`, `advice` and `review` bring NumPy and Numba with them: import them where
they are used.
"""

from heckmeck.coach.turns import BadTurn, TurnSetup, state_of
from heckmeck.coach.units import NoChampion, Unit

__all__ = ["BadTurn", "NoChampion", "TurnSetup", "Unit", "state_of"]
