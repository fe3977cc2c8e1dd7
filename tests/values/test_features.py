"""Features on rows are those of the rules' tables, place by place."""

import numpy as np
import pytest

from heckmeck.bulk.rows import row_rules
from heckmeck.rules import EDITIONS
from heckmeck.values.features import count_features, features
from tests.bulk.positions import wander
from tests.values.slow_features import slow_features

TABLES = [(edition, seats) for edition, game in EDITIONS.items() for seats in game.players]


def compare(edition: str, seats: int, seed: int, turns: int) -> None:
    states = list(wander(edition, seats, seed, turns))
    rows = np.stack([row_rules(edition).row(state.table, state.seat) for state in states])
    for most in sorted({seats, max(EDITIONS[edition].players)}):
        shown = features(edition, rows, most)
        assert shown.shape == (len(rows), count_features(edition, most))
        for state, found in zip(states, shown, strict=True):
            wanted = slow_features(state.table, state.seat, most)
            assert found == pytest.approx(np.array(wanted), abs=1e-6), state


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_features_are_those_of_the_table(edition: str, seats: int) -> None:
    compare(edition, seats, seed=seats, turns=60)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_features_are_those_of_many_tables(edition: str, seats: int, seed: int) -> None:
    compare(edition, seats, 100 + seed, turns=1000)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_features_tell_tables_apart(edition: str, seats: int) -> None:
    rules, most = row_rules(edition), max(EDITIONS[edition].players)
    rows = np.stack([rules.row(s.table, s.seat) for s in wander(edition, seats, 3, 80)])
    shown = features(edition, rows, most)
    assert np.isfinite(shown).all()
    assert abs(shown).max() < 20
    assert len({bytes(row) for row in shown}) >= 0.9 * len({bytes(row) for row in rows})
