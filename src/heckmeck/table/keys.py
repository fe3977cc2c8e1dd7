"""Random values: secrets of seats, seeds of dice, ids of tables.

A secret is shown once, to its owner; only its hash is stored.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from heckmeck.dice import FairDice, commitment, random_bytes
from heckmeck.table.model import Person, Table

_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = tuple(c + v for c in _CONSONANTS for v in _VOWELS)
TABLE_ID: Final = re.compile("-".join([f"(?:[{_CONSONANTS}][{_VOWELS}]){{2}}"] * 3))


def hash_of(secret: str) -> str:
    """Return the hash of a secret. It is long and random, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_table_id() -> str:
    """Return an id that can be read aloud, one of 10 ** 11: ``boka-miru-tela``."""
    number = int.from_bytes(random_bytes(8), "big")
    parts = []
    for _ in range(6):
        number, place = divmod(number, len(_SYLLABLES))
        parts.append(_SYLLABLES[place])
    return "-".join("".join(parts[i : i + 2]) for i in (0, 2, 4))


class Who(NamedTuple):
    """The rights of a client: the seats it may play, and whether it is the host."""

    seats: frozenset[int]
    host: bool


NOBODY: Final = Who(frozenset(), host=False)


def who_holds(table: Table, hashes: Iterable[str]) -> Who:
    """Return what the holder of the secrets with these hashes may do."""
    known = tuple(hashes)
    seats = frozenset(
        seat
        for seat, sitter in enumerate(table.seats)
        if isinstance(sitter, Person) and is_one_of(sitter.hash, known)
    )
    return Who(seats, is_one_of(table.host, known))


def is_one_of(kept: str, hashes: tuple[str, ...]) -> bool:
    """Compare with all hashes in constant time, so that the delay reveals nothing."""
    found = [hmac.compare_digest(kept, each) for each in hashes]
    return any(found)


def new_table_secret() -> bytes:
    """Return the secret from which all dice of a table are derived."""
    return random_bytes(32)


@dataclass(frozen=True, slots=True)
class Vault:
    """The secret of a table. Each game has its own seed, so revealing one reveals no other."""

    secret: bytes = field(repr=False)

    def seed(self, game: int) -> bytes:
        """Return the seed of the game with this number."""
        return _seed(self.secret, game)

    def commitment(self, game: int) -> str:
        """Return the commitment for that game."""
        return commitment(self.seed(game))

    def dice(self, game: int, salts: tuple[str, ...]) -> FairDice:
        """Return the dice of that game."""
        return FairDice(self.seed(game), salts)


@lru_cache(maxsize=1 << 12)
def _seed(secret: bytes, game: int) -> bytes:
    return hmac.digest(secret, f"heckmeck seed of game {game}".encode(), "sha256")
