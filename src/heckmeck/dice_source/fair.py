"""Dice that can be checked: a commitment before the first throw, the proof after the last.

The table picks a seed and shows its SHA-256, the commitment, before the players do anything. Each
player may add words, so nobody, not even the table, can choose the dice. Every throw is derived
from the HMAC-SHA256 of the seed, the words and the number of the throw. When the game is over the
seed is revealed, and anyone can recompute every die.

To do so without this program: the key is the seed, and the message is UTF-8 text of lines, each
with its line feed::

    heckmeck fair dice 1
    <each seat's words as hexadecimal UTF-8, one line per seat>
    throw <number of the throw, from 0>
    block <number of the block, from 0>

A block's 32 bytes are taken in order, those from 252 on are skipped, and each of the others is
one die: the byte modulo 6 is the side, counted over the faces in the edition's order (a face on
two sides counts twice). White dice come first, the golden die last. The starting player, if
drawn, is found in the same way with the line ``first`` in place of ``throw ...``; there, the
bytes skipped are those from the greatest multiple of the number of seats up to 256.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from heckmeck.record import JsonObject, JsonValue, Record, replay
from heckmeck.rules import AnyState, game_at, word
from heckmeck.rules.components import GOLDEN_DIE
from heckmeck.rules.dice import DiceSet, Face, in_face_order
from heckmeck.rules.moves import Throw

VERSION: Final = 1
SEED_BYTES: Final = 32

#: The record's top-level key that holds the proof.
RECORD_KEY: Final = "fair"


class NoProof(ValueError):
    """The record has no commitment to its dice, or does not contain the seed yet."""


class UnfairDice(ValueError):
    """The record does not follow from seed and words, at the move with this ``index`` if any."""

    def __init__(self, message: str, index: int | None = None) -> None:
        """Put the move's index in front of the message."""
        self.index = index
        super().__init__(message if index is None else f"move {index}: {message}")


def commitment(seed: bytes) -> str:
    """Return the commitment shown before the game: the SHA-256 of the seed in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


@dataclass(frozen=True, slots=True)
class FairDice:
    """The dice of one game, which depend on the seed and the players' words, by seat."""

    seed: bytes = field(repr=False)
    words: tuple[str, ...]

    def throw(self, state: AnyState, number: int) -> Throw:
        """Return the throw with this number, counting from 0, of the dice in the air."""
        stream = self._bytes(f"throw {number}")
        dice = game_at(state.table).dice
        white = "".join(_face(dice, stream) for _ in range(state.turn.hand))
        golden = _face(GOLDEN_DIE, stream) if state.turn.golden else None
        return Throw(in_face_order(white), golden)

    def first(self) -> int:
        """Draw the seat that starts."""
        return _below(len(self.words), self._bytes("first"))

    def _bytes(self, what: str) -> Iterator[int]:
        head = f"heckmeck fair dice {VERSION}\n"
        words = "".join(f"{text.encode().hex()}\n" for text in self.words)
        for block in count():
            message = f"{head}{words}{what}\nblock {block}\n"
            yield from hmac.digest(self.seed, message.encode(), "sha256")


def _below(limit: int, stream: Iterator[int]) -> int:
    """Return a whole number below ``limit``, uniformly distributed."""
    fair = 256 - 256 % limit
    return next(byte for byte in stream if byte < fair) % limit


def _face(dice: DiceSet, stream: Iterator[int]) -> Face:
    sides = "".join(face * sides for face, sides in zip(dice.faces, dice.sides, strict=True))
    return sides[_below(dice.sides_in_all, stream)]


@dataclass(frozen=True, slots=True)
class FairProof:
    """What a record says about its dice.

    ``start``: the index of the first move that counts; earlier ones came with an imported record.
    ``drawn``: the starting player was drawn with these dice. ``seed`` is set once the game is over.
    """

    commitment: str
    words: tuple[str, ...]
    seed: bytes | None = field(default=None, repr=False)
    start: int = 0
    drawn: bool = False

    def to_json(self) -> JsonObject:
        """Return the proof as it is stored in the record."""
        proof: JsonObject = {
            "version": VERSION,
            "commitment": self.commitment,
            "words": [*self.words],
            "start": self.start,
            "drawn": self.drawn,
        }
        return proof if self.seed is None else {**proof, "seed": self.seed.hex()}


def proof_in(record: Record) -> FairProof:
    """Return the record's proof; raise `NoProof` if there is none or it cannot be read."""
    data = record.extra.get(RECORD_KEY)
    if data is None:
        raise NoProof(f"the record has no key {RECORD_KEY!r}: its dice were not promised")
    if not isinstance(data, dict):
        raise NoProof(f"{RECORD_KEY} must be an object")
    if data.get("version") != VERSION:
        raise NoProof(f"{RECORD_KEY}.version must be {VERSION}, the only supported one")
    promise, start, drawn = data.get("commitment"), data.get("start", 0), data.get("drawn", False)
    if not isinstance(promise, str):
        raise NoProof(f"{RECORD_KEY}.commitment must be text")
    if type(start) is not int or not 0 <= start <= len(record.moves):
        raise NoProof(f"{RECORD_KEY}.start must be the index of a move")
    if not isinstance(drawn, bool):
        raise NoProof(f"{RECORD_KEY}.drawn must be true or false")
    words = _words(data.get("words"), len(record.seats))
    return FairProof(promise, words, _seed(data.get("seed")), start, drawn)


def _words(value: JsonValue, seats: int) -> tuple[str, ...]:
    words = value if isinstance(value, list) else []
    texts = tuple(text for text in words if isinstance(text, str) and _is_utf8(text))
    if len(texts) != len(words) or len(texts) != seats:
        raise NoProof(f"{RECORD_KEY}.words must be a list with one text for each of {seats} seats")
    return texts


def _is_utf8(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _seed(value: JsonValue) -> bytes | None:
    if value is None:
        return None
    try:
        return bytes.fromhex(value if isinstance(value, str) else "?")
    except ValueError:
        raise NoProof(f"{RECORD_KEY}.seed must be hexadecimal digits") from None


def check_dice(record: Record) -> tuple[Throw, ...]:
    """Recompute every promised throw of the record, and return them.

    Raise `NoProof` if the record lacks what is needed, and `UnfairDice` if anything in it does not
    follow from the seed and the words.
    """
    proof = proof_in(record)
    if proof.seed is None:
        raise NoProof("the seed is not in the record; it is revealed when the game is over")
    if commitment(proof.seed) != proof.commitment:
        raise UnfairDice("the seed is not the one promised: its SHA-256 differs")
    dice = FairDice(proof.seed, proof.words)
    if proof.drawn and dice.first() != record.first:
        raise UnfairDice(f"seat {dice.first()} was drawn to start, not seat {record.first}")
    return tuple(_checked_throws(record, dice, proof.start))


def _checked_throws(record: Record, dice: FairDice, start: int) -> Iterator[Throw]:
    number = 0
    before = record.start()
    for step in replay(record):
        if isinstance(step.move, Throw) and step.index >= start:
            fair = dice.throw(before, number)
            if fair != step.move:
                raise UnfairDice(
                    f"{word(step.move)} should be {word(fair)}, by seed and words", step.index
                )
            number += 1
            yield fair
        before = step.state


def count_dice(throws: Sequence[Throw]) -> int:
    """Return the number of dice in these throws."""
    return sum(len(throw.dice) + (throw.golden is not None) for throw in throws)
