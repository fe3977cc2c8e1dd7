"""Entries of a table's log: moves as they are written, everything else as a JSON object.

An entry of the log is text. ``keep:4`` or ``keep:4 k3j9`` is a move, with the id given by its
sender; ``{"do": "sat", "seat": 0, ...}`` is anything else that happened at the table.
The same structs are sent to clients, without private parts (`shown`).
"""

from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from heckmeck.wire.setup import Setup


class Entry(Struct, frozen=True, omit_defaults=True, tag_field="do"):
    """A change of a table other than a move."""


class Created(Entry, frozen=True, tag="created"):
    """The table was opened.

    ``host`` is the hash of the host's secret. ``commitment`` is the SHA-256 of the seed of the
    first game's dice. A table created from a record has its players' names, its moves, the
    position it began with, if any, and, if nothing was cut off, the record's other keys as JSON.
    """

    setup: Setup
    host: str = ""
    commitment: str = ""
    names: tuple[str, ...] = ()
    moves: str = ""
    extra: str = ""
    position: str = ""


class Sat(Entry, frozen=True, tag="sat"):
    """A player took a seat; ``hash`` is the hash of the seat's secret."""

    seat: int
    name: str
    hash: str = ""


class Left(Entry, frozen=True, tag="left"):
    """A seat was given up."""

    seat: int


class Named(Entry, frozen=True, tag="named"):
    """A player changed their name."""

    seat: int
    name: str


class PlateChosen(Entry, frozen=True, tag="plate_chosen"):
    """A player chose a plate; whose seat had it gets the other one."""

    seat: int
    plate: int


class PromisedSalt(Entry, frozen=True, tag="promised_salt"):
    """A player promised the salt that they will show; ``promise`` is its SHA-256."""

    seat: int
    promise: str


class Reseated(Entry, frozen=True, tag="reseated"):
    """Free seats were removed: the table has these of its seats, in this order."""

    order: tuple[int, ...]


class Called(Entry, frozen=True, tag="called"):
    """The game is about to begin: all promises are final, and the salt is to be shown."""


class ShownSalt(Entry, frozen=True, tag="shown_salt"):
    """A player showed the salt that is mixed into the dice."""

    seat: int
    salt: str


class BotSet(Entry, frozen=True, tag="bot_set"):
    """A bot took the seat."""

    seat: int
    bot: str
    name: str


class BotRemoved(Entry, frozen=True, tag="bot_removed"):
    """The bot left the seat."""

    seat: int


class Changed(Entry, frozen=True, tag="changed"):
    """The setup of the table changed."""

    setup: Setup


class Started(Entry, frozen=True, tag="started"):
    """The game began. ``drawn``: the starting seat was drawn.

    ``salts`` and ``promises`` are by seat. A player who promised nothing has
    no promise; one who did not show the promised salt plays without it. Logs of older servers
    have no promises at all.
    """

    first: int
    drawn: bool
    salts: tuple[str, ...]
    promises: tuple[str, ...] = ()


class WentAway(Entry, frozen=True, tag="went_away"):
    """A player is no longer connected."""

    seat: int


class CameBack(Entry, frozen=True, tag="came_back"):
    """A player returned, and plays for themselves again."""

    seat: int


class Awaited(Entry, frozen=True, tag="awaited"):
    """The table waits for this player, who is away, however long that takes."""

    seat: int


class StoodIn(Entry, frozen=True, tag="stood_in"):
    """A bot plays for a player until they return; with ``once``, at most to the end of the turn."""

    seat: int
    bot: str
    once: bool = False


class Undone(Entry, frozen=True, tag="undone"):
    """The last move was taken back."""


class Hurried(Entry, frozen=True, tag="hurried"):
    """The players on these seats have seen enough of the turn that a bot is playing."""

    seats: tuple[int, ...]


class Emoted(Entry, frozen=True, tag="emoted"):
    """A player showed an emotion."""

    seat: int
    emote: str


class Revealed(Entry, frozen=True, tag="revealed"):
    """The game is over, so the seed of its dice is revealed."""

    seed: str


class Reopened(Entry, frozen=True, tag="reopened"):
    """A rematch: all players keep their seats, and there is a new commitment for the dice."""

    commitment: str


class Closed(Entry, frozen=True, tag="closed"):
    """The host closed the table."""


class Booked(Entry, frozen=True, tag="booked"):
    """From now on the games of this table are kept in this family book; in none if it is empty."""

    book: str


class Kept(Entry, frozen=True, tag="kept"):
    """The family book agrees with the table about the game with this number."""

    game: int


#: Entries about the person in a seat, about any seat, and about the whole table.
PersonEntry: TypeAlias = Named | PromisedSalt | ShownSalt | WentAway | CameBack | Awaited | StoodIn
SeatEntry: TypeAlias = Sat | Left | BotSet | BotRemoved | PersonEntry
TableEntry: TypeAlias = (
    Created
    | Changed
    | Reseated
    | PlateChosen
    | Called
    | Started
    | Undone
    | Hurried
    | Emoted
    | Revealed
    | Reopened
    | Closed
    | Booked
    | Kept
)
AnyEntry: TypeAlias = SeatEntry | TableEntry


class LoggedMove(NamedTuple):
    """A move in the log, with the id given by its sender (none for bots and dice)."""

    text: str
    id: str = ""

    def __str__(self) -> str:
        return f"{self.text} {self.id}" if self.id else self.text


class Unknown(Entry, frozen=True, tag="unknown"):
    """An entry of a kind that only newer programs know; servers never write one."""


class BadEntry(ValueError):
    """An entry of the log that is not valid."""


_decoder: Final[msgspec.json.Decoder[AnyEntry]] = msgspec.json.Decoder(AnyEntry)
_encoder: Final = msgspec.json.Encoder()


def write(entry: AnyEntry | LoggedMove) -> str:
    """Return the entry's text."""
    return str(entry) if isinstance(entry, LoggedMove) else _encoder.encode(entry).decode()


def read(text: str) -> AnyEntry | LoggedMove:
    """Return the entry written by `write`; raise `BadEntry` if the text is not valid."""
    if not text.startswith("{"):
        move, _, sender = text.partition(" ")
        return LoggedMove(move, sender)
    try:
        return _decoder.decode(text)
    except msgspec.MsgspecError as error:
        if (old := _read_old(text)) is not None:
            return old
        raise BadEntry(f"{text!r:.80} is not an entry of a table's log: {error}") from error


def _read_old(text: str) -> AnyEntry | None:
    """Return an entry that called salt words, as servers did before version 3 of the protocol."""
    try:
        match msgspec.json.decode(text):
            case {"do": "promised_words", "seat": int(seat), "promise": str(promise)}:
                return PromisedSalt(seat, promise)
            case {"do": "added_words", "seat": int(seat), "words": str(salt)}:
                return ShownSalt(seat, salt)
            case {"do": "started", "words": salts, **others}:
                return msgspec.convert({**others, "salts": salts}, Started)
            case _:
                return None
    except msgspec.MsgspecError:
        return None


def shown(entry: AnyEntry) -> AnyEntry:
    """Return the entry without hashes and without a whole record."""
    match entry:
        case Created():
            return Created(entry.setup, commitment=entry.commitment, names=entry.names)
        case Sat():
            return Sat(entry.seat, entry.name)
        case _:
            return entry
