"""Metrics of the server, for Prometheus.

Everything worth counting is logged too, so the metrics are made from log events. Several workers
keep them in a shared folder (``PROMETHEUS_MULTIPROC_DIR``, which the library reads when it is first
imported), and any of them can answer for all.
"""

import ipaddress
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heckmeck.server.logs import Field
from heckmeck.server.store import Store, StoreError

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

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
        self._events = Counter(
            "heckmeck_events", "Events at tables and of the server", ["event"], registry=registry
        )
        self._refusals = Counter(
            "heckmeck_refusals", "Refused requests", ["code"], registry=registry
        )
        self._failures = Counter(
            "heckmeck_failures", "Unexpected errors", ["event"], registry=registry
        )
        self._answers = Histogram(
            "heckmeck_answer_seconds",
            "Time to answer a message of a client, including writing to disk",
            ["do"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._pages = Histogram(
            "heckmeck_http_seconds",
            "Time to answer an HTTP request",
            ["status"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._connections = Gauge(
            "heckmeck_connections",
            "Open connections to tables",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._waiting = Gauge(
            "heckmeck_waiting",
            "Work waiting for a process",
            ["queue"],
            multiprocess_mode="livesum",
            registry=registry,
        )

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


def _counted(tables: Mapping[str, int]) -> "CollectorRegistry":
    """Return the metrics that come from the store, which all workers share."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.registry import Collector

    class Tables(Collector):
        def collect(self) -> Iterable[GaugeMetricFamily]:
            family = GaugeMetricFamily("heckmeck_tables", "Stored tables", labels=["status"])
            for status, count in tables.items():
                family.add_metric([status], count)
            yield family

    registry = CollectorRegistry()
    registry.register(Tables())
    return registry


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
    networks = tuple(map(ipaddress.ip_network, readers))

    async def page(request: Request) -> Response:
        if not _is_in(request.client.host if request.client else "", networks):
            raise HTTPException(404)
        try:
            counted = (await store.count()).by_status
        except StoreError:
            counted = {}  # the failures are among the metrics
        tables = {str(status): count for status, count in counted.items()}
        return Response(metrics.written(tables), media_type=_TEXT)

    return [Route("/metrics", page, methods=["GET"])]


def _is_in(client: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return False
    return any(address in network for network in networks)
