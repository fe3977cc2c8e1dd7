"""Errors of the store.

::

    StoreError
    ├── StoreTooNew        the database was written by a newer heckmeck; nothing was changed
    ├── AlreadyServed      another process serves this SQLite file (in `claim`)
    ├── StoreUnavailable   the store cannot be reached, read or written right now
    ├── NoSuchGame         an entry for a game that does not exist
    ├── GameExists         a new game whose id is taken
    └── Conflict           an entry's number is not the game's next: another writer was faster

Messages are sentences for the person who runs the server.
"""


class StoreError(Exception):
    """The operation failed; the message gives the reason and a remedy."""


class StoreTooNew(StoreError):
    """The database has the schema of a newer heckmeck."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, read or written right now.

    If a write raises this, it may or may not have happened: load the game to find out. Entries
    found then are permanent; missing ones may still appear until another entry takes their number.
    """


class NoSuchGame(StoreError):
    """There is no game with this id."""

    def __init__(self, game: str) -> None:
        """Name the game."""
        self.game = game
        super().__init__(f"There is no game {game!r} in the store.")


class GameExists(StoreError):
    """A game with this id already exists."""

    def __init__(self, game: str) -> None:
        """Name the game."""
        self.game = game
        super().__init__(f"Game {game!r} already exists; choose another id.")


class Conflict(StoreError):
    """Entry ``n`` is not the next one of the game; nothing was written.

    Usually another process wrote it first. Load the new entries and decide again.
    """

    def __init__(self, game: str, n: int) -> None:
        """Name the game and the number."""
        self.game = game
        self.n = n
        super().__init__(f"Entry {n} is not the next entry of game {game!r}; load the game again.")
