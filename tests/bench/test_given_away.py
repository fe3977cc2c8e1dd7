"""What decisions give away: nothing if they are the judge's own, and never less than that."""

import numpy as np
import pytest

from bench.given_away import GivenAway, compare, given_away, markdown
from heckmeck.bulk.rows import row_rules
from heckmeck.bulk.turns import play_turns
from heckmeck.rules import EDITIONS, new_game
from heckmeck.values.win import NetworkChances, WormLead
from tests.values.networks import opinionated


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_other_decisions_than_the_judges_give_anything_away(edition: str) -> None:
    rules, rng = row_rules(edition), np.random.default_rng(2)
    judge = NetworkChances(opinionated(edition))
    rows = np.repeat(rules.row(new_game(edition, 2).table, 0)[np.newaxis], 40, axis=0)
    for _ in range(8):
        assert np.abs(given_away(rules, rows, [judge], judge)).max() < 1e-6
        lost = given_away(rules, rows, [WormLead()], judge)
        assert lost.min() > -1e-6
        ended = play_turns(rules, rows, 2, WormLead(), rng).ended
        rows = ended.rows[~ended.over]
    assert lost.max() > 1e-4


def test_the_champion_gives_less_away_than_fox() -> None:
    found = compare("junior", games=12, depth=2)
    assert found.grandmaster is not None
    assert 0 <= found.grandmaster[0] < found.fox[0]
    assert 0 <= found.champion[0] < found.fox[0] < 0.2
    assert 10 < found.turns < 100


def test_the_page_adds_up() -> None:
    found = GivenAway("classic", 100, 40.0, 1, (0.04, 0.003), (0.002, 0.001), None, 1.0)
    row = markdown([found]).splitlines()[-1]
    assert "4.00 ± 0.30" in row
    assert "0.20 ± 0.10" in row
    assert "53.8" in row
    assert "54.0" in row
