"""Elementary functions of our own: right, and the same bits when they are compiled."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck import arithmetic
from heckmeck.arithmetic import cos_pi, exp, log, power
from heckmeck.solver.compiling import compiled
from heckmeck.values.features import tanh

#: As right as a C library's own, whose last digit may differ from the next one's.
UNITS_IN_THE_LAST_PLACE = 2


def off(found: float, right: float) -> float:
    """How far off a number is, in units in the last place."""
    return abs(found - right) / math.ulp(right)


@given(x=st.floats(-708, 709))
def test_exp_is_right(x: float) -> None:
    assert off(exp(x), math.exp(x)) <= UNITS_IN_THE_LAST_PLACE


@given(x=st.floats(min_value=1e-300, allow_infinity=False))
def test_log_is_right(x: float) -> None:
    assert off(log(x), math.log(x)) <= UNITS_IN_THE_LAST_PLACE


@given(x=st.floats(0.5, 2))
def test_log_is_right_around_one(x: float) -> None:
    assert off(log(x), math.log(x)) <= UNITS_IN_THE_LAST_PLACE


@given(x=st.floats(0, 1))
def test_cos_pi_is_right(x: float) -> None:
    assert cos_pi(x) == pytest.approx(math.cos(math.pi * x), abs=1e-15)


def test_cos_pi_at_its_ends_and_in_the_middle() -> None:
    assert (cos_pi(0), cos_pi(1)) == (1, -1)
    assert cos_pi(0.5) == pytest.approx(0, abs=1e-15)


@given(base=st.floats(0.5, 1), exponent=st.integers(0, 500))
def test_power_is_right(base: float, exponent: int) -> None:
    assert power(base, exponent) == pytest.approx(base**exponent, rel=1e-12)


def test_bounds() -> None:
    assert exp(-math.inf) == exp(-708.5) == 0
    assert exp(0) == 1
    assert log(1) == 0
    with pytest.raises(OverflowError):
        exp(709.5)
    for bad in (0, -1, math.nan):
        with pytest.raises(ValueError, match="not positive"):
            log(bad)
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="from 0 to 1"):
            cos_pi(bad)
    with pytest.raises(ValueError, match="not negative"):
        power(2, -1)


@pytest.mark.parametrize("name", ["exp", "log"])
def test_compiled_they_give_the_same_bits(name: str) -> None:
    plain = getattr(arithmetic, name)
    fast = compiled(plain)
    numbers = np.random.default_rng(1).uniform(1e-9, 30, 20_000)
    if name == "exp":
        numbers *= -1
    assert [fast(x) for x in numbers] == [plain(x) for x in map(float, numbers)]


def test_exp_never_falls() -> None:
    found = [exp(x) for x in np.linspace(-30, 0, 5000)]
    assert all(low <= high for low, high in pairwise(found))


@pytest.mark.parametrize("lead", range(-80, 81))
def test_what_networks_are_shown_of_a_lead(lead: int) -> None:
    """The networks in the package learned from NumPy's tangent: in single precision, the same."""
    assert np.float32(tanh(lead * 0.4)) == np.float32(math.tanh(lead * 0.4))
