"""What other processes write to PostgreSQL, told by LISTEN and NOTIFY."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import psycopg

from heckmeck.server.store.model import Change, Missed, News
from heckmeck.server.store.postgres_link import SERVING_LOCK, Address, pauses

_LOG: Final = logging.getLogger(__name__)
_SERVING: Final = "SELECT pg_advisory_lock_shared(%s, hashtext(current_schema()))"


async def listen(
    address: Address, tell: Callable[[News], None], our_backend: Callable[[], int | None]
) -> None:
    """Tell every change that another process makes, until cancelled.

    Tells `Missed` each time that it begins to listen: nobody kept what was said before. While it
    listens it holds a share in a lock, so that nobody replaces the tables of a running server.
    ``our_backend`` gives the server's process id of the connection whose changes are our own.
    """
    waits = pauses()
    is_told = False
    while True:
        try:
            async with await address.connect() as connection:
                await connection.execute(_SERVING, (SERVING_LOCK,))
                await connection.execute("LISTEN heckmeck")
                waits = pauses()
                is_told = False
                tell(Missed())
                async for notice in connection.notifies():
                    change = _change(notice.payload)
                    if change and notice.pid != our_backend():
                        tell(change)
        except psycopg.Error as error:
            if not is_told:  # once, however long it is away
                _LOG.warning("%s; listening again soon", address.trouble(error))
            is_told = True
        await asyncio.sleep(next(waits))


def _change(payload: str) -> Change | None:
    """Read ``<game>:<n>``; None for anything else, which then is not from us."""
    game, _, n = payload.rpartition(":")
    return Change(game, int(n)) if game and n.isdecimal() else None
