"""Luck: uniform numbers below a limit, and the throws and choices built on them.

Seeded luck is a stream per seed. Counted luck computes the n-th number of a key without the ones
before it, by SplitMix64: starting a stream is free, so every turn of every game of a tournament can
have its own, and two games with the same key throw the same dice even after their players have
chosen differently. Both are identical on every machine. Scripted luck is for tests and examples.
Seeds and secrets that cannot be predicted come from the operating system.
"""

import random
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, TypeVar

from heckmeck.rules import Chances
from heckmeck.rules.moves import Throw

T = TypeVar("T")
Seed: TypeAlias = int | str

_WORD: Final = (1 << 64) - 1
_STEP: Final = 0x9E3779B97F4A7C15


class Luck(ABC):
    """A source of fair throws and choices."""

    @abstractmethod
    def below(self, limit: int) -> int:
        """Return a whole number from 0 to ``limit - 1``, uniformly distributed."""

    def throw(self, chances: Chances) -> Throw:
        """Draw one of the throws, according to their weights."""
        return chances.at(self.below(chances.total))

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options, all equally likely."""
        return options[self.below(len(options))]


class SeededLuck(Luck):
    """A stream of luck that depends only on its seed."""

    def __init__(self, seed: Seed) -> None:
        """Start the stream of ``seed``; the text ``"7"`` and the number ``7`` are different."""
        # As bytes, because text from outside may contain half a surrogate pair.
        self._random = random.Random(
            seed.encode("utf-8", "surrogatepass") if isinstance(seed, str) else seed
        )

    def below(self, limit: int) -> int:
        """Return the stream's next number below ``limit``."""
        return self._random.randrange(limit)


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

    @property
    def key(self) -> int:
        """The key of the numbers that are left: from there on the stream is the same."""
        return self._key

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


class ScriptedLuck(Luck):
    """Throws in a given order. As a context manager, it requires all of them to be used."""

    def __init__(self, throws: Iterable[Throw]) -> None:
        """Use these throws, in this order."""
        self._throws = [*throws]
        self._next = 0

    def below(self, limit: int) -> int:
        """Refuse: a script has nothing but throws."""
        raise LookupError(f"the script has only throws, not a number below {limit}")

    def throw(self, chances: Chances) -> Throw:
        """Return the next throw of the script, which must be possible here."""
        if self._next == len(self._throws):
            raise LookupError(f"the script has only {len(self._throws)} throws")
        throw = self._throws[self._next]
        if throw not in chances.throws:
            raise LookupError(f"{throw}, number {self._next} of the script, cannot fall here")
        self._next += 1
        return throw

    def __enter__(self) -> "ScriptedLuck":
        """Return the script."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Raise if throws are left over, unless another error is being raised."""
        left = len(self._throws) - self._next
        if kind is None and left:
            raise LookupError(f"{left} throws of the script were not used")


# --- unpredictable values -------------------------------------------------------------------------


#: More than 128 bits, and 32 characters of base64.
_SECRET_BYTES: Final = 24


def fresh_seed() -> int:
    """Return an unpredictable seed, short enough to be read aloud."""
    return secrets.randbelow(10**9)


def random_bytes(count: int) -> bytes:
    """Return this many unpredictable bytes."""
    return secrets.token_bytes(count)


def new_secret() -> str:
    """Return a secret that cannot be guessed, for example for a seat."""
    return secrets.token_urlsafe(_SECRET_BYTES)
