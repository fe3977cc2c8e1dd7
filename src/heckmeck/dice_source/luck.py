"""The interface of luck: a uniform number below a limit, and everything built on it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeVar

from heckmeck.rules import Chances
from heckmeck.rules.moves import Throw

T = TypeVar("T")


class Luck(ABC):
    """A source of fair throws and choices."""

    @abstractmethod
    def below(self, limit: int) -> int:
        """Return a whole number from 0 to ``limit - 1``, uniformly distributed."""

    def throw(self, chances: Chances) -> Throw:
        """Draw one of the throws, according to their weights."""
        return chances.at(self.below(chances.total))

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options, all equally likely."""
        return options[self.below(len(options))]
