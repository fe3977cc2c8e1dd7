"""Group commit: appends that arrive during one transaction share the next.

A disk manages a few hundred flushes per second, whether a flush carries one entry or a thousand.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

import msgspec

from heckmeck.server.store import Append, StoreError, StoreUnavailable

#: Writes a batch to disk; returns for each append why it was refused, or None if it was written.
Commit: TypeAlias = Callable[[Sequence[Append]], Awaitable[Sequence[StoreError | None]]]

#: When a batch fails, appends that have waited this long fail too instead of joining the next.
PATIENCE_SECONDS: Final = 1.0


class _Waiting(msgspec.Struct, frozen=True):
    append: Append
    decided: "asyncio.Future[None]"
    since: float


class Batcher:
    """Collects appends and hands them to ``commit``, one batch at a time.

    A batch never holds two appends to the same table: the second waits for the next batch, so
    the outcome of all earlier appends to a table is known. Otherwise a batch takes all that wait.
    """

    def __init__(self, commit: Commit) -> None:
        """Write batches with ``commit``."""
        self._commit = commit
        self._waiting: list[_Waiting] = []
        self._pump: asyncio.Task[None] | None = None
        self._closed = False
        self.commits = 0

    async def add(self, append: Append) -> None:
        """Write ``append``; return when it is on disk, or raise the reason why it is not.

        Cancelling the caller does not cancel the append.
        """
        if self._closed:
            raise StoreUnavailable("The store is closed; nothing more can be written.")
        decided = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(append, decided, time.monotonic()))
        if self._pump is None:
            self._pump = asyncio.create_task(self._write_all())
        await decided

    async def close(self) -> None:
        """Refuse further appends, and return when all pending ones are done."""
        self._closed = True
        if self._pump is not None:
            await self._pump

    async def _write_all(self) -> None:
        while self._waiting:
            batch = self._take_batch()
            # Whatever happens, every caller gets an answer and the next batch is written.
            (refusals,) = await asyncio.gather(
                self._commit([waiting.append for waiting in batch]), return_exceptions=True
            )
            if isinstance(refusals, BaseException):
                batch += self._take_impatient()
                refusals = [_failure(refusals) for _ in batch]
            else:
                self.commits += 1
            for waiting, refusal in zip(batch, refusals, strict=True):
                _decide(waiting.decided, refusal)
        self._pump = None

    def _take_impatient(self) -> list[_Waiting]:
        """Remove and return the appends that have waited too long."""
        latest = time.monotonic() - PATIENCE_SECONDS
        impatient = [waiting for waiting in self._waiting if waiting.since <= latest]
        self._waiting = [waiting for waiting in self._waiting if waiting.since > latest]
        return impatient

    def _take_batch(self) -> list[_Waiting]:
        batch: list[_Waiting] = []
        later: list[_Waiting] = []
        tables: set[str] = set()
        for waiting in self._waiting:
            table = waiting.append.table
            (later if table in tables else batch).append(waiting)
            tables.add(table)
        self._waiting = later
        return batch


def _failure(error: BaseException) -> StoreUnavailable:
    """Return a separate exception for each caller: raising one twice garbles tracebacks."""
    failure = StoreUnavailable(str(error))
    failure.__cause__ = error
    return failure


def _decide(decided: "asyncio.Future[None]", refusal: StoreError | None) -> None:
    if decided.done():
        return  # the caller was cancelled
    if refusal is None:
        decided.set_result(None)
    else:
        decided.set_exception(refusal)
