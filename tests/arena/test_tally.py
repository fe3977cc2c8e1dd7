"""Counting games."""

import pickle
from collections import Counter

from heckmeck.arena.tally import AHEAD, WIN, Tally, tally_of
from tests.arena.games import GAMES, played


def test_wins_are_counted_by_bot_and_seat_and_shared_in_equal_parts() -> None:
    tally = tally_of(GAMES, seats=2)
    assert tally.games == 5
    assert tally.seated == {("fox", 0): 3, ("chick", 1): 3, ("chick", 0): 2, ("fox", 1): 2}
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
    assert tally.words == {200: 1, 210: 1, 190: 1, 280: 1, 240: 1}


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
