"""Dice that can be checked: a commitment before the first throw, the proof after the last.

The table picks a seed and shows its SHA-256, the commitment, before the players do anything. Each
player may add a salt. It is promised first, by its SHA-256, and shown when neither the seed nor any
promise can be changed: nobody can choose a salt to suit the seed, or a seed to suit the salts.
Every throw is derived from the HMAC-SHA256 of the seed, the salts and the number of the throw. When
the game is over the seed is revealed, and anyone can recompute every die.

What still has to be trusted: the host of the server has the seed, and can work out the throws to
come once the salts are shown. A player who promised a salt and does not show it plays without, so
a host who holds such a seat could choose between the dice with this salt and those without. The
record therefore names the seats that did not show what they promised. Dice that people rolled at
their own table and entered cannot be checked by anyone; the record says that they were.

To do so without this program: the key is the seed, and the message is UTF-8 text of lines, each
with its line feed::

    heckmeck fair dice 1
    <each seat's salt as hexadecimal UTF-8, one line per seat>
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
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from heckmeck.record import JsonObject, Record, json_text, replay
from heckmeck.rules import AnyState, components, game_at, word
from heckmeck.rules.dice import DiceSet, in_face_order
from heckmeck.rules.moves import Throw

VERSION: Final = 1
_SIDES: Final = 6

#: The record's top-level key that holds the proof.
RECORD_KEY: Final = "fair"


class NoProof(ValueError):
    """The record has no commitment to its dice, or does not contain the seed yet."""


class UnfairDice(ValueError):
    """The record does not follow from seed and salts, at the move with this ``index`` if any."""

    def __init__(self, message: str, index: int | None = None) -> None:
        """Put the move's index in front of the message."""
        self.index = index
        super().__init__(message if index is None else f"move {index}: {message}")


def commitment(seed: bytes) -> str:
    """Return the commitment shown before the game: the SHA-256 of the seed in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def promise(salt: str) -> str:
    """Return what a player shows of their salt before all are shown: the SHA-256 of the UTF-8."""
    return hashlib.sha256(salt.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class FairDice:
    """The dice of one game, which depend on the seed and the players' salts, by seat."""

    seed: bytes = field(repr=False)
    salts: tuple[str, ...]

    def throw(self, state: AnyState, number: int) -> Throw:
        """Return the throw with this number, counting from 0, of the dice in the air."""
        turn = state.turn
        fair = self._bytes(f"throw {number}", _SIDES, turn.hand + turn.golden)
        white = fair[: turn.hand].translate(_faces(game_at(state.table).dice)).decode()
        golden = fair[turn.hand :].translate(_faces(components.GOLDEN_DIE)).decode()
        return Throw(in_face_order(white), golden or None)

    def first(self) -> int:
        """Draw the seat that starts."""
        seats = len(self.salts)
        return self._bytes("first", seats, 1)[0] % seats

    def _bytes(self, what: str, limit: int, count: int) -> bytes:
        """Return ``count`` bytes that are uniformly distributed modulo ``limit``."""
        salts = "".join([f"{salt.encode().hex()}\n" for salt in self.salts])
        fair = b""
        for block in itertools.count():
            message = f"heckmeck fair dice {VERSION}\n{salts}{what}\nblock {block}\n"
            fair += hmac.digest(self.seed, message.encode(), "sha256").translate(
                None, delete=_unfair(limit)
            )
            if len(fair) >= count:
                break
        return fair[:count]


@cache
def _unfair(limit: int) -> bytes:
    """Return the bytes that would favour some numbers below ``limit``."""
    return bytes(range(256 - 256 % limit, 256))


@cache
def _faces(dice: DiceSet) -> bytes:
    """Return the face shown for each byte."""
    sides = "".join(face * sides for face, sides in zip(dice.faces, dice.sides, strict=True))
    return bytes(ord(sides[byte % len(sides)]) for byte in range(256))


@dataclass(frozen=True, slots=True)
class FairProof:
    """What a record says about its dice.

    ``start``: the index of the first move that counts; earlier ones came with an imported record.
    ``drawn``: the starting player was drawn with these dice. ``seed`` is set once the game is over.
    ``promises`` are those of the salts, by seat, empty for a player who promised nothing; records
    made before salts were promised have none at all. In a record, salts are called words.
    ``own_dice``: people rolled dice of their own and entered what fell. Nobody promised these, so
    ``start`` is after the last move.
    """

    commitment: str
    salts: tuple[str, ...]
    seed: bytes | None = field(default=None, repr=False)
    start: int = 0
    drawn: bool = False
    promises: tuple[str, ...] = ()
    own_dice: bool = False

    @property
    def not_shown(self) -> tuple[int, ...]:
        """The seats that promised a salt and did not show it."""
        return tuple(
            seat for seat, promised in enumerate(self.promises) if promised and not self.salts[seat]
        )

    def to_json(self) -> JsonObject:
        """Return the proof as it is stored in the record."""
        proof: JsonObject = {
            "version": VERSION,
            "commitment": self.commitment,
            "words": [*self.salts],
            "start": self.start,
            "drawn": self.drawn,
        }
        if self.promises:
            proof["promises"] = [*self.promises]
        if self.own_dice:
            proof["own_dice"] = True
        return proof if self.seed is None else {**proof, "seed": self.seed.hex()}


class _Written(Struct, frozen=True):
    """A proof as it is written in a record."""

    version: Literal[1]
    commitment: str
    words: tuple[str, ...]
    start: int = 0
    drawn: bool = False
    promises: tuple[str, ...] = ()
    seed: str | None = None
    own_dice: bool = False


def proof_in(record: Record) -> FairProof:
    """Return the record's proof; raise `NoProof` if there is none or it cannot be read."""
    if RECORD_KEY not in record.extra:
        raise NoProof(f"the record has no key {RECORD_KEY!r}: its dice were not promised")
    try:
        proof = json_text.read_as(record.extra[RECORD_KEY], _Written, RECORD_KEY)
        seed = None if proof.seed is None else bytes.fromhex(proof.seed)
        "".join(proof.words).encode()  # only text can have been hashed
    except ValueError as error:
        raise NoProof(f"the proof of the dice cannot be read: {error}") from error
    if not 0 <= proof.start <= len(record.moves):
        raise NoProof(f"{RECORD_KEY}.start must be the index of a move")
    seats = len(record.seats)
    if len(proof.words) != seats or len(proof.promises) not in (0, seats):
        raise NoProof(f"{RECORD_KEY} must have one text for each of {seats} seats")
    return FairProof(
        proof.commitment,
        proof.words,
        seed,
        proof.start,
        proof.drawn,
        proof.promises,
        proof.own_dice,
    )


class Checked(NamedTuple):
    """The throws that were as promised, and those that nobody promised.

    ``throws`` were recomputed. ``not_promised`` are those of an imported record, or, with
    ``own_dice``, those that the players rolled themselves. ``not_shown`` are seats that did not
    show the salt they had promised. ``salts_promised``: no salt was chosen after others were known.
    ``drawn``: the starting player was drawn as promised.
    """

    throws: tuple[Throw, ...]
    not_promised: tuple[Throw, ...]
    not_shown: tuple[int, ...]
    salts_promised: bool
    own_dice: bool = False
    drawn: bool = False

    @property
    def covers_all(self) -> bool:
        """Whether there were throws, and all of them were promised."""
        return bool(self.throws) and not self.not_promised


def check_dice(record: Record, noted: str | None = None) -> Checked:
    """Recompute every promised throw of the record, and return what is covered.

    ``noted`` is the commitment seen before the game. Raise `NoProof` if the record lacks what is
    needed, and `UnfairDice` if anything in it does not follow from the seed and the salts, or the
    seed or a salt is not the promised one.
    """
    proof = proof_in(record)
    if noted is not None and noted.lower() != proof.commitment:
        raise UnfairDice("the promise in the record is not the one that was noted before the game")
    if proof.seed is None:
        raise NoProof("the seed is not in the record; it is revealed when the game is over")
    if commitment(proof.seed) != proof.commitment:
        raise UnfairDice("the seed is not the one promised: its SHA-256 differs")
    _check_salts(proof)
    dice = FairDice(proof.seed, proof.salts)
    if proof.drawn and dice.first() != record.first:
        raise UnfairDice(f"seat {dice.first()} was drawn to start, not seat {record.first}")
    return Checked(
        throws=tuple(_checked_throws(record, dice, proof.start)),
        not_promised=tuple(move for move in record.moves[: proof.start] if isinstance(move, Throw)),
        not_shown=proof.not_shown,
        salts_promised=bool(proof.promises) or not any(proof.salts),
        own_dice=proof.own_dice,
        drawn=proof.drawn,
    )


def _check_salts(proof: FairProof) -> None:
    """Salts that were shown are those promised; records without promises are older than these."""
    for seat, promised in enumerate(proof.promises):
        salt = proof.salts[seat]
        if salt and promise(salt) != promised:
            raise UnfairDice(
                f"the salt of seat {seat} is not the one that it promised: its SHA-256 differs"
            )


def _checked_throws(record: Record, dice: FairDice, start: int) -> Iterator[Throw]:
    number = 0
    before = record.start()
    for step in replay(record):
        if isinstance(step.move, Throw) and step.index >= start:
            fair = dice.throw(before, number)
            if fair != step.move:
                raise UnfairDice(
                    f"{word(step.move)} should be {word(fair)}, by seed and salts", step.index
                )
            number += 1
            yield fair
        before = step.state


def count_dice(throws: Sequence[Throw]) -> int:
    """Return the number of dice in these throws."""
    return sum(len(throw.dice) + (throw.golden is not None) for throw in throws)
