"""Random numbers in bulk, for arrays (NumPy) and for compiled loops (Numba).

Not imported by the package itself, which needs neither.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

#: As text, because the stand-in for NumPy in a page draws no numbers.
Generator: TypeAlias = "np.random.Generator"


def generator(seed: int) -> Generator:
    """Return the stream of numbers of ``seed``, which is the same on every machine."""
    return np.random.default_rng(seed)


def draw(key: NDArray[np.uint64], limit: int) -> int:
    """Draw a number below ``limit`` by SplitMix64, and advance the key; to be compiled."""
    key[0] += np.uint64(0x9E3779B97F4A7C15)
    z = key[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    drawn = np.int64((z >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32))
    return int(drawn)


def mixed(number: np.uint64) -> np.uint64:
    """Return a 64-bit hash, as `heckmeck.dice.luck.mixed`; to be compiled."""
    word = number + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(word ^ (word >> np.uint64(31)))


def below(key: NDArray[np.uint64], limit: np.uint64) -> np.uint64:
    """Draw a number below ``limit`` as `CountedLuck.below` does, and advance the key.

    To be compiled.
    """
    most = np.uint64(0xFFFFFFFFFFFFFFFF)
    even = most - most % limit
    while True:
        key[0] += np.uint64(0x9E3779B97F4A7C15)
        word = key[0] + np.uint64(0x9E3779B97F4A7C15)
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        word ^= word >> np.uint64(31)
        if word < even:
            return np.uint64(word % limit)
