"""Error bars against numbers worked out by hand or taken from the literature."""

from collections import Counter
from math import isclose, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.arena.error_bars import Z95, ratio_error, spread, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_agrees_with_the_literature(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


@given(games=st.integers(1, 10_000), part=st.floats(0, 1))
def test_wilson_holds_the_share_and_stays_in_bounds(games: int, part: float) -> None:
    wins = part * games
    low, high = wilson(wins, games)
    assert 0 <= low <= wins / games <= high <= 1


@pytest.mark.parametrize("games", range(1, 60))
def test_nothing_and_all_are_the_ends_of_their_intervals(games: int) -> None:
    assert wilson(0, games).low == 0
    assert wilson(games, games).high == 1


@given(games=st.integers(1, 10_000), wins=st.integers(0, 10_000))
def test_wilson_is_the_same_from_the_other_side(games: int, wins: int) -> None:
    wins = min(wins, games)
    low, high = wilson(wins, games)
    other_low, other_high = wilson(games - wins, games)
    assert isclose(low, 1 - other_high, abs_tol=1e-12)
    assert isclose(high, 1 - other_low, abs_tol=1e-12)


def test_without_games_anything_may_be_true() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_z_is_that_of_95_percent() -> None:
    assert pytest.approx(0.95) == NormalDist().cdf(Z95) - NormalDist().cdf(-Z95)


def test_a_spread() -> None:
    assert spread({21: 1, 25: 2, 31: 1}) == (25.5, 21, 31)


def test_the_paired_error_of_deals_by_hand() -> None:
    """Three deals of two games won 2, 1 and 0 times: share 1/2, deviations 1, 0 and -1."""
    deals = Counter({(2, 2.0): 1, (2, 1.0): 1, (2, 0.0): 1})
    assert ratio_error(deals) == pytest.approx(sqrt(2 * 3 / 2) / 6)


def test_the_paired_error_of_single_games_is_the_usual_one() -> None:
    deals = Counter({(1, 1.0): 30, (1, 0.0): 70})
    assert ratio_error(deals) == pytest.approx(sqrt(0.3 * 0.7 / 99))


@given(st.permutations([((2, wins / 6), 7 * wins + 1) for wins in range(13)]))
def test_the_paired_error_does_not_depend_on_the_order_of_the_deals(
    deals: list[tuple[tuple[int, float], int]],
) -> None:
    assert ratio_error(Counter(dict(deals))) == ratio_error(Counter(dict(sorted(deals))))


def test_luck_that_evens_out_within_deals_is_no_error() -> None:
    assert ratio_error(Counter({(2, 1.0): 50})) == 0.0


@pytest.mark.parametrize("deals", [Counter[tuple[int, float]](), Counter({(2, 1.0): 1})])
def test_one_deal_tells_nothing_about_the_error(deals: Counter[tuple[int, float]]) -> None:
    assert ratio_error(deals) is None
