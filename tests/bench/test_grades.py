"""Grades: what every bot loses, judged game by game."""

from bench.grades import judge, rate


def test_bots_are_judged_game_by_game() -> None:
    found = judge("junior", 6)
    assert sum(map(len, found.values())) == 12
    assert all(loss >= 0 and counted > 0 for games in found.values() for loss, counted in games)
    random, _ = rate(found["random"])
    fox, _ = rate(found["fox"])
    assert random > fox
