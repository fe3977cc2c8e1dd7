"""The only registry of bots."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from heckmeck.bots import random_bot
from heckmeck.bots.bot import Bot, UnknownBot
from heckmeck.rules import EDITIONS

#: By name, weakest first.
BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Bot(
                name="random",
                level=0,
                character="The egg",
                about="Does anything that is allowed, each thing as gladly as another.",
                editions=tuple(EDITIONS),
                choose=random_bot.choose,
            ),
        )
    }
)


def find_bot(name: str) -> Bot:
    """Return the bot of that name; raise `UnknownBot` with the names there are."""
    if name not in BOTS:
        raise UnknownBot(f"There is no bot {name!r:.40}. There are: {', '.join(BOTS)}.")
    return BOTS[name]
