"""The weakest bot, and the yardstick for all others."""

from heckmeck.bots.bot import Alone
from heckmeck.dice_source import Luck
from heckmeck.rules import AnyState, Move, legal


def choose(state: AnyState, luck: Luck) -> Move:
    """Choose any legal move, all equally likely."""
    return luck.choice(legal(state))


RANDOM = Alone(choose)
