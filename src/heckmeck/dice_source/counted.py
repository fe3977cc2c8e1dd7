"""Counter-based luck: the n-th number of a key, computed without the ones before it.

Starting a stream is free, so every turn of every game of a tournament can have its own: two games
with the same key then throw the same dice even after their players have chosen differently. The
numbers are those of SplitMix64, identical on every machine.
"""

from typing import Final

from heckmeck.dice_source.luck import Luck

_WORD: Final = (1 << 64) - 1
_STEP: Final = 0x9E3779B97F4A7C15


def mixed(number: int) -> int:
    """Return a 64-bit hash of ``number``."""
    word = (number + _STEP) & _WORD
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
    return word ^ (word >> 31)


def key_of(*parts: int) -> int:
    """Combine several numbers, in order, into one key."""
    key = 0
    for part in parts:
        key = mixed(key ^ mixed(part & _WORD))
    return key


class CountedLuck(Luck):
    """The stream of numbers of one key."""

    __slots__ = ("_key",)

    def __init__(self, key: int) -> None:
        """Start at the first number of ``key``."""
        self._key = key & _WORD

    def below(self, limit: int) -> int:
        """Return the next number below ``limit``, uniformly distributed."""
        if limit > _WORD:
            raise ValueError(f"a number below {limit} takes more than 64 bits")
        even = _WORD - _WORD % limit  # numbers from here on would favour small results
        while True:
            self._key = (self._key + _STEP) & _WORD
            number = mixed(self._key)
            if number < even:
                return number % limit
