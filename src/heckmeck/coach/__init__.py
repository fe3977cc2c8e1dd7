"""What the solver knows, for people: odds of a turn, advice for a position, review of a game."""

from heckmeck.coach.advice import Advice, advise
from heckmeck.coach.odds import Odds, TurnSetup, odds
from heckmeck.coach.review import Review, review

__all__ = ["Advice", "Odds", "Review", "TurnSetup", "advise", "odds", "review"]
