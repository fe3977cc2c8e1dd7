"""Random words for the dice of this client's seats, promised first and shown when called for.

Players need not choose any: what matters is that nobody else knows them before all are shown.
"""

from typing import NamedTuple

from heckmeck.client.known_seats import new_secret
from heckmeck.client.table import RemoteTable
from heckmeck.dice_source import promise


class Promised(NamedTuple):
    """A seat and the promise of its words."""

    seat: int
    promise: str


class Shown(NamedTuple):
    """A seat and its words."""

    seat: int
    words: str


class OwnWords:
    """The words that this client promised at its table.

    It promises once for each seat and game, so that two clients with the same seat do not replace
    each other's promises forever: the one that promised last shows its words.
    """

    def __init__(self) -> None:
        """Start without promises."""
        self._games: set[tuple[int, int]] = set()
        self._words: dict[str, str] = {}

    def to_promise(self, table: RemoteTable) -> list[Promised]:
        """Return the promises to make now."""
        info = table.info
        if info is None or info.status != "waiting" or info.called:
            return []
        seats = [seat for seat in table.you.seats if (info.round, seat) not in self._games]
        self._games.update((info.round, seat) for seat in seats)
        return [Promised(seat, self._think_of_some()) for seat in seats]

    def to_show(self, table: RemoteTable) -> list[Shown]:
        """Return the words to show now, each only once."""
        info = table.info
        if info is None or info.status != "waiting" or not info.called:
            return []
        promises = {seat: at.promise for seat in table.you.seats if (at := info.seats[seat])}
        return [
            Shown(seat, self._words.pop(promised))
            for seat, promised in promises.items()
            if promised in self._words
        ]

    def _think_of_some(self) -> str:
        words = new_secret()
        promised = promise(words)
        self._words[promised] = words
        return promised
