"""Fair queueing: limited concurrency, with askers served in turn."""

import asyncio
from collections import deque

from heckmeck.server.refusals import Code, Refused


class Turns:
    """Admits ``at_once`` callers at a time; queued ones are admitted round-robin by asker.

    An asker is an address or a table. At most ``each`` callers may wait per asker, and ``in_all``
    in total.
    """

    def __init__(self, at_once: int, each: int, in_all: int) -> None:
        """Start with nobody waiting."""
        self._free = at_once
        self._each = each
        self._in_all = in_all
        #: The next asker comes first.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._count = 0

    def __len__(self) -> int:
        """Return how many are waiting."""
        return self._count

    async def enter(self, asker: str) -> None:
        """Wait for this asker's turn; the caller must then `leave`.

        Raise `Refused` if too many are waiting. Cancellation leaves the queue.
        """
        if self._free and not self._waiting:
            self._free -= 1
            return
        turn = self._queue_up(asker)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._forget(asker, turn)
            else:
                self.leave()
            raise

    def leave(self) -> None:
        """Admit the next caller."""
        self._free += 1
        while self._free and self._waiting:
            asker = next(iter(self._waiting))
            queue = self._waiting.pop(asker)
            turn = queue.popleft()
            self._count -= 1
            if queue:
                self._waiting[asker] = queue
            if not turn.done():
                self._free -= 1
                turn.set_result(None)

    def _queue_up(self, asker: str) -> asyncio.Future[None]:
        queue = self._waiting.get(asker, ())
        if len(queue) >= self._each:
            raise Refused(
                Code.TOO_MANY, f"{len(queue)} of your requests are waiting. Wait for an answer."
            )
        if self._count >= self._in_all:
            raise Refused(Code.UNAVAILABLE, "Too many requests are waiting. Try again later.")
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, deque()).append(turn)
        self._count += 1
        return turn

    def _forget(self, asker: str, turn: asyncio.Future[None]) -> None:
        queue = self._waiting.get(asker)
        if queue is not None and turn in queue:
            queue.remove(turn)
            self._count -= 1
            if not queue:
                del self._waiting[asker]
