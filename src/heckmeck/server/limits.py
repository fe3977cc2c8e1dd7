"""How much one address may ask for, so that nobody can spoil the evening for all."""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from heckmeck.server.refusals import Code, Refused


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second for ever, and ``burst`` at once."""

    per_second: float
    burst: int

    def share(self, workers: int) -> "Rate":
        """Return the part of one of several workers."""
        return Rate(self.per_second / workers, max(1, self.burst // workers))


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of a server.

    ``messages`` are those of one connection, ``changes`` those of them that are no moves but are
    written down all the same. ``heavy`` requests are those that take long to answer; ``hints`` are
    counted for all connections of an address together. ``strikes`` messages that come too fast end
    a connection.
    """

    messages: Rate = Rate(20, 60)
    changes: Rate = Rate(2, 30)
    requests: Rate = Rate(20, 60)
    heavy: Rate = Rate(1, 20)
    hints: Rate = Rate(5, 60)
    tables: Rate = Rate(1 / 20, 20)
    connections: int = 64
    strikes: int = 100
    record_bytes: int = 256 * 1024
    body_bytes: int = 16 * 1024

    def share(self, workers: int) -> "Limits":
        """Return the limits of one of several workers: what an address may have, divided.

        So the limits hold for the server, whichever worker an address meets; how big one message
        is and how fast they come on one connection is the same for all.
        """
        return replace(
            self,
            requests=self.requests.share(workers),
            heavy=self.heavy.share(workers),
            hints=self.hints.share(workers),
            tables=self.tables.share(workers),
            connections=max(1, self.connections // workers),
        )


class Bucket:
    """Tokens that drip in at a rate; each message takes one."""

    __slots__ = ("_clock", "_rate", "_since", "_tokens")

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        """Start full."""
        self._rate = rate
        self._clock = clock
        self._tokens = float(rate.burst)
        self._since = clock()

    def take(self) -> bool:
        """Take a token; False if there is none."""
        self._drip()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def wait(self) -> float:
        """Return the seconds until there is a token."""
        self._drip()
        return max(0.0, (1 - self._tokens) / self._rate.per_second)

    @property
    def is_full(self) -> bool:
        """Whether nobody has taken anything for long enough to forget about it."""
        self._drip()
        return self._tokens >= self._rate.burst

    def _drip(self) -> None:
        now = self._clock()
        dripped = (now - self._since) * self._rate.per_second
        self._tokens = min(self._rate.burst, self._tokens + dripped)
        self._since = now


#: Buckets are looked through for ones to forget whenever there are this many more.
_TIDY_EVERY: Final = 1000


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        """Start without any."""
        self._rate = rate
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}
        self._tidy_at = _TIDY_EVERY

    def take(self, address: str) -> Bucket | None:
        """Take a token of this address; return its bucket if that is empty."""
        bucket = self._buckets.get(address)
        if bucket is None:
            self._tidy()
            bucket = self._buckets[address] = Bucket(self._rate, self._clock)
        return None if bucket.take() else bucket

    def __len__(self) -> int:
        """Return how many addresses are remembered."""
        return len(self._buckets)

    def _tidy(self) -> None:
        if len(self._buckets) >= self._tidy_at:
            self._buckets = {
                address: bucket for address, bucket in self._buckets.items() if not bucket.is_full
            }
            self._tidy_at = len(self._buckets) + _TIDY_EVERY


class Gate:
    """What each address has used up."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        """Start with nothing used."""
        self.limits = limits
        self._requests = Buckets(limits.requests, clock)
        self._heavy = Buckets(limits.heavy, clock)
        self._tables = Buckets(limits.tables, clock)
        self._hints = Buckets(limits.hints, clock)
        self._connections: dict[str, int] = {}

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return sum(self._connections.values())

    def request(self, address: str, *, heavy: bool = False) -> None:
        """Count an HTTP request; raise `Refused` if there are too many."""
        empty = self._requests.take(address) or (self._heavy.take(address) if heavy else None)
        if empty is not None:
            raise Refused(
                Code.TOO_FAST, f"Too many requests. Try again in {empty.wait():.1f} seconds."
            )

    def table(self, address: str) -> None:
        """Count a new table; raise `Refused` if there are too many."""
        empty = self._tables.take(address)
        if empty is not None:
            raise Refused(
                Code.TOO_MANY,
                f"Too many new tables. Use one you have, or wait {empty.wait():.0f} seconds.",
            )

    def hint(self, address: str) -> None:
        """Count a question for a hint; raise `Refused` if there are too many."""
        empty = self._hints.take(address)
        if empty is not None:
            raise Refused(
                Code.TOO_FAST, f"Too many hints. Ask again in {empty.wait():.1f} seconds."
            )

    def connect(self, address: str) -> None:
        """Count a connection; raise `Refused` if there are too many."""
        used = self._connections.get(address, 0)
        if used >= self.limits.connections:
            raise Refused(
                Code.TOO_MANY,
                f"There are {used} connections from your address. Close one of them first.",
            )
        self._connections[address] = used + 1

    def disconnect(self, address: str) -> None:
        """Forget a connection that `connect` counted."""
        left = self._connections[address] - 1
        if left:
            self._connections[address] = left
        else:
            del self._connections[address]


def address_of(client: str | None) -> str:
    """Return what counts as one address: an IPv6 household has a whole /64."""
    try:
        address = ipaddress.ip_address(client or "")
    except ValueError:
        return client or "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.IPv6Network((address, 64), strict=False))
    return str(address)
