"""Forecasts and what came true."""

import numpy as np
import pytest

from bench.calibration import Calibrated, markdown, turn_starts
from heckmeck.arena.tournament import Fixture, play


def forecasts(said: list[float], won: list[float]) -> Calibrated:
    games = np.arange(len(said))
    return Calibrated("junior-2", len(said), np.array(said), np.array(won), games)


def test_a_right_forecaster_has_no_gap() -> None:
    found = forecasts([0.25] * 4 + [0.75] * 4, [0, 0, 0, 1, 1, 1, 1, 0])
    assert found.gap == 0
    assert [(count, said, won) for count, said, won, _ in found.bins] == [
        (4, 0.25, 0.25),
        (4, 0.75, 0.75),
    ]
    assert found.brier == pytest.approx(0.1875)
    assert found.brier_of_equal == pytest.approx(0.25)


def test_a_boaster_has_one() -> None:
    assert forecasts([1.0] * 4, [1, 0, 1, 0]).gap == 0.5


def test_forecasts_of_one_game_count_as_one() -> None:
    """The error of twenty forecasts in two games is that of two games."""
    said, won = np.full(20, 0.5), np.repeat([0.0, 1.0], 10)
    together = Calibrated("junior-2", 2, said, won, np.repeat([0, 1], 10))
    apart = Calibrated("junior-2", 20, said, won, np.arange(20))
    assert together.bins[0][3] > 3 * apart.bins[0][3]


def test_a_state_for_every_turn() -> None:
    (game,) = play("junior", [Fixture(0, ("rooster", "chick"), 7)])
    starts = turn_starts("junior", game)
    assert len(starts) == game.turns
    assert [state.seat for state in starts[:4]] == [0, 1, 0, 1]
    assert not any(state.turn.kept for state in starts)


def test_the_section_names_the_table() -> None:
    assert "| junior | 2 | 4 | 4 | 50.00% |" in markdown([forecasts([1.0] * 4, [1, 0, 1, 0])])
