"""Numbers for compiled loops are those of counted luck."""

import numpy as np

from heckmeck.dice.arrays import draw, generator
from heckmeck.dice.luck import mixed
from heckmeck.solver.compiling import compiled

STEP = 0x9E3779B97F4A7C15


def test_a_drawn_number_is_that_of_splitmix() -> None:
    fast, key = compiled(draw), np.array([7], np.uint64)
    for count in range(100):
        number = mixed((7 + count * STEP) % 2**64)
        assert fast(key, 6) == (number >> 32) * 6 >> 32


def test_a_seed_has_one_stream() -> None:
    assert generator(5).integers(0, 2**63) == generator(5).integers(0, 2**63)
