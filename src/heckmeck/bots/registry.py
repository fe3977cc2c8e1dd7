"""The only registry of bots."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from heckmeck.bots.bot import Bot, Player, UnknownBot
from heckmeck.rules import EDITIONS


def _random() -> Player:
    from heckmeck.bots.random_bot import RANDOM

    return RANDOM


def _chick() -> Player:
    from heckmeck.bots.chick import CHICK

    return CHICK


def _rooster() -> Player:
    from heckmeck.bots.rooster import ROOSTER

    return ROOSTER


def _fox() -> Player:
    from heckmeck.bots.solving import Solving
    from heckmeck.bots.worms import WormSwing

    return Solving(WormSwing())


_ALL: Final = (
    Bot(
        name="random",
        level=0,
        character="The egg",
        about="Does anything that is allowed, each thing as gladly as another.",
        editions=tuple(EDITIONS),
        load=_random,
    ),
    Bot(
        name="chick",
        level=1,
        character="The chick",
        about="A beginner: keeps what counts most and grabs the first thing within reach.",
        editions=tuple(EDITIONS),
        load=_chick,
    ),
    Bot(
        name="rooster",
        level=2,
        character="The rooster",
        about="A good player by rule of thumb: a worm early, and no needless risk.",
        editions=tuple(EDITIONS),
        load=_rooster,
    ),
    Bot(
        name="fox",
        level=3,
        character="The fox",
        about="Knows the exact odds and takes the most worms a turn can bring.",
        editions=tuple(EDITIONS),
        load=_fox,
    ),
)

#: By name, weakest first.
BOTS: Final[Mapping[str, Bot]] = MappingProxyType({bot.name: bot for bot in _ALL})


def find_bot(name: str) -> Bot:
    """Return the bot of that name; raise `UnknownBot` with the names there are."""
    if name not in BOTS:
        raise UnknownBot(f"There is no bot {name!r:.40}. There are: {', '.join(BOTS)}.")
    return BOTS[name]


@cache
def player(name: str) -> Player:
    """Return the player of that name, made once a process; raise `UnknownBot` if there is none."""
    return find_bot(name).load()
