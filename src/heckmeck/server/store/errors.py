"""What can go wrong with the store.

::

    StoreError
    ├── StoreTooNew        the database was written by a newer heckmeck; nothing was touched
    ├── AlreadyServed      another process serves this SQLite file (in `claim`)
    ├── StoreUnavailable   it could not be reached, read or written just now
    ├── NoSuchGame         an entry for a game that is not there
    ├── GameExists         a new game whose id is taken
    └── Conflict           the number of an entry is not the game's next: somebody was faster

Each message is a sentence for the person who runs the server.
"""


class StoreError(Exception):
    """The store cannot do what was asked; the message says why and what would help."""


class StoreTooNew(StoreError):
    """The database has a schema that only a newer heckmeck knows."""


class StoreUnavailable(StoreError):
    """The store could not be reached or written just now.

    After a write this says nothing about whether it happened: load the game and look. Whatever
    is there then stays there; what is not may still come, until its number is taken.
    """


class NoSuchGame(StoreError):
    """There is no game with this id."""

    def __init__(self, game: str) -> None:
        """Name the game."""
        self.game = game
        super().__init__(f"There is no game {game!r} in the store.")


class GameExists(StoreError):
    """There is a game with this id already."""

    def __init__(self, game: str) -> None:
        """Name the game."""
        self.game = game
        super().__init__(f"There is a game {game!r} already; choose another id.")


class Conflict(StoreError):
    """Entry ``n`` is not the next one of the game; nothing was written.

    Almost always because somebody else wrote it first. Load what is new and decide again.
    """

    def __init__(self, game: str, n: int) -> None:
        """Name the game and the number."""
        self.game = game
        self.n = n
        super().__init__(f"Entry {n} is not the next one of game {game!r}; read the game again.")
