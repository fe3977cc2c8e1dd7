"""Notifications of writes by other processes, with LISTEN and NOTIFY."""

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
    """Report every change by another process, until cancelled.

    Reports `Missed` whenever it starts listening, because earlier notifications are lost. While it
    listens it holds a shared lock, so that the tables of a running server cannot be replaced.
    ``our_backend`` returns the server's process id for the connection that makes our own changes.
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
            if not is_told:  # log once per outage
                _LOG.warning("%s; listening again soon", address.trouble(error))
            is_told = True
        await asyncio.sleep(next(waits))


def _change(payload: str) -> Change | None:
    """Parse ``<game>:<n>``; return None for anything else, which is not from heckmeck."""
    game, _, n = payload.rpartition(":")
    return Change(game, int(n)) if game and n.isdecimal() else None
