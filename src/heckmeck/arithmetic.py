"""Elementary functions that give the same number on every processor.

C libraries and NumPy choose their `exp`, `log`, `cos` and `pow` by the features of the processor
(fused multiplication and addition, wider vectors), and these differ in the last bits. Here each is
composed of single additions, multiplications and divisions in a fixed order, whose results IEEE
754 defines to the last bit. `exp` and `log` are accurate to two units in the last place.

They are plain Python that Numba can compile: `compiled(exp)` gives the same bits as `exp`.
"""

import math
from typing import Final

#: Below this `exp` is 0: the true values are nearly denormal.
EXP_LEAST: Final = -708.0
#: Above this `exp` overflows.
EXP_MOST: Final = 709.0

LOG2_E: Final = 1.4426950408889634
#: ln 2 in two parts; multiples of the first up to 2 ** 20 are exact.
LN_2_HIGH: Final = 0.6931471803691238
LN_2_LOW: Final = 1.9082149292705877e-10
HALF_ROOT: Final = 0.7071067811865476

#: 1 / n! for n = 2 to 13: Taylor's series of exp.
_EXP: Final = tuple(1 / math.factorial(n) for n in range(2, 14))


def exp(x: float) -> float:
    """Return e ** ``x`` for any ``x`` up to 709; 0 below -708."""
    if x < EXP_LEAST:
        return 0.0
    if x > EXP_MOST:
        raise OverflowError("exp of a number above 709")
    doublings = math.floor(x * LOG2_E + 0.5)
    rest = (x - doublings * LN_2_HIGH) - doublings * LN_2_LOW
    series = 0.0
    for place in range(len(_EXP) - 1, -1, -1):
        series = series * rest + _EXP[place]
    return math.ldexp(1.0 + (rest + rest * rest * series), int(doublings))


def log(x: float) -> float:
    """Return the natural logarithm of a positive ``x``."""
    if not x > 0.0:
        raise ValueError("log of a number that is not positive")
    part, doublings = math.frexp(x)
    if part < HALF_ROOT:
        part *= 2.0
        doublings -= 1
    # log((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + s^5 / 5 + ...)
    s = (part - 1.0) / (part + 1.0)
    square = s * s
    series = 0.0
    for odd in range(23, 1, -2):
        series = series * square + 1.0 / odd
    series = s * square * series
    return doublings * LN_2_HIGH + (2.0 * s + (2.0 * series + doublings * LN_2_LOW))


def cos_pi(x: float) -> float:
    """Return the cosine of pi times ``x``, for ``x`` from 0 to 1."""
    if not 0.0 <= x <= 1.0:
        raise ValueError("cos_pi needs a number from 0 to 1")
    angle = math.pi * min(x, 1.0 - x)
    square = angle * angle
    series = 1.0
    for even in range(24, 0, -2):
        series = 1.0 - series * square / (even * (even - 1))
    return series if x <= 0.5 else -series


def power(base: float, exponent: int) -> float:
    """Return ``base`` to a non-negative whole power, by squaring."""
    if exponent < 0:
        raise ValueError("power needs an exponent that is not negative")
    found, square = 1.0, base
    while exponent:
        if exponent % 2:
            found *= square
        square *= square
        exponent //= 2
    return found
