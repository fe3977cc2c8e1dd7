"""Random values: secrets of seats, seeds of dice, ids of tables.

A secret is shown once, to its owner; only its hash is stored.
"""

import hashlib
import hmac
import os
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from heckmeck.dice_source import FairDice, commitment
from heckmeck.server.table import Person, Table

_SECRET_BYTES: Final = 24
#: At least 128 bits: 22 characters of base64 have 132.
SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22,64}")

_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = tuple(c + v for c in _CONSONANTS for v in _VOWELS)
TABLE_ID: Final = re.compile("-".join([f"(?:[{_CONSONANTS}][{_VOWELS}]){{2}}"] * 3))


def new_secret() -> str:
    """Return a secret for a seat or a host."""
    return urlsafe_b64encode(os.urandom(_SECRET_BYTES)).decode()


def hash_of(secret: str) -> str:
    """Return the hash of a secret. It is long and random, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_table_id() -> str:
    """Return an id that can be read aloud, one of 10 ** 11: ``boka-miru-tela``."""
    number = int.from_bytes(os.urandom(8), "big")
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
    return os.urandom(32)


@dataclass(frozen=True, slots=True)
class Vault:
    """The secret of a table. Each game has its own seed, so revealing one reveals no other."""

    secret: bytes = field(repr=False)

    def seed(self, game: int) -> bytes:
        """Return the seed of the game with this number."""
        return hmac.digest(self.secret, f"heckmeck seed of game {game}".encode(), "sha256")

    def commitment(self, game: int) -> str:
        """Return the commitment for that game."""
        return commitment(self.seed(game))

    def dice(self, game: int, words: tuple[str, ...]) -> FairDice:
        """Return the dice of that game."""
        return FairDice(self.seed(game), words)
