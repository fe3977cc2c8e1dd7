"""Everything unguessable: secrets of seats, seeds of dice, ids of tables.

A secret is shown once, to whom it belongs; what is kept is its hash.
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
#: Letters and digits of at least 128 bits: 22 letters of base64 hold 132.
SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22,64}")

_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = tuple(c + v for c in _CONSONANTS for v in _VOWELS)
TABLE_ID: Final = re.compile("-".join([f"(?:[{_CONSONANTS}][{_VOWELS}]){{2}}"] * 3))


def new_secret() -> str:
    """Return a secret for a seat or a host."""
    return urlsafe_b64encode(os.urandom(_SECRET_BYTES)).decode()


def hash_of(secret: str) -> str:
    """Return what may be kept of a secret. It is long and random, so a plain hash is enough."""
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
    """What somebody may do here: play these seats, and host the table or not."""

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
    """Compare in constant time, all of them, so that the answer's delay tells nothing."""
    found = [hmac.compare_digest(kept, each) for each in hashes]
    return any(found)


def new_table_secret() -> bytes:
    """Return the secret that all dice of one table come from."""
    return os.urandom(32)


@dataclass(frozen=True, slots=True)
class Vault:
    """A table's own secret. Each game gets a seed of its own, so showing one betrays no other."""

    secret: bytes = field(repr=False)

    def seed(self, game: int) -> bytes:
        """Return the seed of the table's game of this number."""
        return hmac.digest(self.secret, f"heckmeck seed of game {game}".encode(), "sha256")

    def commitment(self, game: int) -> str:
        """Return the promise for that game."""
        return commitment(self.seed(game))

    def dice(self, game: int, words: tuple[str, ...]) -> FairDice:
        """Return that game's dice."""
        return FairDice(self.seed(game), words)
