"""What a bot is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from heckmeck.dice_source import Luck
from heckmeck.rules import AnyState, Move

#: Chooses one of the legal moves of a state in which a player is awaited. All chance it needs comes
#: from the luck it is given, so that the same luck makes the same game.
Player: TypeAlias = Callable[[AnyState, Luck], Move]


class UnknownBot(LookupError):
    """There is no bot of that name."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A player made of code, with what people need to choose it by."""

    name: str
    level: int
    character: str
    about: str
    editions: tuple[str, ...]
    choose: Player
