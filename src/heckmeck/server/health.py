"""Health of the server: liveness, readiness, and the availability of the store.

Liveness (``/healthz``) never waits for the database, because restarting the server does not fix
the database. Readiness (``/readyz``) says whether tables can be played right now.
"""

import asyncio
import time
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heckmeck import __version__
from heckmeck.server import messages as m
from heckmeck.server.api import Api, answer
from heckmeck.server.logs import detail, note, trouble
from heckmeck.server.store import (
    Entry,
    GameRow,
    NewGame,
    News,
    Overview,
    Status,
    Store,
    StoreCounts,
    StoredGame,
    StoreUnavailable,
    Summary,
)

T = TypeVar("T")

#: How often an unavailable store is probed.
TRY_SECONDS: Final = 1.0
#: How long a health check waits for the store.
WAIT_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Absence:
    """The store has been unavailable since ``since`` (`time.monotonic`), for these reasons.

    ``before`` is the number of calls that had failed earlier.
    """

    before: int
    since: float = field(default_factory=time.monotonic)
    causes: set[str] = field(default_factory=set)


class WatchedStore:
    """A `Store` that logs each reason for an outage once, and the recovery.

    While the store is unavailable it is probed regularly, even without requests.
    """

    def __init__(self, store: Store) -> None:
        """Watch ``store``."""
        self._store = store
        self._absence: Absence | None = None
        self._went_away = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self.failures = 0

    @property
    def absence(self) -> Absence | None:
        """The current outage, or None if the store is available."""
        return self._absence

    def _failed(self, error: StoreUnavailable) -> None:
        if self._absence is None:
            self._absence = Absence(self.failures)
            self._went_away.set()
        self.failures += 1
        cause = str(error)
        detail("store_failed", cause=cause)
        if cause not in self._absence.causes:
            self._absence.causes.add(cause)
            trouble("store_unavailable", None, cause=cause)

    async def _told(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except StoreUnavailable as error:
            self._failed(error)
            raise

    async def _watch(self) -> None:
        while await self._went_away.wait():
            await asyncio.sleep(TRY_SECONDS)
            try:
                await self._store.probe(writing=True)
                await self._store.list_public(1)
            except StoreUnavailable as error:
                self._failed(error)
            else:
                self._came_back()

    def _came_back(self) -> None:
        absence, self._absence = self._absence, None
        self._went_away.clear()
        if absence is not None:
            seconds = time.monotonic() - absence.since
            note("store_back", seconds=seconds, failures=self.failures - absence.before)

    # --- the store, unchanged ---------------------------------------------------------------------

    async def open(self) -> None:
        """See `Store.open`; also starts watching."""
        await self._store.open()
        self._watching = asyncio.create_task(self._watch())

    async def create(self, game: NewGame) -> StoredGame:
        """See `Store.create`."""
        return await self._told(self._store.create(game))

    async def load(self, game: str) -> StoredGame | None:
        """See `Store.load`."""
        return await self._told(self._store.load(game))

    async def entries(self, game: str, after: int) -> list[Entry]:
        """See `Store.entries`."""
        return await self._told(self._store.entries(game, after))

    async def append(
        self, game: str, n: int, words: Sequence[str], summary: Summary | None = None
    ) -> tuple[Entry, ...]:
        """See `Store.append`."""
        return await self._told(self._store.append(game, n, words, summary))

    async def list_public(self, limit: int) -> list[GameRow]:
        """See `Store.list_public`."""
        return await self._told(self._store.list_public(limit))

    async def count(self) -> StoreCounts:
        """See `Store.count`."""
        return await self._told(self._store.count())

    async def overview(self, after: str, limit: int) -> list[Overview]:
        """See `Store.overview`."""
        return await self._told(self._store.overview(after, limit))

    async def stale(
        self, statuses: Collection[Status], before: datetime, limit: int
    ) -> list[Overview]:
        """See `Store.stale`."""
        return await self._told(self._store.stale(statuses, before, limit))

    async def delete(self, game: str) -> bool:
        """See `Store.delete`."""
        return await self._told(self._store.delete(game))

    async def rewrite(
        self, game: str, words: Mapping[int, str], summary: Summary | None = None
    ) -> None:
        """See `Store.rewrite`."""
        await self._told(self._store.rewrite(game, words, summary))

    async def probe(self, *, writing: bool) -> None:
        """See `Store.probe`."""
        await self._told(self._store.probe(writing=writing))

    def changes(self) -> AsyncIterator[News]:
        """See `Store.changes`."""
        return self._store.changes()

    async def close(self) -> None:
        """See `Store.close`."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await self._store.close()


class Question:
    """A query to the store, shared by concurrent callers and with a timeout."""

    def __init__(self, ask: Callable[[], Coroutine[None, None, None]]) -> None:
        """Run the query with ``ask``."""
        self._ask = ask
        self._asking: asyncio.Task[bool] | None = None

    async def is_answered(self) -> bool:
        """Run the query; return whether the store answered in time."""
        asking = self._asking
        if asking is None or asking.done():
            asking = self._asking = asyncio.create_task(self._answered())
        done, _ = await asyncio.wait([asking], timeout=WAIT_SECONDS)
        return bool(done) and asking.result()

    async def _answered(self) -> bool:
        try:
            await self._ask()
        except StoreUnavailable:
            return False  # already logged by the watched store
        return True


class Health:
    """The endpoints for monitoring."""

    def __init__(self, api: Api, store: WatchedStore) -> None:
        """Report on ``store``, and on the tables and connections of ``api``."""
        self._api = api
        self._store = store
        self._began = time.monotonic()
        self._count = Question(self._counted)
        self._probe = Question(lambda: store.probe(writing=False))
        self._counts: dict[str, int] = {}

    def routes(self) -> list[Route]:
        """Return the routes."""
        guarded = self._api.guarded
        return [
            Route("/healthz", guarded(self.alive), methods=["GET"]),
            Route("/readyz", guarded(self.ready), methods=["GET"]),
        ]

    async def alive(self, _: Request) -> Response:
        """Report the health of the server. The numbers of tables are the last known ones."""
        if self._store.absence is None:
            await self._count.is_answered()
        is_there = self._store.absence is None
        return answer(
            m.Health(
                ok=is_there,
                storage=is_there,
                version=__version__,
                uptime=round(time.monotonic() - self._began, 3),
                tables=self._counts,
                live_tables=len(self._api.hub),
                connections=self._api.gate.connections,
            )
        )

    async def ready(self, _: Request) -> Response:
        """Report whether tables can be played right now."""
        is_ready = self._store.absence is None and await self._probe.is_answered()
        return answer(m.Ready(is_ready), 200 if is_ready else 503)

    async def _counted(self) -> None:
        counts = await self._store.count()
        self._counts = {
            str(status): counts.by_status[status] for status in sorted(counts.by_status)
        }
