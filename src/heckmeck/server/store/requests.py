"""Writes as values: checked, numbered and timestamped before they are queued."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from heckmeck.server.store.errors import NoSuchGame
from heckmeck.server.store.model import Entry, GameRow, NewGame, StoredGame, Summary

_MAX_N: Final = 2**31 - 1  # PostgreSQL's integer


@dataclass(frozen=True, slots=True)
class Append:
    """Entries to be written to one game, all or none, and its new summary if it changes."""

    game: str
    entries: tuple[Entry, ...]
    summary: Summary | None = None

    @property
    def first(self) -> int:
        """The number that must be the game's next."""
        return self.entries[0].n

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.entries[-1].n


def checked(game: str, n: int, words: Sequence[str], summary: Summary | None) -> Append:
    """Return the arguments of `Store.append` as a value; raise the errors that it documents."""
    if not is_text(game):
        raise NoSuchGame(game)
    if summary:
        _check_text(summary.text)
    return Append(game, _stamped(n, words), summary)


def stored(game: NewGame) -> StoredGame:
    """Return the game as it will be stored; raise `ValueError` if it cannot be stored."""
    for text in (game.id, game.edition, game.summary.text):
        _check_text(text)
    entries = _stamped(0, game.words)
    row = GameRow(game.id, entries[0].at, game.public, game.edition, game.summary)
    return StoredGame(row, game.secret, entries)


def is_text(text: str) -> bool:
    """Whether a database can store ``text``: no lone surrogates and no NUL."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _check_text(text: str) -> None:
    if not is_text(text):
        raise ValueError(f"{text!a} cannot be stored: it contains a NUL or a lone surrogate")


def _stamped(n: int, words: Sequence[str]) -> tuple[Entry, ...]:
    """Number the words from ``n`` on and stamp them with the current time."""
    if not words:
        raise ValueError("nothing to write: give at least one word")
    if not 0 <= n <= _MAX_N - len(words):
        raise ValueError(f"{n} is not a valid entry number: it must be from 0 to {_MAX_N}")
    for word in words:
        _check_text(word)
    now = datetime.now(UTC)
    return tuple(Entry(n + index, now, word) for index, word in enumerate(words))
