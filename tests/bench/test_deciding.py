"""The time to decide is taken for decisions, and for no throw."""

from bench.deciding import Deciding, decisions, markdown, measure
from heckmeck.bots import player


def test_every_decision_is_timed() -> None:
    found = list(decisions("junior", 2, player("rooster"), seed=3))
    assert len(found) > 20
    assert min(found) >= 0
    timed = measure("junior", 2, "rooster", games=2)
    assert timed.decisions > len(found) / 2
    assert 0 <= timed.mean <= timed.slowest
    assert timed.slow <= timed.slowest


def test_the_page() -> None:
    row = markdown([Deciding("junior", 2, "fox", 1234, 0.118, 1.02, 3.0)]).splitlines()[-1]
    assert row == "| junior | 2 | fox | 1,234 | 0.12 | 1.0 | 3.0 |"
