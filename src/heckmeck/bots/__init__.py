"""Computer players, in the only registry of bots.

>>> [bot.name for bot in BOTS.values()]
['random', 'chick', 'rooster', 'fox', 'champion', 'grandmaster']
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Final, Protocol

from heckmeck.bots import outside as programs
from heckmeck.bots import own
from heckmeck.bots.outside import BotMisbehaved, UnknownBot
from heckmeck.dice import Luck
from heckmeck.rules import EDITIONS, AnyState, Move

#: A bot of one's own, in messages.
EXAMPLE: Final = "py:my_bots:MyBot"


class Player(Protocol):
    """Chooses moves. All randomness comes from the luck it is given: same luck, same game."""

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Choose one of the legal moves of a state in which a player has to decide."""
        ...

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Choose a move for each of many tables at once, each as `choose` would."""
        ...


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot with its name and description.

    ``load`` creates the player; what it needs is imported only then.
    """

    name: str
    level: int
    character: str
    about: str
    editions: tuple[str, ...]
    load: Callable[[], Player]


def _load(name: str) -> Player:
    from heckmeck.bots.rules_of_thumb import PLAYERS

    if name in PLAYERS:
        return PLAYERS[name]
    from heckmeck.bots.exact import ExactInEach

    return ExactInEach(name)


#: Name, character and description, weakest first.
_ALL: Final = (
    ("random", "The egg", "Plays any legal move, chosen at random."),
    (
        "chick",
        "The chick",
        "A beginner: keeps the most points and takes the first thing within reach.",
    ),
    ("rooster", "The rooster", "Plays well by rules of thumb: a worm early, and no needless risk."),
    ("fox", "The fox", "Knows the exact odds and gets the most worms out of each turn."),
    (
        "champion",
        "The badger",
        "Plays for the win, not for worms: has learned what every table is worth.",
    ),
    ("grandmaster", "The owl", "Plays for the win and looks a whole turn further ahead."),
)

_REGISTRY: Final = {
    name: Bot(name, level, character, about, tuple(EDITIONS), partial(_load, name))
    for level, (name, character, about) in enumerate(_ALL)
}
#: The names of the bots that heckmeck brings.
OURS: Final = tuple(_REGISTRY)
#: By name, weakest first; then the guests that were invited with `invite`.
BOTS: Final[Mapping[str, Bot]] = MappingProxyType(_REGISTRY)
#: The bots behind the names of guests.
_GUESTS: Final[dict[str, str]] = {}


def find_bot(name: str, *, outside: bool = False) -> Bot:
    """Return the bot of that name; raise `UnknownBot`, listing all names, if there is none.

    With ``outside`` the name may also be that of a program, as in ``exec:./mybot``, or of a bot in
    Python (`heckmeck.bots.own`). Never allow this for a name received over the network: it chooses
    what runs here.
    """
    if outside and is_outside(name):
        return _outside_bot(name)
    if name not in BOTS:
        yours = " Your own is py:module:Class or exec:./mybot." if outside else ""
        raise UnknownBot(f"There is no bot {name!r:.40}. The bots are {', '.join(BOTS)}.{yours}")
    return BOTS[name]


def player(name: str, *, outside: bool = False, seconds: float = programs.MOVE_SECONDS) -> Player:
    """Return the player of that name, created once per process; raise `UnknownBot` if none.

    ``outside`` is as for `find_bot`; ``seconds`` is the time limit per move of such a program.
    """
    if name in _GUESTS:
        return player(_GUESTS[name], outside=True, seconds=seconds)
    if outside and programs.is_outside(name):
        return programs.outside_player(name, seconds)
    if outside and is_outside(name):
        return own.own_player(name)
    return _known_player(name)


def is_outside(name: str) -> bool:
    """Whether a name is that of a bot outside the registry: a program, or one's own in Python."""
    return name not in BOTS and (programs.is_outside(name) or own.is_own(name))


def invite(guests: Mapping[str, str]) -> None:
    """Add bots from outside to the registry of this process, each under a name for everybody.

    They replace those invited before. The names in ``guests`` may come from the network later; the
    bots behind them are chosen by the person who starts a program, since this runs them. Raise
    `UnknownBot` if one cannot be invited.
    """
    invited = {name: _guest(name, bot) for name, bot in guests.items()}
    for name in _GUESTS:
        del _REGISTRY[name]
    _GUESTS.clear()
    _REGISTRY.update(invited)
    _GUESTS.update(guests)


def _guest(name: str, bot: str) -> Bot:
    """Return a bot as strangers see it: neither its module nor its file is for them."""
    if not is_outside(bot):
        find_bot(bot, outside=True)  # says what is missing
        raise UnknownBot(f"{bot} plays at every table. Name bots of your own, as in {EXAMPLE}.")
    if name in OURS:
        raise UnknownBot(f"{name} is already a bot. Give yours another name: NAME={bot}.")
    about = "" if programs.is_outside(bot) else own.about(bot)
    return replace(find_bot(bot, outside=True), name=name, character=name, about=about)


@cache
def _known_player(name: str) -> Player:
    return find_bot(name).load()


def _outside_bot(name: str) -> Bot:
    if not programs.is_outside(name):
        own.own_player(name)  # so that what is wrong with it is known now
        about, editions = f"Plays as {name} does.", own.editions_of(name)
        return Bot(name, 0, "Your own", about, editions, partial(own.own_player, name))
    command = programs.command_of(name)
    return Bot(
        name=name,
        level=0,
        character="A program",
        about=f"Plays as the program {command[0]} does.",
        editions=tuple(EDITIONS),
        load=lambda: programs.OutsidePlayer(name),
    )


__all__ = [
    "BOTS",
    "OURS",
    "Bot",
    "BotMisbehaved",
    "Player",
    "UnknownBot",
    "find_bot",
    "invite",
    "is_outside",
    "player",
]
