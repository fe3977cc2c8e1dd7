"""How many games make up a piece of work: seconds of it, however fast the games are."""

from collections.abc import Iterator
from typing import Final

#: The maximum number of games in a piece if nobody knows how long they take.
LARGEST: Final = 2_000
#: The maximum if that is known: what a worker can easily remember.
MOST: Final = 20_000
#: A piece should take this long: little is lost with it, and handing it out takes far less. At the
#: end it may be shorter.
SECONDS: Final = 5.0
SECONDS_AT_END: Final = 1.0
#: Pieces get smaller towards the end, so that all workers finish together, but not below this:
#: games are played side by side, and small pieces are slower.
SMALLEST_AT_END: Final = 64


class Pace:
    """How fast games are played, by the last piece: how many make up a piece depends on it."""

    def __init__(self, largest: int = LARGEST, seconds: float = SECONDS) -> None:
        """Know nothing yet; until then, ``largest`` is the maximum. A piece takes ``seconds``."""
        self.largest = largest
        self.smallest_at_end = SMALLEST_AT_END
        self._seconds = seconds

    def note(self, games: int, seconds: float) -> None:
        """Learn from a piece."""
        if seconds > 0:
            rate = games / seconds
            self.largest = min(round(rate * self._seconds), MOST)
            at_end = min(SECONDS_AT_END, self._seconds)
            self.smallest_at_end = max(round(rate * at_end), SMALLEST_AT_END)


def split(games: int, pace: Pace, workers: int = 1, *, deal: int = 1) -> Iterator[tuple[int, int]]:
    """Yield the first game and the number of games of each piece, in whole deals.

    No piece is larger than all before it together: the first results come soon, and stopping early
    loses little. The pace may learn while the pieces are handed out.
    """
    first = 0
    while left := games - first:
        fair_share = max(left // (2 * workers), pace.smallest_at_end)
        wanted = max(min(first, fair_share, pace.largest), 1)
        count = min(-(-wanted // deal) * deal, left)
        yield first, count
        first += count
