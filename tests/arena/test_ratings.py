"""Ratings on results whose ratings are known."""

from itertools import combinations
from math import log, log10, sqrt
from random import Random

import pytest

from heckmeck.arena.error_bars import Z95
from heckmeck.arena.ratings import AVERAGE, SCALE, rate

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
