"""The summary of a tally: shares with intervals, seats, pairs, lengths and ratings."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from heckmeck.arena.error_bars import Interval, Spread, ratio_error, spread, wilson
from heckmeck.arena.ratings import Rating, rate
from heckmeck.arena.tally import AHEAD, WIN, Tally
from heckmeck.arena.tournament import Tournament


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
class BotSummary:
    """The results of a bot; its games are counted per seat.

    ``paired_error`` is the standard error of its share, computed from whole deals: luck that
    cancels out between games with the same dice does not count.
    """

    name: str
    won: Share
    mean_score: float
    paired_error: float | None


@dataclass(frozen=True, slots=True)
class PairSummary:
    """How often a bot was ahead of another at the same table."""

    name: str
    other: str
    ahead: Share


@dataclass(frozen=True, slots=True)
class Summary:
    """All figures of a tournament, as far as it was played, without bots that did not play."""

    games: int
    bots: tuple[BotSummary, ...]
    seats: tuple[Share, ...]
    pairs: tuple[PairSummary, ...]
    ratings: tuple[Rating, ...]
    turns: Spread
    words: Spread

    @property
    def first_player_advantage(self) -> float:
        """How much more often the first player wins than if seats did not matter."""
        return self.seats[0].share - 1 / len(self.seats)

    @property
    def first_player_interval(self) -> Interval:
        """The 95% confidence interval of the advantage."""
        low, high = self.seats[0].interval
        return Interval(low - 1 / len(self.seats), high - 1 / len(self.seats))


def summarise(tournament: Tournament, tally: Tally) -> Summary:
    """Compute the figures of one or more games."""
    seated = Counter[str]()
    for (bot, _), games in tally.seated.items():
        seated[bot] += games
    names = [name for name in tournament.names if seated[name]]
    pairs = [_pair(tally, one, two) for one, two in combinations(names, 2)]
    return Summary(
        games=tally.games,
        bots=tuple(_bot(tally, name) for name in names),
        seats=tuple(_seat(tally, seat) for seat in range(tournament.seats)),
        pairs=tuple(pair for pair in pairs if pair.ahead.games),
        ratings=tuple(_ratings(tally, names, tournament.seats)),
        turns=spread(tally.turns),
        words=spread(tally.words),
    )


def _bot(tally: Tally, name: str) -> BotSummary:
    scores = Counter({score: count for (bot, score), count in tally.scores.items() if bot == name})
    games = sum(count for (bot, _), count in tally.seated.items() if bot == name)
    parts = sum(count for (bot, _), count in tally.won.items() if bot == name)
    deals = Counter[tuple[int, float]]()
    for (bot, seats, won), count in tally.deals.items():
        if bot == name:
            deals[seats, won / WIN] += count
    return BotSummary(name, Share(games, parts / WIN), spread(scores).mean, ratio_error(deals))


def _seat(tally: Tally, seat: int) -> Share:
    parts = sum(count for (_, where), count in tally.won.items() if where == seat)
    return Share(tally.games, parts / WIN)


def _pair(tally: Tally, one: str, two: str) -> PairSummary:
    ahead, behind = tally.ahead[one, two], tally.ahead[two, one]
    return PairSummary(one, two, Share((ahead + behind) // AHEAD, ahead / AHEAD))


def _ratings(tally: Tally, names: list[str], seats: int) -> list[Rating]:
    if len(names) < 2:
        return []
    ahead = {pair: parts / AHEAD for pair, parts in tally.ahead.items()}
    return rate(names, ahead, seats)
