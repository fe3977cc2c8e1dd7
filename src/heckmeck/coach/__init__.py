"""What the solver knows, for people: the odds of a turn, and advice for a position."""

from heckmeck.coach.advice import Advice, advise
from heckmeck.coach.odds import Odds, TurnSetup, odds

__all__ = ["Advice", "Odds", "TurnSetup", "advise", "odds"]
