"""Dice that can be checked: a commitment before the first throw, the proof after the last.

The table picks a seed and shows its SHA-256, the commitment, before the players do anything. Each
player may add words. They are promised first, by their SHA-256, and shown when neither the seed nor
any promise can be changed: nobody can choose words to suit the seed, or a seed to suit the words.
Every throw is derived from the HMAC-SHA256 of the seed, the words and the number of the throw. When
the game is over the seed is revealed, and anyone can recompute every die.

What still has to be trusted: the host of the server has the seed, and can work out the throws to
come once the words are shown. A player who promised words and does not show them plays without, so
a host who holds such a seat could choose between the dice with these words and those without. The
record therefore names the seats that did not show what they promised.

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
from typing import Final, NamedTuple

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


def promise(words: str) -> str:
    """Return what a player shows of their words before all are shown: the SHA-256 of the UTF-8."""
    return hashlib.sha256(words.encode()).hexdigest()


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
    ``promises`` are those of the words, by seat, empty for a player who promised nothing; records
    made before words were promised have none at all.
    """

    commitment: str
    words: tuple[str, ...]
    seed: bytes | None = field(default=None, repr=False)
    start: int = 0
    drawn: bool = False
    promises: tuple[str, ...] = ()

    @property
    def not_shown(self) -> tuple[int, ...]:
        """The seats that promised words and did not show them."""
        return tuple(
            seat for seat, promised in enumerate(self.promises) if promised and not self.words[seat]
        )

    def to_json(self) -> JsonObject:
        """Return the proof as it is stored in the record."""
        proof: JsonObject = {
            "version": VERSION,
            "commitment": self.commitment,
            "words": [*self.words],
            "start": self.start,
            "drawn": self.drawn,
        }
        if self.promises:
            proof["promises"] = [*self.promises]
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
    told, start = data.get("commitment"), data.get("start", 0)
    drawn = data.get("drawn", False)
    if not isinstance(told, str):
        raise NoProof(f"{RECORD_KEY}.commitment must be text")
    if type(start) is not int or not 0 <= start <= len(record.moves):
        raise NoProof(f"{RECORD_KEY}.start must be the index of a move")
    if not isinstance(drawn, bool):
        raise NoProof(f"{RECORD_KEY}.drawn must be true or false")
    seats = len(record.seats)
    return FairProof(
        commitment=told,
        words=_texts("words", data.get("words"), seats),
        seed=_seed(data.get("seed")),
        start=start,
        drawn=drawn,
        promises=_texts("promises", data["promises"], seats) if "promises" in data else (),
    )


def _texts(key: str, value: JsonValue, seats: int) -> tuple[str, ...]:
    values = value if isinstance(value, list) else []
    texts = tuple(text for text in values if isinstance(text, str) and _is_utf8(text))
    if len(texts) != len(values) or len(texts) != seats:
        raise NoProof(f"{RECORD_KEY}.{key} must be a list with one text for each of {seats} seats")
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


class Checked(NamedTuple):
    """The throws that were as promised, and those that nobody promised.

    ``throws`` were recomputed. ``not_promised`` are those of an imported record. ``not_shown`` are
    seats that did not show the words they had promised. ``words_promised``: no words were chosen
    after others were known.
    """

    throws: tuple[Throw, ...]
    not_promised: tuple[Throw, ...]
    not_shown: tuple[int, ...]
    words_promised: bool

    @property
    def covers_all(self) -> bool:
        """Whether there were throws, and all of them were promised."""
        return bool(self.throws) and not self.not_promised


def check_dice(record: Record, noted: str | None = None) -> Checked:
    """Recompute every promised throw of the record, and return what is covered.

    ``noted`` is the commitment seen before the game. Raise `NoProof` if the record lacks what is
    needed, and `UnfairDice` if anything in it does not follow from the seed and the words, or the
    seed or the words are not the promised ones.
    """
    proof = proof_in(record)
    if noted is not None and noted.lower() != proof.commitment:
        raise UnfairDice("the promise in the record is not the one that was noted before the game")
    if proof.seed is None:
        raise NoProof("the seed is not in the record; it is revealed when the game is over")
    if commitment(proof.seed) != proof.commitment:
        raise UnfairDice("the seed is not the one promised: its SHA-256 differs")
    _check_words(proof)
    dice = FairDice(proof.seed, proof.words)
    if proof.drawn and dice.first() != record.first:
        raise UnfairDice(f"seat {dice.first()} was drawn to start, not seat {record.first}")
    return Checked(
        throws=tuple(_checked_throws(record, dice, proof.start)),
        not_promised=tuple(move for move in record.moves[: proof.start] if isinstance(move, Throw)),
        not_shown=proof.not_shown,
        words_promised=bool(proof.promises) or not any(proof.words),
    )


def _check_words(proof: FairProof) -> None:
    """Words that were shown are those promised; records without promises are older than these."""
    for seat, promised in enumerate(proof.promises):
        words = proof.words[seat]
        if words and promise(words) != promised:
            raise UnfairDice(
                f"the words of seat {seat} are not those that it promised: their SHA-256 differs"
            )


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
