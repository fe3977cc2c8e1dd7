"""What the store keeps, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias


class Status(StrEnum):
    """How far a table is, for lists; the log of entries is what is true."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that changed a table: a word of the game or a lobby action as JSON text.

    The store never looks into ``word``. Entries of one game are numbered from 0 without gaps.
    """

    n: int
    at: datetime
    word: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What lists show of a game: its status, and JSON text that the store never looks into."""

    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be created together with its first words."""

    id: str
    public: bool
    edition: str
    secret: bytes = field(repr=False)
    summary: Summary
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameRow:
    """What the store knows about a game without its entries, and without its secret."""

    id: str
    created: datetime
    public: bool
    edition: str
    summary: Summary


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A whole game; ``secret`` is the seed of its dice and must not leave the server too early."""

    row: GameRow
    secret: bytes = field(repr=False)
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """A game with the number of its last entry and the time when that was written."""

    row: GameRow
    n: int
    at: datetime


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """How many games there are of each status; a status without games is left out."""

    by_status: Mapping[Status, int]

    @property
    def games(self) -> int:
        """All games."""
        return sum(self.by_status.values())


@dataclass(frozen=True, slots=True)
class Change:
    """Another process wrote to a game; ``n`` is the number of the last entry that it wrote."""

    game: str
    n: int


@dataclass(frozen=True, slots=True)
class Missed:
    """Changes may have gone unnoticed until now: ask for the new entries of every open table."""


News: TypeAlias = Change | Missed
