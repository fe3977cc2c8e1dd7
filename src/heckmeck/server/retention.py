"""Retention: old tables are deleted in the background, a few at a time."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from heckmeck.server import actions as a
from heckmeck.server.logs import note
from heckmeck.server.store import (
    Conflict,
    NoSuchGame,
    Overview,
    Status,
    Store,
    StoreUnavailable,
    Summary,
)

#: The number of tables deleted at a time, and the pause after that.
BATCH: Final = 20
PAUSE_SECONDS: Final = 0.5
#: The delay of the first run after the start, and the interval from then on.
FIRST_SECONDS: Final = 60.0
EVERY_SECONDS: Final = 3600.0

_FINISHED: Final = (Status.OVER, Status.CLOSED)
_UNFINISHED: Final = (Status.WAITING, Status.PLAYING)


@dataclass(frozen=True, slots=True)
class Keep:
    """How many days after their last entry tables are kept; None means forever.

    ``finished`` applies to tables that are over or closed, ``abandoned`` to all others.
    """

    finished: int | None = None
    abandoned: int | None = None

    def limits(self, now: datetime) -> list[tuple[tuple[Status, ...], datetime]]:
        """Return the statuses with a limit, each with the time of the oldest entry to keep."""
        return [
            (statuses, now - timedelta(days=days))
            for statuses, days in ((_FINISHED, self.finished), (_UNFINISHED, self.abandoned))
            if days is not None
        ]


def _in_use_nowhere(_: str) -> bool:
    return False


async def prune(
    store: Store,
    keep: Keep,
    now: datetime | None = None,
    in_use: Callable[[str], bool] = _in_use_nowhere,
    pause: float = 0.0,
) -> int:
    """Delete expired tables, except those ``in_use``; return the number deleted."""
    gone = 0
    for statuses, before in keep.limits(now or datetime.now(UTC)):
        spared = 0
        while True:
            found = await store.stale(statuses, before, spared + BATCH)
            going = [overview for overview in found if not in_use(overview.row.id)]
            for overview in going:
                gone += await retire(store, overview)
            spared = len(found) - len(going)
            if not going:
                break
            await asyncio.sleep(pause)
    return gone


async def retire(store: Store, overview: Overview) -> bool:
    """Delete a table; return False if it has changed in the meantime.

    It is closed first, by an entry in its log, so that connected clients are notified and nobody
    writes to it afterwards.
    """
    row = overview.row
    if row.summary.status is not Status.CLOSED:
        try:
            closed = Summary(Status.CLOSED, row.summary.text)
            await store.append(row.id, overview.n + 1, [a.write(a.Closed())], closed)
        except (Conflict, NoSuchGame):
            return False
    return await store.delete(row.id)


async def prune_now_and_then(store: Store, keep: Keep, in_use: Callable[[str], bool]) -> None:
    """Prune at intervals, until cancelled."""
    if not keep.limits(datetime.now(UTC)):
        return
    await asyncio.sleep(FIRST_SECONDS)
    while True:
        try:
            gone = await prune(store, keep, in_use=in_use, pause=PAUSE_SECONDS)
        except StoreUnavailable:
            gone = 0  # already logged by the watched store; try again at the next interval
        if gone:
            note("pruned", tables=gone)
        await asyncio.sleep(EVERY_SECONDS)
