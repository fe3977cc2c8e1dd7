"""The figures of a report, worked out by hand from a few games."""

from math import sqrt

import pytest

from heckmeck.arena.error_bars import wilson
from heckmeck.arena.summary import Summary, summarise
from heckmeck.arena.tally import tally_of
from heckmeck.arena.tournament import Tournament
from tests.arena.games import GAMES, played


def tournament(*bots: str, seats: int = 2, games: int = 5) -> Tournament:
    return Tournament("classic", bots, seats, games, seed=1)


@pytest.fixture(scope="module")
def summary() -> Summary:
    """Fox: won, shared, lost, won, won; it scored 5 4 1 7 3."""
    return summarise(tournament("fox", "chick"), tally_of(GAMES, seats=2))


def test_bots_are_in_the_order_they_were_named(summary: Summary) -> None:
    assert [bot.name for bot in summary.bots] == ["fox", "chick"]


def test_a_bots_figures(summary: Summary) -> None:
    fox, chick = summary.bots
    assert (fox.won.games, fox.won.wins, fox.won.share) == (5, 3.5, 0.7)
    assert fox.won.interval == wilson(3.5, 5)
    assert fox.mean_score == pytest.approx(20 / 5)
    assert (chick.won.games, chick.won.wins) == (5, 1.5)
    assert chick.mean_score == pytest.approx(18 / 5)


def test_the_paired_error_is_that_of_whole_deals(summary: Summary) -> None:
    """Two deals: the fox won 1.5 of 2 and 1 of 2, so its share there is 2.5 of 4."""
    squares = 2 * 0.25**2
    assert summary.bots[0].paired_error == pytest.approx(sqrt(squares * 2 / 1) / 4)


def test_seats_and_the_first_players_advantage(summary: Summary) -> None:
    first, second = summary.seats
    assert (first.games, first.wins) == (5, 2.5)
    assert (second.games, second.wins) == (5, 2.5)
    assert summary.first_player_advantage == 0
    low, high = wilson(2.5, 5)
    assert summary.first_player_interval == pytest.approx((low - 0.5, high - 0.5))


def test_lengths(summary: Summary) -> None:
    assert summary.games == 5
    assert summary.turns == pytest.approx((23.4, 20, 30))
    assert summary.words == pytest.approx((224, 190, 280))


def test_pairs(summary: Summary) -> None:
    (pair,) = summary.pairs
    assert (pair.name, pair.other) == ("fox", "chick")
    assert (pair.ahead.games, pair.ahead.wins) == (5, 3.5)


def test_ratings_are_of_the_pairs(summary: Summary) -> None:
    fox, chick = summary.ratings
    assert (fox.name, chick.name) == ("fox", "chick")
    assert fox.rating > 1500 > chick.rating


def test_a_bot_with_two_seats_has_two_games_at_a_table() -> None:
    game = played(0, "fox chick fox chick", (9, 5, 7, 1), ranking=((0,), (2,), (1,), (3,)))
    summary = summarise(tournament("fox", "chick", seats=4), tally_of([game], 4))
    fox, chick = summary.bots
    assert (fox.won.games, fox.won.wins, fox.mean_score) == (2, 1.0, 8.0)
    assert (chick.won.games, chick.won.wins) == (2, 0.0)
    assert summary.pairs[0].ahead.games == 4


def test_one_bot_against_itself_is_counted_as_one_and_not_rated() -> None:
    games = [played(number, "fox fox", (3, 1), ranking=((0,), (1,))) for number in range(4)]
    summary = summarise(tournament("fox", "fox"), tally_of(games, 2))
    (fox,) = summary.bots
    assert (fox.won.games, fox.won.wins, fox.won.share) == (8, 4.0, 0.5)
    assert (summary.pairs, summary.ratings) == ((), ())
    assert summary.first_player_advantage == 0.5


def test_who_did_not_play_is_left_out() -> None:
    summary = summarise(tournament("fox", "chick", "rooster"), tally_of(GAMES, 2))
    assert [bot.name for bot in summary.bots] == ["fox", "chick"]
    assert len(summary.pairs) == 1
    assert len(summary.ratings) == 2
