"""Computer players, in one registry.

>>> [bot.name for bot in BOTS.values()]
['random', 'chick', 'rooster', 'fox', 'champion', 'grandmaster']
"""

from heckmeck.bots.bot import Bot, Player, UnknownBot
from heckmeck.bots.outside import BotMisbehaved
from heckmeck.bots.registry import BOTS, find_bot, player

__all__ = ["BOTS", "Bot", "BotMisbehaved", "Player", "UnknownBot", "find_bot", "player"]
