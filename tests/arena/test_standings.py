"""Games counted, and the figures worked out by hand from a few of them."""

import pickle
from collections import Counter
from math import sqrt

import pytest

from heckmeck.arena.estimates import wilson
from heckmeck.arena.standings import AHEAD, WIN, Standings, Tally, tally_of
from heckmeck.arena.tournament import GameResult, Tournament
from tests.arena.games import GAMES, played


def test_wins_are_counted_by_bot_and_seat_and_shared_in_equal_parts() -> None:
    tally = tally_of(GAMES, seats=2)
    assert tally.games == 5
    assert tally.won == {
        ("fox", 0): 2 * WIN,
        ("chick", 1): WIN,
        ("chick", 0): WIN // 2,
        ("fox", 1): WIN + WIN // 2,
    }


def test_every_number_of_winners_shares_a_win_without_rest() -> None:
    assert all(WIN % winners == 0 for winners in range(1, 8))


def test_scores_and_lengths_are_histograms() -> None:
    tally = tally_of(GAMES, seats=2)
    assert tally.scores["fox", 4] == 1
    assert tally.scores["chick", 3] == 2
    assert tally.turns == {20: 2, 22: 1, 25: 1, 30: 1}
    assert tally.moves == {200: 1, 210: 1, 190: 1, 280: 1, 240: 1}


def test_being_ahead_follows_the_ranking_not_the_score() -> None:
    tally = tally_of(GAMES[-1:], seats=2)  # equal scores, but the higher tile was the fox's
    assert tally.ahead == Counter({("fox", "chick"): AHEAD})


def test_a_shared_place_is_half_for_both() -> None:
    tally = tally_of(GAMES[1:2], seats=2)
    assert tally.ahead == {("fox", "chick"): AHEAD // 2, ("chick", "fox"): AHEAD // 2}


def test_everybody_at_a_table_meets_everybody_else_but_not_copies_of_itself() -> None:
    game = played(0, "a b a c", (9, 5, 5, 1), ranking=((0,), (1, 2), (3,)))
    assert tally_of([game], seats=4).ahead == Counter(
        {
            ("a", "b"): AHEAD + AHEAD // 2,
            ("b", "a"): AHEAD // 2,
            ("a", "c"): 2 * AHEAD,
            ("b", "c"): AHEAD,
        }
    )


def test_deals_are_counted_when_they_are_whole() -> None:
    tally = tally_of(GAMES, seats=2)
    assert tally.deals == {
        ("fox", 2, WIN + WIN // 2): 1,
        ("chick", 2, WIN // 2): 1,
        ("fox", 2, WIN): 1,
        ("chick", 2, WIN): 1,
    }


def test_tallies_add_up_in_any_order() -> None:
    one, two = tally_of(GAMES[:2], 2), tally_of(GAMES[2:], 2)
    assert one + two == two + one == tally_of(GAMES, 2)
    assert one + Tally() == one


def test_adding_leaves_both_as_they_were() -> None:
    one, two = tally_of(GAMES[:2], 2), tally_of(GAMES[2:], 2)
    total = one + two
    total.add_game(GAMES[0])
    assert (one, two) == (tally_of(GAMES[:2], 2), tally_of(GAMES[2:], 2))


def test_a_tally_travels_between_processes_and_is_small() -> None:
    tally = tally_of(GAMES * 1000, 2)
    data = pickle.dumps(tally)
    assert pickle.loads(data) == tally  # noqa: S301 - our own bytes
    assert len(data) < 2_000


# --- figures --------------------------------------------------------------------------------------


def standings_of(games: list[GameResult], *bots: str, seats: int = 2) -> Standings:
    tournament = Tournament("classic", bots, seats, 5, seed=1)
    return Standings(tournament, tally_of(games, seats), seconds=1.0)


@pytest.fixture(scope="module")
def standings() -> Standings:
    """Fox: won, shared, lost, won, won; it scored 5 4 1 7 3."""
    return standings_of(GAMES, "fox", "chick")


def test_bots_are_in_the_order_they_were_named(standings: Standings) -> None:
    assert [bot.name for bot in standings.bots] == ["fox", "chick"]


def test_a_bots_figures(standings: Standings) -> None:
    fox, chick = standings.bots
    assert (fox.won.games, fox.won.wins, fox.won.share) == (5, 3.5, 0.7)
    assert fox.won.interval == wilson(3.5, 5)
    assert fox.mean_score == pytest.approx(20 / 5)
    assert (chick.won.games, chick.won.wins) == (5, 1.5)
    assert chick.mean_score == pytest.approx(18 / 5)


def test_the_paired_error_is_that_of_whole_deals(standings: Standings) -> None:
    """Two deals: the fox won 1.5 of 2 and 1 of 2, so its share there is 2.5 of 4."""
    squares = 2 * 0.25**2
    assert standings.bots[0].paired_error == pytest.approx(sqrt(squares * 2 / 1) / 4)


def test_seats_and_the_first_players_advantage(standings: Standings) -> None:
    first, second = standings.seats
    assert (first.games, first.wins) == (5, 2.5)
    assert (second.games, second.wins) == (5, 2.5)
    assert standings.first_player_advantage == 0
    low, high = wilson(2.5, 5)
    assert standings.first_player_interval == pytest.approx((low - 0.5, high - 0.5))


def test_lengths(standings: Standings) -> None:
    assert standings.tally.games == 5
    assert standings.turns == pytest.approx((23.4, 20, 30))
    assert standings.moves == pytest.approx((224, 190, 280))


def test_pairs(standings: Standings) -> None:
    (pair,) = standings.pairs
    assert (pair.name, pair.other) == ("fox", "chick")
    assert (pair.ahead.games, pair.ahead.wins) == (5, 3.5)


def test_ratings_are_of_the_pairs(standings: Standings) -> None:
    fox, chick = standings.ratings
    assert (fox.name, chick.name) == ("fox", "chick")
    assert fox.rating > 1500 > chick.rating


def test_a_bot_with_two_seats_has_two_games_at_a_table() -> None:
    game = played(0, "fox chick fox chick", (9, 5, 7, 1), ranking=((0,), (2,), (1,), (3,)))
    standings = standings_of([game], "fox", "chick", seats=4)
    fox, chick = standings.bots
    assert (fox.won.games, fox.won.wins, fox.mean_score) == (2, 1.0, 8.0)
    assert (chick.won.games, chick.won.wins) == (2, 0.0)
    assert standings.pairs[0].ahead.games == 4


def test_one_bot_against_itself_is_counted_as_one_and_not_rated() -> None:
    games = [played(number, "fox fox", (3, 1), ranking=((0,), (1,))) for number in range(4)]
    standings = standings_of(games, "fox", "fox")
    (fox,) = standings.bots
    assert (fox.won.games, fox.won.wins, fox.won.share) == (8, 4.0, 0.5)
    assert (standings.pairs, standings.ratings) == ((), ())
    assert standings.first_player_advantage == 0.5


def test_who_did_not_play_is_left_out() -> None:
    standings = standings_of(GAMES, "fox", "chick", "rooster")
    assert [bot.name for bot in standings.bots] == ["fox", "chick"]
    assert len(standings.pairs) == 1
    assert len(standings.ratings) == 2


def test_luck_is_taken_off_deal_by_deal_and_added_in_any_order() -> None:
    """By hand: two deals of two games; sums may be negative, and must not be dropped."""
    games = [
        played(number, bots, (5, 3), ranking=((0,), (1,)))
        for number, bots in enumerate(["a b", "b a", "a b", "b a"])
    ]
    lucks = [[1.5, -1.5], [0.25, -0.25], [1.25, -1.25], [0.75, -0.75]]
    whole = tally_of(games, 2, lucks)
    first, second = tally_of(games[:2], 2, lucks[:2]), tally_of(games[2:], 2, lucks[2:])
    assert first + second == second + first == whole
    standings = Standings(Tournament("classic", ("a", "b"), 2, 4, seed=1), whole, 1.0)
    a, b = (bot.adjusted for bot in standings.bots)
    assert a is not None
    assert b is not None
    # a: 1 - 1.5 + 0 + 0.25 = -0.25 in the first deal, 1 - 1.25 + 0 + 0.75 = 0.5 in the second.
    assert a.share == pytest.approx((-0.25 + 0.5) / 4)
    assert a.error == pytest.approx(0.375 / 2)
    assert a.share + b.share == pytest.approx(1)
    assert a.variance_ratio == 0  # both deals were shared equally
    assert tally_of(games, 2).adjusted == Counter()
