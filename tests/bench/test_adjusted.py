"""Shares with luck and without, as they are compared."""

from dataclasses import replace

from bench.adjusted import TRIALS, Compared, compare, section
from heckmeck.executors import Inline


def test_the_shares_of_a_trial_are_those_of_its_games() -> None:
    trial = replace(TRIALS[2], games=40)
    found = compare(trial, Inline())
    assert found.trial is trial
    assert found.raw * 80 == round(found.raw * 80)  # of 40 games; a shared win is half of one
    assert found.error < found.raw_error
    assert found.ratio == (found.raw_error / found.error) ** 2


def test_shares_agree_within_the_error_of_the_one_with_luck() -> None:
    found = Compared(TRIALS[0], 0.54, 0.001, 0.5381, 0.0001, 45.0)
    assert found.agrees
    assert not replace(found, adjusted=0.5379).agrees
    rows = section([found, replace(found, adjusted=0.5379)])
    assert "| 54.00 ± 0.20 | 53.81 ± 0.02 | yes | 45.0 | 38.0 |" in rows
    assert "| 54.00 ± 0.20 | 53.79 ± 0.02 | NO |" in rows
