"""Estimates from games, with error bars: shares, means, and ratings on the Elo scale.

Ratings follow the Bradley-Terry model: a player 400 points stronger is ahead of the other ten times
as often. They maximise the likelihood of the results (by Newton's method; there is one maximum),
and their error bars come from its curvature.

Why not openskill: its ratings depend on the order of the games and forget old ones, which is right
for people, who learn. Bots do not learn, so all games count equally here, their order does not
matter, and the error bars are those of the data. It also needs no other package.

- A shared place is half a win for both.
- Every bot also has one drawn game against an imaginary average player, so that a bot that won all
  its games has a finite rating. Among hundreds of games this is negligible.
- The pairs at a table of four are not independent: the ranking of n players has at most n - 1
  independent comparisons, so each of the n (n - 1) / 2 pairs counts as 2 / n of a game.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum, sqrt
from typing import Final, NamedTuple

from heckmeck.arithmetic import exp, log

#: The half width of a 95% confidence interval, in standard errors.
Z95: Final = 1.959963984540054

AVERAGE: Final = 1500.0
#: Elo points for odds of e : 1.
SCALE: Final = 400 / log(10)
#: Newton's method converges in a handful of steps; larger steps could overshoot.
STEPS: Final = 100
LONGEST_STEP: Final = 2.0
EXACT: Final = 1e-12

Matrix = list[list[float]]


class Interval(NamedTuple):
    """A 95% confidence interval."""

    low: float
    high: float


class Spread(NamedTuple):
    """Mean and extremes of a histogram."""

    mean: float
    low: int
    high: int


def wilson(wins: float, games: int) -> Interval:
    """Return Wilson's interval for the share of ``wins`` in ``games``.

    It stays between 0 and 1, and is correct for few games and for extreme shares. Shared wins vary
    less than it assumes; then it is a little too wide.

    >>> low, high = wilson(68, 100)
    >>> round(low, 4), round(high, 4)
    (0.5834, 0.7633)
    """
    if games == 0:
        return Interval(0.0, 1.0)
    share, square = wins / games, Z95 * Z95
    middle = share + square / (2 * games)
    half = Z95 * sqrt(share * (1 - share) / games + square / (4 * games * games))
    scale = 1 + square / games
    # Rounding must not put a share of 0 or 1 outside the interval.
    low, high = (middle - half) / scale, (middle + half) / scale
    return Interval(min(max(low, 0.0), share), max(min(high, 1.0), share))


def spread(histogram: Mapping[int, int]) -> Spread:
    """Return mean, minimum and maximum of a histogram with at least one entry.

    >>> spread({2: 3, 10: 1})
    Spread(mean=4.0, low=2, high=10)
    """
    total = sum(value * count for value, count in histogram.items())
    return Spread(total / sum(histogram.values()), min(histogram), max(histogram))


def paired_error(deals: Counter[tuple[int, float]]) -> float | None:
    """Return the standard error of wins per game from deals: (games, wins) of a bot, and counts.

    Deals must be independent of each other; the games of one deal, which share their dice, need
    not be. How many deals have how many games of the bot is not left to chance, so only the
    variance among deals with equally many counts. ``None`` if one of these stands alone.

    >>> paired_error(Counter({(2, 1.0): 10}))
    0.0
    """
    alike: dict[int, Counter[float]] = {}
    for (games, wins), times in deals.items():
        alike.setdefault(games, Counter())[wins] += times
    if not alike or min(each.total() for each in alike.values()) < 2:
        return None
    variances = [_variance_of_sum(games, wins) for games, wins in alike.items()]
    return sqrt(fsum(variances)) / sum(games * times for (games, _), times in deals.items())


def _variance_of_sum(games: int, wins: Counter[float]) -> float:
    """Estimate the variance of all wins from deals of ``games`` each: wins, and how often."""
    count = wins.total()
    # fsum: the same to the last bit in any order of the deals.
    share = fsum(each * times for each, times in wins.items()) / (games * count)
    off = ((each - share * games, times) for each, times in wins.items())
    return fsum(times * (each * each) for each, times in off) * count / (count - 1)


class Moments(NamedTuple):
    """Deals with equally many games: how many, and the sums of their results and of the squares.

    Results are whole numbers.
    """

    deals: int
    results: int
    squares: int


def mean_by_deals(moments: Mapping[int, Moments]) -> tuple[float, float] | None:
    """Return the mean result per game and its standard error, from deals by the games in each.

    As in `paired_error`, a deal is one observation, and only the variance among deals with equally
    many games counts. ``None`` if one of these stands alone.

    >>> mean_by_deals({2: Moments(2, 6, 20)})
    (1.5, 0.5)
    """
    if not moments or min(each.deals for each in moments.values()) < 2:
        return None
    games = sum(count * each.deals for count, each in moments.items())
    # The sum over n deals has n times the variance of one; whole numbers lose nothing.
    variances = [
        (each.deals * each.squares - each.results**2) / (each.deals - 1)
        for each in moments.values()
    ]
    return sum(each.results for each in moments.values()) / games, sqrt(fsum(variances)) / games


class Rating(NamedTuple):
    """A rating; the mean of all is 1500."""

    name: str
    rating: float
    error: float

    @property
    def interval(self) -> Interval:
        """The 95% confidence interval."""
        return Interval(self.rating - Z95 * self.error, self.rating + Z95 * self.error)


def rate(
    names: Sequence[str], ahead: Mapping[tuple[str, str], float], seats: int = 2
) -> list[Rating]:
    """Rate the players; ``ahead`` is how often each was ahead of each other.

    >>> for rating in rate(["fox", "chick"], {("fox", "chick"): 1000, ("chick", "fox"): 100}):
    ...     print(f"{rating.name}: {rating.rating:.0f} ± {Z95 * rating.error:.0f}")
    fox: 1700 ± 18
    chick: 1300 ± 18
    """
    weight = 2 / seats
    wins = [[weight * ahead.get((one, two), 0) for two in names] for one in names]
    strength = [0.0] * len(names)
    for _ in range(STEPS):
        slope, curvature = _likelihood(wins, strength)
        step = _times(_inverse(curvature), slope)
        strength = [
            old + max(-LONGEST_STEP, min(LONGEST_STEP, change))
            for old, change in zip(strength, step, strict=True)
        ]
        if max(map(abs, step), default=0.0) < EXACT:
            break
    errors = _centred_errors(_inverse(_likelihood(wins, strength)[1]))
    mean = fsum(strength) / max(len(strength), 1)
    return [
        Rating(name, AVERAGE + SCALE * (each - mean), SCALE * error)
        for name, each, error in zip(names, strength, errors, strict=True)
    ]


def _likelihood(wins: Matrix, strength: list[float]) -> tuple[list[float], Matrix]:
    """Return slope and (negative) curvature of the log-likelihood."""
    count = len(strength)
    average = [_chance(each) for each in strength]  # of beating the imaginary average player
    slope = [0.5 - each for each in average]
    curvature = [[0.0] * count for _ in range(count)]
    for one in range(count):
        curvature[one][one] += average[one] * (1 - average[one])
        for two in range(count):
            games = wins[one][two] + wins[two][one]
            chance = _chance(strength[one] - strength[two])
            slope[one] += wins[one][two] - games * chance
            if one != two:
                information = games * chance * (1 - chance)
                curvature[one][one] += information
                curvature[one][two] -= information
    return slope, curvature


def _chance(difference: float) -> float:
    return 1 / (1 + exp(-difference)) if difference > 0 else 1 - 1 / (1 + exp(difference))


def _times(matrix: Matrix, vector: list[float]) -> list[float]:
    return [fsum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _inverse(matrix: Matrix) -> Matrix:
    """Invert a positive definite matrix (Gauss-Jordan, without pivoting)."""
    size = len(matrix)
    rows = [
        [*row, *(float(column == place) for column in range(size))]
        for place, row in enumerate(matrix)
    ]
    for pivot in range(size):
        scale = rows[pivot][pivot]
        rows[pivot] = [value / scale for value in rows[pivot]]
        for other in range(size):
            if other != pivot:
                factor = rows[other][pivot]
                rows[other] = [
                    value - factor * base
                    for value, base in zip(rows[other], rows[pivot], strict=True)
                ]
    return [row[size:] for row in rows]


def _centred_errors(covariance: Matrix) -> list[float]:
    """Return the standard errors of the ratings relative to their mean."""
    size = len(covariance)
    means = [fsum(row) / size for row in covariance]
    overall = fsum(means) / max(size, 1)
    return [
        sqrt(max(covariance[each][each] - 2 * means[each] + overall, 0.0)) for each in range(size)
    ]
