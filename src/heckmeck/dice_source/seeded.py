"""Luck from a seed: the same seed, the same throws, on every machine."""

import random
import secrets
from typing import TypeAlias

from heckmeck.dice_source.luck import Luck

Seed: TypeAlias = int | str


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


def fresh_seed() -> int:
    """Return an unpredictable seed, short enough to be read aloud."""
    return secrets.randbelow(10**9)
