"""The only registry of bots."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from heckmeck.bots.bot import Bot, Player, UnknownBot
from heckmeck.bots.outside import (
    MOVE_SECONDS,
    PREFIX,
    OutsidePlayer,
    command_of,
    is_outside,
    outside_player,
)
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


def _champion() -> Player:
    from heckmeck.bots.champion.player import Champion

    return Champion()


def _grandmaster() -> Player:
    from heckmeck.bots.champion.player import Champion

    return Champion(deeper=True)


_ALL: Final = (
    Bot(
        name="random",
        level=0,
        character="The egg",
        about="Plays any legal move, chosen at random.",
        editions=tuple(EDITIONS),
        load=_random,
    ),
    Bot(
        name="chick",
        level=1,
        character="The chick",
        about="A beginner: keeps the most points and takes the first thing within reach.",
        editions=tuple(EDITIONS),
        load=_chick,
    ),
    Bot(
        name="rooster",
        level=2,
        character="The rooster",
        about="Plays well by rules of thumb: a worm early, and no needless risk.",
        editions=tuple(EDITIONS),
        load=_rooster,
    ),
    Bot(
        name="fox",
        level=3,
        character="The fox",
        about="Knows the exact odds and gets the most worms out of each turn.",
        editions=tuple(EDITIONS),
        load=_fox,
    ),
    Bot(
        name="champion",
        level=4,
        character="The badger",
        about="Plays for the win, not for worms: has learned what every table is worth.",
        editions=tuple(EDITIONS),
        load=_champion,
    ),
    Bot(
        name="grandmaster",
        level=5,
        character="The owl",
        about="Plays for the win and looks a whole turn further ahead.",
        editions=tuple(EDITIONS),
        load=_grandmaster,
    ),
)

#: By name, weakest first.
BOTS: Final[Mapping[str, Bot]] = MappingProxyType({bot.name: bot for bot in _ALL})


def find_bot(name: str, *, outside: bool = False) -> Bot:
    """Return the bot of that name; raise `UnknownBot`, listing all names, if there is none.

    With ``outside`` the name may also be that of a program, as in ``exec:./mybot``. Never allow
    this for a name received over the network: it chooses what runs here.
    """
    if outside and is_outside(name):
        return _outside_bot(name)
    if name not in BOTS:
        programs = f" Your own program would be {PREFIX}./mybot." if outside else ""
        raise UnknownBot(f"There is no bot {name!r:.40}. The bots are {', '.join(BOTS)}.{programs}")
    return BOTS[name]


def player(name: str, *, outside: bool = False, seconds: float = MOVE_SECONDS) -> Player:
    """Return the player of that name, created once per process; raise `UnknownBot` if none.

    ``outside`` is as for `find_bot`; ``seconds`` is the time limit per move of such a program.
    """
    if outside and is_outside(name):
        return outside_player(name, seconds)
    return _known_player(name)


@cache
def _known_player(name: str) -> Player:
    return find_bot(name).load()


def _outside_bot(name: str) -> Bot:
    command = command_of(name)
    return Bot(
        name=name,
        level=0,
        character="A program",
        about=f"Plays as the program {command[0]} does.",
        editions=tuple(EDITIONS),
        load=lambda: OutsidePlayer(name),
    )
