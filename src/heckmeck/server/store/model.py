"""The data of the store, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias


class Status(StrEnum):
    """The stage of a table, for lists; the log of entries is authoritative."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Entry:
    """A change of a table: a word of the game, or a lobby action as JSON text.

    ``word`` is opaque to the store. Entries of one game are numbered from 0 without gaps.
    """

    n: int
    at: datetime
    word: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in lists: its status, and JSON text that is opaque to the store."""

    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be created, with its first words."""

    id: str
    public: bool
    edition: str
    secret: bytes = field(repr=False)
    summary: Summary
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game without its entries and its secret."""

    id: str
    created: datetime
    public: bool
    edition: str
    summary: Summary


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A whole game; its dice are derived from ``secret``, which must not leave the server."""

    row: GameRow
    secret: bytes = field(repr=False)
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """A game with the number and the time of its last entry."""

    row: GameRow
    n: int
    at: datetime


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """The number of games by status; a status without games is omitted."""

    by_status: Mapping[Status, int]

    @property
    def games(self) -> int:
        """The number of all games."""
        return sum(self.by_status.values())


@dataclass(frozen=True, slots=True)
class Change:
    """Another process wrote to a game; ``n`` is the number of the last entry it wrote."""

    game: str
    n: int


@dataclass(frozen=True, slots=True)
class Missed:
    """Changes may have been missed: load the new entries of every open table."""


News: TypeAlias = Change | Missed
