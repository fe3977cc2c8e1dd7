"""How much one address may ask for, so that nobody can spoil the evening for all."""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from heckmeck.server.refusals import Code, Refused


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second for ever, and ``burst`` at once."""

    per_second: float
    burst: int


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of a server.

    ``messages`` are those of one connection, ``changes`` those of them that are no moves but cost
    as much: what is written down, and saying hello again. ``control`` are frames of a connection
    that carry no message. ``pages`` are requests of any kind, ``requests`` those of programs, and
    ``heavy`` those that take long to answer. ``strikes`` messages that come too fast end a
    connection.

    One address has at most ``sockets`` connections, ``connections`` of them WebSockets. A request's
    head has ``head_bytes`` and ``head_seconds``, its first line ``url_bytes``, its body
    ``body_seconds``; an answer may lie about unread for ``unread_seconds``, and ``unread_bytes`` of
    messages may wait for a client.
    """

    messages: Rate = Rate(20, 60)
    changes: Rate = Rate(2, 30)
    control: Rate = Rate(5, 60)
    pages: Rate = Rate(50, 1000)  # a page with all it keeps for later is 80 requests a device
    requests: Rate = Rate(20, 60)
    heavy: Rate = Rate(1, 20)
    tables: Rate = Rate(1 / 20, 20)
    sockets: int = 128
    connections: int = 64
    strikes: int = 100
    record_bytes: int = 256 * 1024
    body_bytes: int = 16 * 1024
    url_bytes: int = 8000
    head_bytes: int = 16 * 1024
    head_seconds: float = 10
    body_seconds: float = 30
    unread_seconds: float = 30
    unread_bytes: int = 256 * 1024


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
        self._pages = Buckets(limits.pages, clock)
        self._requests = Buckets(limits.requests, clock)
        self._heavy = Buckets(limits.heavy, clock)
        self._tables = Buckets(limits.tables, clock)
        self._connections: dict[str, int] = {}

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return sum(self._connections.values())

    def page(self, address: str) -> None:
        """Count an HTTP request of any kind; raise `Refused` if there are too many."""
        _or_refuse(self._pages.take(address))

    def request(self, address: str, *, heavy: bool = False) -> None:
        """Count a program's request; raise `Refused` if there are too many."""
        _or_refuse(self._requests.take(address))
        if heavy:
            _or_refuse(self._heavy.take(address))

    def table(self, address: str) -> None:
        """Count a new table; raise `Refused` if there are too many."""
        empty = self._tables.take(address)
        if empty is not None:
            raise Refused(
                Code.TOO_MANY,
                f"Too many new tables. Use one you have, or wait {empty.wait():.0f} seconds.",
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


def _or_refuse(empty: Bucket | None) -> None:
    if empty is not None:
        raise Refused(Code.TOO_FAST, f"Too many requests. Try again in {empty.wait():.1f} seconds.")


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
