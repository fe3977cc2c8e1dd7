"""Who plays whom, where, and with which dice."""

from collections import Counter
from itertools import combinations

import pytest

from heckmeck.arena.schedule import Schedule


def test_a_line_up_plays_in_every_rotation_with_the_same_dice() -> None:
    games = list(Schedule(("a", "b", "c"), seats=3, seed=1).fixtures(0, 6))
    assert [game.bots for game in games[:3]] == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
    ]
    assert len({game.dice for game in games[:3]}) == 1
    assert len({game.dice for game in games}) == 2


def test_every_pair_meets_equally_often_on_every_seat() -> None:
    schedule = Schedule(("a", "b", "c", "d"), seats=2, seed=1)
    seated = Counter(game.bots for game in schedule.fixtures(0, 24))
    assert seated == {
        pair: 2 for one in combinations("abcd", 2) for pair in (one, tuple(reversed(one)))
    }


@pytest.mark.parametrize(("bots", "seats"), [("ab", 4), ("abc", 4), ("ab", 3), ("abc", 7)])
def test_few_bots_share_all_seats_equally(bots: str, seats: int) -> None:
    schedule = Schedule(tuple(bots), seats, seed=1)
    games = seats * len(schedule.line_ups)
    seated = Counter(
        (bot, seat) for game in schedule.fixtures(0, games) for seat, bot in enumerate(game.bots)
    )
    assert set(seated.values()) == {games // len(bots)}


def test_a_game_depends_on_its_number_alone() -> None:
    schedule = Schedule(("a", "b", "c"), seats=2, seed=5)
    assert list(schedule.fixtures(0, 40))[17:23] == list(schedule.fixtures(17, 6))


def test_another_seed_brings_other_dice() -> None:
    one, other = (next(Schedule(("a", "b"), 2, seed).fixtures(0, 1)) for seed in (1, 2))
    assert one.bots == other.bots
    assert one.dice != other.dice
