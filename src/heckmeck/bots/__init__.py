"""Players made of code, in one registry.

>>> [bot.name for bot in BOTS.values()]
['random']
"""

from heckmeck.bots.bot import Bot, Player, UnknownBot
from heckmeck.bots.registry import BOTS, find_bot

__all__ = ["BOTS", "Bot", "Player", "UnknownBot", "find_bot"]
