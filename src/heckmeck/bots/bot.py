"""The interface of a bot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from heckmeck.dice_source import Luck
from heckmeck.rules import AnyState, Move


class UnknownBot(LookupError):
    """There is no bot of that name."""


class Player(Protocol):
    """Chooses moves. All randomness comes from the luck it is given: same luck, same game."""

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Choose one of the legal moves of a state in which a player has to decide."""
        ...

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Choose a move for each of many tables at once, each as `choose` would."""
        ...


@dataclass(frozen=True, slots=True)
class Alone:
    """A player that decides at each table separately."""

    rule: Callable[[AnyState, Luck], Move]

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Choose by the rule."""
        return self.rule(state, luck)

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Choose by the rule, table by table."""
        return [self.rule(state, luck) for state, luck in zip(states, lucks, strict=True)]


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
