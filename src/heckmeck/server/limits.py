"""Rate limits per address, so that no client can spoil the game for others."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from time import monotonic
from typing import Final

from heckmeck.wire.refusals import Code, Refused


@dataclass(frozen=True, slots=True)
class Rate:
    """A sustained rate with a burst allowance."""

    per_second: float
    burst: int

    def share(self, workers: int) -> "Rate":
        """Return the share of one of several workers."""
        return Rate(self.per_second / workers, max(1, self.burst // workers))


#: The maximum number of games in a family book: some ten games a week for years.
MOST_BOOK_GAMES: Final = 2000


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of a server.

    ``messages`` limits those of one connection; ``changes`` those that are not moves but as
    expensive: changes written to the log, and a repeated hello. ``control`` limits control frames.
    ``pages`` limits requests of any kind, ``requests`` those to the API, and ``heavy`` those that
    are slow to answer; ``hints`` applies to all connections of an address together. A connection is
    closed after ``strikes`` messages that come too fast.

    One address has at most ``sockets`` connections, ``connections`` of them WebSockets. The headers
    of a request are limited by ``head_bytes`` and ``head_seconds``, its address by ``url_bytes``,
    its body by ``body_seconds``. A response may stay unread for ``unread_seconds``, and up to
    ``unread_bytes`` of messages may be queued for a client. A family book keeps up to
    ``book_games``.
    """

    messages: Rate = Rate(20, 60)
    changes: Rate = Rate(2, 30)
    control: Rate = Rate(5, 60)
    pages: Rate = Rate(50, 1000)  # a page with all it caches is 80 requests per device
    requests: Rate = Rate(20, 60)
    heavy: Rate = Rate(1, 20)
    hints: Rate = Rate(5, 60)
    tables: Rate = Rate(1 / 20, 20)
    books: Rate = Rate(1 / 600, 10)
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
    book_games: int = MOST_BOOK_GAMES

    def share(self, workers: int) -> "Limits":
        """Return the limits of one of several workers: those per address, divided.

        So the limits hold for the whole server. Limits per message and per connection are the same
        in every worker.
        """
        return replace(
            self,
            pages=self.pages.share(workers),
            requests=self.requests.share(workers),
            heavy=self.heavy.share(workers),
            hints=self.hints.share(workers),
            tables=self.tables.share(workers),
            books=self.books.share(workers),
            connections=max(1, self.connections // workers),
            sockets=max(1, self.sockets // workers),
        )


class Bucket:
    """A token bucket, refilled at a rate; each message takes one token."""

    __slots__ = ("_clock", "_rate", "_since", "_tokens")

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        """Start full."""
        self._rate = rate
        self._clock = clock
        self._tokens = float(rate.burst)
        self._since = clock()

    def take(self) -> bool:
        """Take a token; return False if there is none."""
        self._drip()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def wait(self) -> float:
        """Return the seconds until the next token."""
        self._drip()
        return max(0.0, (1 - self._tokens) / self._rate.per_second)

    @property
    def is_full(self) -> bool:
        """Whether the bucket is full again and can be forgotten."""
        self._drip()
        return self._tokens >= self._rate.burst

    def _drip(self) -> None:
        now = self._clock()
        dripped = (now - self._since) * self._rate.per_second
        self._tokens = min(self._rate.burst, self._tokens + dripped)
        self._since = now


#: Full buckets are forgotten whenever there are this many more.
_TIDY_EVERY: Final = 1000


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        """Start without buckets."""
        self._rate = rate
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}
        self._tidy_at = _TIDY_EVERY

    def take(self, address: str) -> Bucket | None:
        """Take a token for this address; return its bucket if that is empty."""
        bucket = self._buckets.get(address)
        if bucket is None:
            self._tidy()
            bucket = self._buckets[address] = Bucket(self._rate, self._clock)
        return None if bucket.take() else bucket

    def __len__(self) -> int:
        """Return the number of addresses remembered."""
        return len(self._buckets)

    def _tidy(self) -> None:
        if len(self._buckets) >= self._tidy_at:
            self._buckets = {
                address: bucket for address, bucket in self._buckets.items() if not bucket.is_full
            }
            self._tidy_at = len(self._buckets) + _TIDY_EVERY


class Gate:
    """The usage of each address."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        """Start without usage."""
        self.limits = limits
        self._pages = Buckets(limits.pages, clock)
        self._requests = Buckets(limits.requests, clock)
        self._heavy = Buckets(limits.heavy, clock)
        self._tables = Buckets(limits.tables, clock)
        self._books = Buckets(limits.books, clock)
        self._hints = Buckets(limits.hints, clock)
        self._connections: Counter[str] = Counter()

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return self._connections.total()

    def page(self, address: str) -> None:
        """Count an HTTP request of any kind; raise `Refused` if there are too many."""
        _take(self._pages, address)

    def request(self, address: str, *, heavy: bool = False) -> None:
        """Count a request to the API; raise `Refused` if there are too many."""
        _take(self._requests, address)
        if heavy:
            _take(self._heavy, address)

    def table(self, address: str) -> None:
        """Count a new table; raise `Refused` if there are too many."""
        sentence = "Too many new tables. Use an existing one, or wait {:.0f} seconds."
        _take(self._tables, address, sentence, Code.TOO_MANY)

    def book(self, address: str) -> None:
        """Count a new family book; raise `Refused` if there are too many."""
        sentence = "Too many new books. Use an existing one, or wait {:.0f} seconds."
        _take(self._books, address, sentence, Code.TOO_MANY)

    def hint(self, address: str) -> None:
        """Count a request for a hint; raise `Refused` if there are too many."""
        _take(self._hints, address, "Too many hints. Ask again in {:.1f} seconds.")

    def connect(self, address: str) -> None:
        """Count a connection; raise `Refused` if there are too many."""
        used = self._connections[address]
        if used >= self.limits.connections:
            raise Refused(
                Code.TOO_MANY,
                f"There are {used} connections from your address. Close one of them first.",
            )
        self._connections[address] = used + 1

    def disconnect(self, address: str) -> None:
        """Forget a connection that `connect` counted."""
        self._connections[address] -= 1
        if not self._connections[address]:
            del self._connections[address]


def _take(
    buckets: Buckets,
    address: str,
    sentence: str = "Too many requests. Try again in {:.1f} seconds.",
    code: Code = Code.TOO_FAST,
) -> None:
    """Take a token; raise `Refused` with the seconds to wait if there is none."""
    empty = buckets.take(address)
    if empty is not None:
        wait = empty.wait()
        raise Refused(code, sentence.format(wait), wait)


def address_of(client: str | None) -> str:
    """Return the key of an address: an IPv6 household has a whole /64."""
    address = ip_in(client)
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Network((address, 64), strict=False))
    return str(address or client or "unknown")


def ip_in(text: str | None) -> IPv4Address | IPv6Address | None:
    """Return the IP address, or None if the text is not one."""
    try:
        return ip_address(text or "")
    except ValueError:
        return None
