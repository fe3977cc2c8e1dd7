"""Players, seats and dice of every game, derived from its number.

A line-up is played once in every rotation of its seats with the same dice, so that neither the
seat nor luck favours any bot; then the next line-up is played, and after the last one all of them
again with new dice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from heckmeck.dice_source import key_of


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played: the bots by seat, and the key of its dice."""

    number: int
    bots: tuple[str, ...]
    dice: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of a tournament, by number."""

    bots: tuple[str, ...]
    seats: int
    seed: int

    @property
    def line_ups(self) -> list[tuple[str, ...]]:
        """Every choice of bots for a table; with fewer bots than seats, bots take several seats."""
        if len(self.bots) >= self.seats:
            return list(combinations(self.bots, self.seats))
        count = len(self.bots)
        return [
            tuple(self.bots[(first + seat) % count] for seat in range(self.seats))
            for first in range(count)
        ]

    def fixtures(self, first: int, count: int) -> Iterator[Fixture]:
        """Yield ``count`` games, starting with the number ``first``."""
        line_ups = self.line_ups
        for number in range(first, first + count):
            deal, rotation = divmod(number, self.seats)
            line_up = line_ups[deal % len(line_ups)]
            bots = line_up[rotation:] + line_up[:rotation]
            yield Fixture(number, bots, key_of(self.seed, deal))
