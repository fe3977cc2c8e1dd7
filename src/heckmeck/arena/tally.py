"""Counts of games: whole numbers only, so that tallies can be added in any order.

Every count is a histogram, and all figures of a report come from these. A bot is counted once per
seat it has at a table.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import lcm
from typing import Final

from heckmeck.arena.lockstep import Played

#: A win in parts: divisible by every number of players who can share it.
WIN: Final = lcm(*range(1, 8))
#: Being ahead of another player, in parts: players who share a place get half of them.
AHEAD: Final = 2


@dataclass(frozen=True, slots=True)
class Tally:
    """Counted games; the sum of two tallies counts the games of both."""

    #: (bot, seat): games.
    seated: Counter[tuple[str, int]] = field(default_factory=Counter)
    #: (bot, seat): parts of wins.
    won: Counter[tuple[str, int]] = field(default_factory=Counter)
    #: (bot, final score): how often.
    scores: Counter[tuple[str, int]] = field(default_factory=Counter)
    #: (bot, another bot): parts of being ahead in the final ranking.
    ahead: Counter[tuple[str, str]] = field(default_factory=Counter)
    #: (bot, its seats in a deal, its parts of wins there): deals.
    deals: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    #: Turns of a game: games.
    turns: Counter[int] = field(default_factory=Counter)
    #: Words of a game: games.
    words: Counter[int] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """The number of games counted."""
        return self.turns.total()

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.seated + other.seated,
            self.won + other.won,
            self.scores + other.scores,
            self.ahead + other.ahead,
            self.deals + other.deals,
            self.turns + other.turns,
            self.words + other.words,
        )

    def add_game(self, game: Played) -> None:
        """Count a game."""
        bots = game.fixture.bots
        for seat, bot in enumerate(bots):
            self.seated[bot, seat] += 1
            self.scores[bot, game.scores[seat]] += 1
        for seat in game.winners:
            self.won[bots[seat], seat] += WIN // len(game.winners)
        self._add_meetings(game)
        self.turns[game.turns] += 1
        self.words[len(game.moves)] += 1

    def _add_meetings(self, game: Played) -> None:
        bots = game.fixture.bots
        place = {seat: place for place, seats in enumerate(game.ranking) for seat in seats}
        for one, two in combinations(range(len(bots)), 2):
            if bots[one] != bots[two]:
                parts = AHEAD // 2 * (1 + (place[one] < place[two]) - (place[one] > place[two]))
                self.ahead[bots[one], bots[two]] += parts
                self.ahead[bots[two], bots[one]] += AHEAD - parts

    def add_deal(self, games: Sequence[Played]) -> None:
        """Count a whole deal: games of one line-up with the same dice, once in every rotation."""
        seats, won = Counter[str](), Counter[str]()
        for game in games:
            seats.update(game.fixture.bots)
            for seat in game.winners:
                won[game.fixture.bots[seat]] += WIN // len(game.winners)
        for bot, count in seats.items():
            self.deals[bot, count, won[bot]] += 1


def tally_of(games: Iterable[Played], seats: int) -> Tally:
    """Count games at tables of ``seats``; incomplete deals are ignored."""
    tally = Tally()
    deals: dict[int, list[Played]] = {}
    for game in games:
        tally.add_game(game)
        deals.setdefault(game.fixture.number // seats, []).append(game)
    for deal in deals.values():
        if len(deal) == seats:
            tally.add_deal(deal)
    return tally
