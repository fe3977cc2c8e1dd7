"""Error bars and ratings against numbers that are known."""

from collections import Counter
from itertools import combinations
from math import isclose, log, log10, sqrt
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.arena.estimates import AVERAGE, SCALE, Z95, paired_error, rate, spread, wilson


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
    assert paired_error(deals) == pytest.approx(sqrt(2 * 3 / 2) / 6)


def test_the_paired_error_of_single_games_is_the_usual_one() -> None:
    deals = Counter({(1, 1.0): 30, (1, 0.0): 70})
    assert paired_error(deals) == pytest.approx(sqrt(0.3 * 0.7 / 99))


@given(st.permutations([((2, wins / 6), 7 * wins + 1) for wins in range(13)]))
def test_the_paired_error_does_not_depend_on_the_order_of_the_deals(
    deals: list[tuple[tuple[int, float], int]],
) -> None:
    assert paired_error(Counter(dict(deals))) == paired_error(Counter(dict(sorted(deals))))


def test_luck_that_evens_out_within_deals_is_no_error() -> None:
    assert paired_error(Counter({(2, 1.0): 50})) == 0.0


@pytest.mark.parametrize("deals", [Counter[tuple[int, float]](), Counter({(2, 1.0): 1})])
def test_one_deal_tells_nothing_about_the_error(deals: Counter[tuple[int, float]]) -> None:
    assert paired_error(deals) is None


def test_more_seats_in_a_deal_are_no_chance() -> None:
    """A bot that always wins has no error, though deals with more seats are counted apart."""
    assert paired_error(Counter({(6, 3.0): 5, (3, 3.0): 5})) == 0


def test_a_deal_unlike_all_others_tells_nothing_about_the_error() -> None:
    assert paired_error(Counter({(6, 3.0): 5, (3, 3.0): 1})) is None


# --- ratings --------------------------------------------------------------------------------------

MANY = 1_000_000


def expected(one: float, two: float) -> float:
    return 1 / (1 + 10 ** ((two - one) / 400))


def results(truth: dict[str, float], games: int) -> dict[tuple[str, str], float]:
    """Every pair as often ahead as its ratings say."""
    return {
        (one, two): games * expected(truth[one], truth[two])
        for one in truth
        for two in truth
        if one != two
    }


def test_true_ratings_are_found_again() -> None:
    truth = {"a": 1900.0, "b": 1600.0, "c": 1450.0, "d": 1050.0}
    for rating in rate([*truth], results(truth, MANY)):
        assert rating.rating == pytest.approx(truth[rating.name], abs=0.01)
        assert rating.error < 1


def test_the_mean_is_1500() -> None:
    ratings = rate(["a", "b", "c"], {("a", "b"): 30, ("b", "a"): 10, ("b", "c"): 7, ("c", "b"): 5})
    assert sum(rating.rating for rating in ratings) / 3 == pytest.approx(AVERAGE)


def test_two_players_by_hand() -> None:
    """Odds of 3 : 1 are 400 log10(3) points; the error is that of the log-odds."""
    strong, weak = rate(["a", "b"], {("a", "b"): 3 * MANY, ("b", "a"): MANY})
    assert strong.rating - weak.rating == pytest.approx(400 * log10(3), abs=0.01)
    error_of_difference = SCALE * sqrt(1 / (3 * MANY) + 1 / MANY)
    assert strong.error == pytest.approx(error_of_difference / 2, rel=1e-3)
    assert strong.interval == pytest.approx(
        (strong.rating - Z95 * strong.error, strong.rating + Z95 * strong.error)
    )


def test_the_order_of_the_names_does_not_matter() -> None:
    truth = {"a": 1700.0, "b": 1500.0, "c": 1300.0}
    forward = {each.name: each for each in rate(["a", "b", "c"], results(truth, 500))}
    backward = {each.name: each for each in rate(["c", "b", "a"], results(truth, 500))}
    for name in truth:
        assert forward[name][1:] == pytest.approx(backward[name][1:])


def test_who_won_everything_has_a_rating_and_a_wide_error_bar() -> None:
    winner, loser = rate(["a", "b"], {("a", "b"): 100})
    assert 1700 < winner.rating < 2200
    assert winner.error > 50
    assert winner.rating - AVERAGE == pytest.approx(AVERAGE - loser.rating)


def test_who_did_not_play_is_average_and_unknown() -> None:
    *_, idle = rate(["a", "b", "c"], {("a", "b"): 500, ("b", "a"): 500})
    assert idle.rating == pytest.approx(AVERAGE)
    assert idle.error > 200


def test_pairs_of_a_large_table_count_less() -> None:
    truth = {"a": 1600.0, "b": 1500.0, "c": 1400.0}
    two, six = (rate([*truth], results(truth, 10_000), seats) for seats in (2, 6))
    for one, other in zip(two, six, strict=True):
        assert one.rating == pytest.approx(other.rating, abs=0.1)
        assert other.error == pytest.approx(one.error * sqrt(3), rel=1e-3)


@pytest.mark.parametrize("names", [[], ["a"]])
def test_nobody_and_one_alone(names: list[str]) -> None:
    assert [(each.name, each.rating, each.error) for each in rate(names, {})] == [
        (name, AVERAGE, 0.0) for name in names
    ]


def test_the_truth_is_within_the_error_bars_as_often_as_they_say() -> None:
    truth = {"a": 1650.0, "b": 1500.0, "c": 1350.0}
    random = Random(7)
    held = total = 0
    for _ in range(200):
        ahead: dict[tuple[str, str], float] = {}
        for one, two in combinations(truth, 2):
            wins = sum(random.random() < expected(truth[one], truth[two]) for _ in range(100))
            ahead[one, two], ahead[two, one] = wins, 100 - wins
        for rating in rate([*truth], ahead):
            low, high = rating.interval
            held += low <= truth[rating.name] <= high
            total += 1
    assert 0.92 < held / total < 0.98


def test_the_scale_is_elos() -> None:
    assert pytest.approx(400) == SCALE * log(10)
