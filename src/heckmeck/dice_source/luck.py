"""What luck is: a uniform number below another one, and all that follows from it."""

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
        """Return a whole number from 0 to ``limit - 1``, each as likely as the others."""

    def throw(self, chances: Chances) -> Throw:
        """Let the dice fall: each throw as likely as its weight says."""
        return chances.at(self.below(chances.total))

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options, each as likely as the others."""
        return options[self.below(len(options))]
