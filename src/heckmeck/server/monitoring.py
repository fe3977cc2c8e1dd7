"""Monitoring: liveness, readiness, the availability of the store, and metrics for Prometheus.

Liveness (``/healthz``) never waits for the database, because restarting the server does not fix
the database. Readiness (``/readyz``) says whether tables can be played right now.

Everything worth counting is logged too, so the metrics are made from log events. Several workers
keep them in a shared folder (``PROMETHEUS_MULTIPROC_DIR``, which the library reads when it is first
imported), and any of them can answer for all.
"""

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heckmeck import __version__
from heckmeck.hosting.events import Field, detail, note, trouble
from heckmeck.server.api import Api, answer
from heckmeck.server.door import is_among
from heckmeck.server.store import Store, StoreError, StoreUnavailable
from heckmeck.wire import answers as m

if TYPE_CHECKING:
    from prometheus_client.registry import Collector


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


class StoreWatch:
    """Logs each reason for an outage of the store once, and the recovery.

    While the store is unavailable it is probed regularly, even without requests.
    """

    def __init__(self, store: Store) -> None:
        """Watch ``store``; see `watch`."""
        self._store = store
        self._went_away = asyncio.Event()
        self._failures = 0
        self.absence: Absence | None = None  # None while the store is available
        store.on_failure = self._failed

    async def watch(self) -> None:
        """Look for the store whenever it is unavailable, until cancelled."""
        while await self._went_away.wait():
            await asyncio.sleep(TRY_SECONDS)
            with suppress(StoreUnavailable):
                await self._store.probe(writing=True)
                await self._store.list_public(1)
                self._came_back()

    def _failed(self, error: StoreUnavailable) -> None:
        if self.absence is None:
            self.absence = Absence(self._failures)
            self._went_away.set()
        self._failures += 1
        cause = str(error)
        detail("store_failed", cause=cause)
        if cause not in self.absence.causes:
            self.absence.causes.add(cause)
            trouble("store_unavailable", None, cause=cause)

    def _came_back(self) -> None:
        absence, self.absence = self.absence, None
        self._went_away.clear()
        if absence is not None:
            seconds = time.monotonic() - absence.since
            note("store_back", seconds=seconds, failures=self._failures - absence.before)


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
            return False  # already logged by the watch
        return True


class Health:
    """The endpoints for monitoring."""

    def __init__(self, api: Api, watch: StoreWatch) -> None:
        """Report on the store, and on the tables and connections of ``api``."""
        self._api = api
        self._watch = watch
        self._began = time.monotonic()
        self._count = Question(self._counted)
        self._probe = Question(lambda: api.hub.store.probe(writing=False))
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
        if self._watch.absence is None:
            await self._count.is_answered()
        is_there = self._watch.absence is None
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
        is_ready = self._watch.absence is None and await self._probe.is_answered()
        return answer(m.Ready(is_ready), 200 if is_ready else 503)

    async def _counted(self) -> None:
        counts = await self._api.hub.store.count()
        self._counts = {str(status): counts[status] for status in sorted(counts)}


# --- metrics --------------------------------------------------------------------------------------


_SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
#: Upper bounds, in seconds.
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_TEXT: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts the events of this process, and reports those of all workers."""

    def __init__(self, queues: Callable[[], Mapping[str, int]]) -> None:
        """Start at zero; ``queues`` returns how much work is waiting, by kind."""
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        if _SHARED in os.environ:
            _forget_the_dead()
        self._queues = queues
        self._registry = registry = CollectorRegistry()

        def counter(name: str, about: str, label: str) -> Counter:
            return Counter(f"heckmeck_{name}", about, [label], registry=registry)

        def seconds(name: str, about: str, label: str) -> Histogram:
            name = f"heckmeck_{name}_seconds"
            return Histogram(name, about, [label], buckets=_BUCKETS, registry=registry)

        def gauge(name: str, about: str, *labels: str) -> Gauge:
            name = f"heckmeck_{name}"
            return Gauge(name, about, labels, multiprocess_mode="livesum", registry=registry)

        self._events = counter("events", "Events at tables and of the server", "event")
        self._refusals = counter("refusals", "Refused requests", "code")
        self._failures = counter("failures", "Unexpected errors", "event")
        to_answer = "Time to answer a message of a client, including writing to disk"
        self._answers = seconds("answer", to_answer, "do")
        self._pages = seconds("http", "Time to answer an HTTP request", "status")
        self._connections = gauge("connections", "Open connections to tables")
        self._waiting = gauge("waiting", "Work waiting for a process", "queue")

    def happened(self, event: str, fields: Mapping[str, Field], *, failed: bool) -> None:
        """Count a log event."""
        (self._failures if failed else self._events).labels(event).inc()
        self._connections.inc({"connected": 1, "disconnected": -1}.get(event, 0))
        if "code" in fields:
            self._refusals.labels(str(fields["code"])).inc()
        ms = fields.get("ms")
        if isinstance(ms, float):
            is_page = event == "request"
            kind = self._pages.labels(fields["status"]) if is_page else self._answers.labels(event)
            kind.observe(ms / 1000)
        for queue, waiting in self._queues().items():
            self._waiting.labels(queue).set(waiting)

    def written(self, tables: Mapping[str, int]) -> bytes:
        """Return all metrics in the format of Prometheus; ``tables`` counts those in the store."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = self._registry
        if _SHARED in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry) + generate_latest(_counted(tables))


def _counted(tables: Mapping[str, int]) -> "Collector":
    """Return the metrics that come from the store, which all workers share."""
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.registry import Collector

    class Tables(Collector):
        def collect(self) -> Iterable[GaugeMetricFamily]:
            family = GaugeMetricFamily("heckmeck_tables", "Stored tables", labels=["status"])
            for status, count in tables.items():
                family.add_metric([status], count)
            yield family

    return Tables()


@contextmanager
def shared_by_workers() -> Iterator[None]:
    """Let workers that are started meanwhile share their metrics, in a folder of their own."""
    with TemporaryDirectory(prefix="heckmeck-metrics-") as folder:
        os.environ[_SHARED] = folder
        try:
            yield
        finally:
            del os.environ[_SHARED]


def _forget_the_dead() -> None:
    """Drop the gauges of workers that have ended: they have no connections any more."""
    from prometheus_client.multiprocess import mark_process_dead

    for file in Path(os.environ[_SHARED]).glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid)  # type: ignore[no-untyped-call]


def metrics_routes(metrics: Metrics, store: Store, readers: Iterable[str]) -> list[Route]:
    """Return the route of the metrics, for clients in these networks; for others there is none."""
    networks = tuple(map(ip_network, readers))

    async def page(request: Request) -> Response:
        if not is_among(request.client.host if request.client else None, networks):
            raise HTTPException(404)
        try:
            counted = await store.count()
        except StoreError:
            counted = {}  # the failures are among the metrics
        tables = {str(status): count for status, count in counted.items()}
        return Response(metrics.written(tables), media_type=_TEXT)

    return [Route("/metrics", page, methods=["GET"])]
