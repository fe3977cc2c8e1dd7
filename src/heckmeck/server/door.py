"""Admission: connections are counted when they are accepted, before anything is read."""

import asyncio
import socket
import struct
import sys
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final, Protocol

from heckmeck.server.limits import Limits, address_of, ip_in
from heckmeck.wire.refusals import Code, Refused

#: The key of the door in the application's state, for the protocols.
DOOR: Final = "heckmeck.door"
#: Seconds between two checks of all connections.
_LOOK_EVERY: Final = 1.0
#: The maximum number of refusals being sent at a time; further connections are simply closed.
_POLITE: Final = 32
#: For `socket.SO_LINGER`: on, with a timeout of zero.
_NO_LINGERING: Final = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)


class Visitor(Protocol):
    """An HTTP connection, until it becomes a WebSocket."""

    def look(self) -> None:
        """Enforce the time limits."""

    def turn_away(self, refused: Refused) -> None:
        """Send the reason and close."""

    def drop(self) -> None:
        """Close at once."""


class Door:
    """Counts the connections of this process, so that nobody can lock others out.

    Connections per address are limited, except for proxies, which stand for many people. When
    there is no room left, the connection that has been idle longest is dropped for a new one.
    """

    def __init__(self, limits: Limits, room: int, proxies: Iterable[str] = ()) -> None:
        """Admit at most ``room`` connections; ``proxies`` are addresses or networks."""
        self.limits = limits
        self._room = room
        self._proxies = [*map(ip_network, proxies)]
        self._inside: dict[str, int] = {}
        self._total = 0
        self._visitors: dict[Visitor, None] = {}
        self._waiting: dict[Visitor, None] = {}
        self._unwelcome: set[Visitor] = set()

    def __len__(self) -> int:
        """Return the number of connections."""
        return self._total

    def enter(self, visitor: Visitor, client: str | None) -> None:
        """Count a new connection; refuse it, or drop an idle one, if there are too many."""
        address = address_of(client)
        here = self._inside[address] = self._inside.get(address, 0) + 1
        self._total += 1
        self._visitors[visitor] = self._waiting[visitor] = None
        if here > self.limits.sockets and not is_among(client, self._proxies):
            used = f"There are {here - 1} connections from your address."
            self._refuse(visitor, Code.TOO_MANY, f"{used} Close one of them first.")
        elif self._total > self._room:
            longest = next(iter(self._waiting))
            if longest is visitor:
                full = "The server is full. Try again in a moment."
                self._refuse(visitor, Code.UNAVAILABLE, full)
            else:
                self._forget(longest)
                longest.drop()

    def leave(self, visitor: Visitor | None, client: str | None) -> None:
        """Forget a closed connection; ``visitor`` is None for a WebSocket."""
        address = address_of(client)
        self._total -= 1
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]
        if visitor is not None:
            self._forget(visitor)

    def waits(self, visitor: Visitor) -> None:
        """Note that a visitor is idle: it has not sent a request."""
        self._waiting[visitor] = None

    def has_asked(self, visitor: Visitor) -> None:
        """Note that a visitor has sent a request."""
        self._waiting.pop(visitor, None)

    def becomes_live(self, visitor: Visitor) -> None:
        """Note that a visitor has become a WebSocket, which has its own limits."""
        self._forget(visitor)

    async def watch(self) -> None:
        """Check all visitors at intervals, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            for visitor in [*self._visitors]:
                visitor.look()

    def _refuse(self, visitor: Visitor, code: Code, message: str) -> None:
        self._waiting.pop(visitor)
        if len(self._unwelcome) < _POLITE:
            self._unwelcome.add(visitor)
            visitor.turn_away(Refused(code, message))
        else:
            visitor.drop()

    def _forget(self, visitor: Visitor) -> None:
        self._visitors.pop(visitor, None)
        self._waiting.pop(visitor, None)
        self._unwelcome.discard(visitor)


def reset(transport: asyncio.Transport) -> None:
    """Close at once with a TCP reset, discarding data in our buffers and the system's."""
    line: socket.socket | None = transport.get_extra_info("socket")
    if line is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
    transport.abort()


def is_among(client: str | None, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Whether a client's address is in one of these networks."""
    address = ip_in(client)
    return address is not None and any(address in network for network in networks)


#: More than any server needs, and few enough for code that iterates over all handles.
_ENOUGH: Final = 65_536
#: Reserved for other files: the database, pages, worker processes.
_RESERVE: Final = 128


def room_for_connections() -> int:
    """Raise the limit on open files as far as possible; return how many connections it allows."""
    handles = _handles()
    return handles - min(_RESERVE, handles // 4)


def _handles() -> int:
    if sys.platform == "win32":
        return _ENOUGH
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # macOS enforces a lower limit than it reports
        return soft
    return wanted
