"""Entries of the log: the words of the game as they are, everything else as a JSON object.

An entry of the log is text. ``keep:4`` or ``keep:4 k3j9`` is a word of the game, with the id given
by its sender; ``{"do": "sat", "seat": 0, ...}`` is an action at the table. The same structs are
sent to clients, without private parts (`shown`).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from heckmeck.server.setup import Setup


class Action(Struct, frozen=True, omit_defaults=True, tag_field="do"):
    """A change of a table other than a word of the game."""


class Created(Action, frozen=True, tag="created"):
    """The table was opened.

    ``host`` is the hash of the host's secret. ``commitment`` is the SHA-256 of the seed of the
    first game's dice. A table created from a record has its players' names, its moves, and, if
    nothing was cut off, the record's other keys as JSON.
    """

    setup: Setup
    host: str = ""
    commitment: str = ""
    names: tuple[str, ...] = ()
    moves: str = ""
    extra: str = ""


class Sat(Action, frozen=True, tag="sat"):
    """A player took a seat; ``hash`` is the hash of the seat's secret."""

    seat: int
    name: str
    hash: str = ""


class Left(Action, frozen=True, tag="left"):
    """A seat was given up."""

    seat: int


class Named(Action, frozen=True, tag="named"):
    """A player changed their name."""

    seat: int
    name: str


class PromisedWords(Action, frozen=True, tag="promised_words"):
    """A player promised the words that they will show; ``promise`` is their SHA-256."""

    seat: int
    promise: str


class Called(Action, frozen=True, tag="called"):
    """The game is about to begin: all promises are final, and the words are to be shown."""


class AddedWords(Action, frozen=True, tag="added_words"):
    """A player showed the words that are mixed into the dice."""

    seat: int
    words: str


class BotSet(Action, frozen=True, tag="bot_set"):
    """A bot took the seat."""

    seat: int
    bot: str
    name: str


class BotRemoved(Action, frozen=True, tag="bot_removed"):
    """The bot left the seat."""

    seat: int


class Changed(Action, frozen=True, tag="changed"):
    """The setup of the table changed."""

    setup: Setup


class Started(Action, frozen=True, tag="started"):
    """The game began. ``drawn``: the starting seat was drawn.

    ``words`` and ``promises`` are by seat. A player who promised nothing has
    no promise; one who did not show the promised words plays without them. Logs of older servers
    have no promises at all.
    """

    first: int
    drawn: bool
    words: tuple[str, ...]
    promises: tuple[str, ...] = ()


class WentAway(Action, frozen=True, tag="went_away"):
    """A player is no longer connected."""

    seat: int


class CameBack(Action, frozen=True, tag="came_back"):
    """A player returned, and plays for themselves again."""

    seat: int


class StoodIn(Action, frozen=True, tag="stood_in"):
    """A bot plays for a player until they return."""

    seat: int
    bot: str


class Undone(Action, frozen=True, tag="undone"):
    """The last word of the game was taken back."""


class Emoted(Action, frozen=True, tag="emoted"):
    """A player showed an emotion."""

    seat: int
    emote: str


class Revealed(Action, frozen=True, tag="revealed"):
    """The game is over, so the seed of its dice is revealed."""

    seed: str


class Reopened(Action, frozen=True, tag="reopened"):
    """A rematch: all players keep their seats, and there is a new commitment for the dice."""

    commitment: str


class Closed(Action, frozen=True, tag="closed"):
    """The host closed the table."""


AnyAction: TypeAlias = (
    Created
    | Sat
    | Left
    | Named
    | PromisedWords
    | Called
    | AddedWords
    | BotSet
    | BotRemoved
    | Changed
    | Started
    | WentAway
    | CameBack
    | StoodIn
    | Undone
    | Emoted
    | Revealed
    | Reopened
    | Closed
)


class Word(NamedTuple):
    """A word of the game, with the id given by its sender (none for bots and dice)."""

    text: str
    id: str = ""

    def __str__(self) -> str:
        return f"{self.text} {self.id}" if self.id else self.text


class BadEntry(ValueError):
    """An entry of the log that is not valid."""


_decoder: Final[msgspec.json.Decoder[AnyAction]] = msgspec.json.Decoder(AnyAction)
_encoder: Final = msgspec.json.Encoder()


def write(entry: AnyAction | Word) -> str:
    """Return the entry's text."""
    return str(entry) if isinstance(entry, Word) else _encoder.encode(entry).decode()


def write_all(entries: Sequence[AnyAction | Word]) -> tuple[str, ...]:
    """Return the text of each entry."""
    return tuple(map(write, entries))


def read(text: str) -> AnyAction | Word:
    """Return the entry written by `write`; raise `BadEntry` if the text is not valid."""
    if not text.startswith("{"):
        word, _, sender = text.partition(" ")
        return Word(word, sender)
    try:
        return _decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise BadEntry(f"{text!r:.80} is not an entry of a table's log: {error}") from error


def shown(action: AnyAction) -> AnyAction:
    """Return the action without hashes and without a whole record."""
    match action:
        case Created():
            return Created(action.setup, commitment=action.commitment, names=action.names)
        case Sat():
            return Sat(action.seat, action.name)
        case _:
            return action
