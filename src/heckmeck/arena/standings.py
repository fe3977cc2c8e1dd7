"""Games counted, and the standings of a tournament computed from the counts.

A tally holds whole numbers only, so that tallies can be added in any order. A bot is counted once
per seat it has at a table.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import combinations, repeat
from math import lcm
from typing import Final, TypeVar

from heckmeck.arena.adjusted import Luck
from heckmeck.arena.estimates import (
    Z95,
    Interval,
    Moments,
    Rating,
    Spread,
    mean_by_deals,
    paired_error,
    rate,
    spread,
    wilson,
)
from heckmeck.arena.tournament import GameResult, Tournament

T = TypeVar("T")

#: A win in parts: divisible by every number of players who can share it.
WIN: Final = lcm(*range(1, 8))
#: A luck-adjusted win in parts: fine enough for any figure, and whole numbers add up exactly.
ADJUSTED: Final = 1 << 40
#: Being ahead of another player, in parts: players who share a place get half of them.
AHEAD: Final = 2


@dataclass(frozen=True, slots=True)
class Tally:
    """Counted games, as histograms; the sum of two tallies counts the games of both."""

    #: (bot, seat): parts of wins.
    won: Counter[tuple[str, int]] = field(default_factory=Counter)
    #: (bot, final score): how often.
    scores: Counter[tuple[str, int]] = field(default_factory=Counter)
    #: (bot, another bot): parts of being ahead in the final ranking.
    ahead: Counter[tuple[str, str]] = field(default_factory=Counter)
    #: (bot, its seats in a deal, its parts of wins there): deals.
    deals: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    #: (bot, its seats in a deal, power): deals, and the sums of its luck-adjusted wins in parts and
    #: of their squares; empty unless luck was computed.
    adjusted: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    #: Turns of a game: games.
    turns: Counter[int] = field(default_factory=Counter)
    #: Moves of a game, throws included: games.
    moves: Counter[int] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """The number of games counted."""
        return self.turns.total()

    def __add__(self, other: "Tally") -> "Tally":
        names = [each.name for each in fields(self)]
        return Tally(*(_sum(getattr(self, name), getattr(other, name)) for name in names))

    def add_game(self, game: GameResult) -> None:
        """Count a game."""
        bots = game.fixture.bots
        self.scores.update(zip(bots, game.scores, strict=True))
        for seat in game.winners:
            self.won[bots[seat], seat] += WIN // len(game.winners)
        self._add_meetings(game)
        self.turns[game.turns] += 1
        self.moves[len(game.moves)] += 1

    def _add_meetings(self, game: GameResult) -> None:
        bots = game.fixture.bots
        place = {seat: place for place, seats in enumerate(game.ranking) for seat in seats}
        for one, two in combinations(range(len(bots)), 2):
            if bots[one] != bots[two]:
                parts = AHEAD // 2 * (1 + (place[one] < place[two]) - (place[one] > place[two]))
                self.ahead[bots[one], bots[two]] += parts
                self.ahead[bots[two], bots[one]] += AHEAD - parts

    def add_deal(self, games: Sequence[GameResult]) -> None:
        """Count a whole deal: games of one line-up with the same dice, once in every rotation."""
        seats, won = Counter[str](), Counter[str]()
        for game in games:
            seats.update(game.fixture.bots)
            for seat in game.winners:
                won[game.fixture.bots[seat]] += WIN // len(game.winners)
        for bot, count in seats.items():
            self.deals[bot, count, won[bot]] += 1

    def add_luck(self, games: Sequence[GameResult], lucks: Sequence[Luck]) -> None:
        """Count the luck-adjusted results of a whole deal."""
        seats, won = Counter[str](), Counter[str]()
        for game, luck in zip(games, lucks, strict=True):
            for seat, bot in enumerate(game.fixture.bots):
                result = (seat in game.winners) / len(game.winners)
                seats[bot] += 1
                won[bot] += round(ADJUSTED * (result - luck[seat]))
        for bot, count in seats.items():
            for power in range(3):
                self.adjusted[bot, count, power] += won[bot] ** power


def _sum(one: Counter[T], two: Counter[T]) -> Counter[T]:
    """Add counts, which may be negative."""
    total = Counter(one)
    total.update(two)
    return total


def tally_of(games: Iterable[GameResult], seats: int, lucks: Iterable[Luck] | None = None) -> Tally:
    """Count games at tables of ``seats``; incomplete deals are ignored.

    ``lucks`` are what the dice gave in each of them, for luck-adjusted results.
    """
    tally = Tally()
    deals: dict[int, list[tuple[GameResult, Luck]]] = {}
    for game, luck in zip(games, repeat([]) if lucks is None else lucks, strict=False):
        tally.add_game(game)
        deals.setdefault(game.fixture.number // seats, []).append((game, luck))
    for deal in deals.values():
        if len(deal) == seats:
            played, gained = zip(*deal, strict=True)
            tally.add_deal(played)
            if lucks is not None:
                tally.add_luck(played, gained)
    return tally


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games; a shared win counts in equal parts."""

    games: int
    wins: float

    @property
    def share(self) -> float:
        """Wins per game."""
        return self.wins / self.games

    @property
    def interval(self) -> Interval:
        """The 95% confidence interval of the share."""
        return wilson(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class AdjustedShare:
    """A bot's share of wins without the luck of the dice, from whole deals, and its error."""

    share: float
    error: float
    variance_ratio: float | None
    """How many times as many games the share with luck needs for the same error, the deals being
    the same: their dice cancel out in part."""

    @property
    def interval(self) -> Interval:
        """The 95% confidence interval of the share."""
        return Interval(self.share - Z95 * self.error, self.share + Z95 * self.error)


@dataclass(frozen=True, slots=True)
class BotStanding:
    """The results of a bot; its games are counted per seat.

    ``paired_error`` is the standard error of its share, computed from whole deals: luck that
    cancels out between games with the same dice does not count.
    """

    name: str
    won: Share
    mean_score: float
    paired_error: float | None
    adjusted: AdjustedShare | None = None


@dataclass(frozen=True, slots=True)
class PairStanding:
    """How often a bot was ahead of another at the same table."""

    name: str
    other: str
    ahead: Share


@dataclass(frozen=True)
class Standings:
    """All figures of one or more games of a tournament, without bots that did not play."""

    tournament: Tournament
    tally: Tally
    seconds: float
    """How long the games took."""

    @property
    def games_per_second(self) -> float:
        """Games finished per second."""
        return self.tally.games / self.seconds

    @property
    def is_complete(self) -> bool:
        """Whether all games were played."""
        return self.tally.games == self.tournament.games

    @cached_property
    def bots(self) -> tuple[BotStanding, ...]:
        """The bots, in the order they were named."""
        played = {bot for bot, _ in self.tally.scores}
        return tuple(_bot(self.tally, name) for name in self.tournament.names if name in played)

    @cached_property
    def seats(self) -> tuple[Share, ...]:
        """How often each seat won."""
        won = Counter[int]()
        for (_, seat), parts in self.tally.won.items():
            won[seat] += parts
        return tuple(
            Share(self.tally.games, won[seat] / WIN) for seat in range(self.tournament.seats)
        )

    @cached_property
    def pairs(self) -> tuple[PairStanding, ...]:
        """Every two bots that met."""
        names = [bot.name for bot in self.bots]
        pairs = [_pair(self.tally, one, two) for one, two in combinations(names, 2)]
        return tuple(pair for pair in pairs if pair.ahead.games)

    @cached_property
    def ratings(self) -> tuple[Rating, ...]:
        """The bots rated, if there are at least two."""
        if len(self.bots) < 2:
            return ()
        ahead = {pair: parts / AHEAD for pair, parts in self.tally.ahead.items()}
        return tuple(rate([bot.name for bot in self.bots], ahead, self.tournament.seats))

    @property
    def turns(self) -> Spread:
        """The turns of a game."""
        return spread(self.tally.turns)

    @property
    def moves(self) -> Spread:
        """The moves of a game, throws included."""
        return spread(self.tally.moves)

    @property
    def first_player_advantage(self) -> float:
        """How much more often the first player wins than if seats did not matter."""
        return self.seats[0].share - 1 / len(self.seats)

    @property
    def first_player_interval(self) -> Interval:
        """The 95% confidence interval of the advantage."""
        low, high = self.seats[0].interval
        return Interval(low - 1 / len(self.seats), high - 1 / len(self.seats))


def _bot(tally: Tally, name: str) -> BotStanding:
    scores = Counter({score: count for (bot, score), count in tally.scores.items() if bot == name})
    parts = sum(count for (bot, _), count in tally.won.items() if bot == name)
    deals = Counter[tuple[int, float]]()
    for (bot, seats, won), count in tally.deals.items():
        if bot == name:
            deals[seats, won / WIN] += count
    won_share = Share(scores.total(), parts / WIN)
    error = paired_error(deals)
    return BotStanding(name, won_share, spread(scores).mean, error, _adjusted(tally, name, error))


def _adjusted(tally: Tally, name: str, paired: float | None) -> AdjustedShare | None:
    """Return a bot's luck-adjusted share; None if luck was not computed, or for too few deals."""
    moments = {
        seats: Moments(count, tally.adjusted[name, seats, 1], tally.adjusted[name, seats, 2])
        for (bot, seats, power), count in tally.adjusted.items()
        if bot == name and power == 0
    }
    found = mean_by_deals(moments)
    if found is None:
        return None
    share, error = found[0] / ADJUSTED, found[1] / ADJUSTED
    ratio = (paired / error) ** 2 if paired is not None and error else None
    return AdjustedShare(share, error, ratio)


def _pair(tally: Tally, one: str, two: str) -> PairStanding:
    ahead, behind = tally.ahead[one, two], tally.ahead[two, one]
    return PairStanding(one, two, Share((ahead + behind) // AHEAD, ahead / AHEAD))
