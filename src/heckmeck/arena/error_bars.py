"""Shares and means with their error bars."""

from collections import Counter
from collections.abc import Mapping
from math import fsum, sqrt
from typing import Final, NamedTuple

#: The half width of a 95% confidence interval, in standard errors.
Z95: Final = 1.959963984540054


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


def ratio_error(deals: Counter[tuple[int, float]]) -> float | None:
    """Return the standard error of wins per game from deals: (games, wins) of a bot, and counts.

    Deals must be independent of each other; the games of one deal, which share their dice, need
    not be. ``None`` for fewer than two deals.

    >>> ratio_error(Counter({(2, 1.0): 10}))
    0.0
    """
    count = deals.total()
    if count < 2:
        return None
    games = sum(each * times for (each, _), times in deals.items())
    # fsum: the same to the last bit in any order of the deals.
    share = fsum(wins * times for (_, wins), times in deals.items()) / games
    off = ((wins - share * each, times) for (each, wins), times in deals.items())
    squares = fsum(times * (each * each) for each, times in off)
    return sqrt(squares * count / (count - 1)) / games
