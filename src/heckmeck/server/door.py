"""Who is let in at all: connections are counted when they come, before anything is read."""

import asyncio
import socket
import struct
import sys
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, Protocol

from heckmeck.server.limits import Limits, address_of
from heckmeck.server.refusals import Code, Refused

#: Under this name the protocols find the door in the application's state.
DOOR: Final = "heckmeck.door"
#: Seconds between two looks at everybody who is inside.
_LOOK_EVERY: Final = 1.0
#: So many at a time are told why they cannot come in; others find the door shut.
_POLITE: Final = 32
#: For `socket.SO_LINGER`: on, for no time at all.
_NO_LINGERING: Final = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)


class Visitor(Protocol):
    """A connection over HTTP; as a WebSocket it is no visitor any more."""

    def look(self) -> None:
        """End what takes too long."""
        ...

    def turn_away(self, refused: Refused) -> None:
        """Say why, and close."""
        ...

    def drop(self) -> None:
        """Close at once."""
        ...


class Door:
    """Counts the connections of this process, and lets nobody keep the others out.

    One address has so many and no more, unless it is a proxy's, which stands for many people.
    When there is no room for another one, whoever has waited longest without asking for anything
    has to go: those who ask are let in however many others only stand there.
    """

    def __init__(self, limits: Limits, room: int, proxies: Iterable[str] = ()) -> None:
        """Let in at most ``room`` at a time; ``proxies`` are addresses or networks."""
        self.limits = limits
        self._room = room
        self._proxies = [*map(ip_network, proxies)]
        self._inside: dict[str, int] = {}
        self._total = 0
        self._visitors: dict[Visitor, None] = {}
        self._waiting: dict[Visitor, None] = {}
        self._unwelcome: set[Visitor] = set()

    def __len__(self) -> int:
        """Return how many connections there are."""
        return self._total

    def enter(self, visitor: Visitor, client: str | None) -> None:
        """Count a new connection, and send away whoever has to go because of it."""
        address = address_of(client)
        here = self._inside[address] = self._inside.get(address, 0) + 1
        self._total += 1
        self._visitors[visitor] = self._waiting[visitor] = None
        if here > self.limits.sockets and not is_among(client, self._proxies):
            self._refuse(visitor, _too_many(here - 1))
        elif self._total > self._room:
            longest = next(iter(self._waiting))
            if longest is visitor:
                self._refuse(visitor, _no_room())
            else:
                self._forget(longest)
                longest.drop()

    def leave(self, visitor: Visitor | None, client: str | None) -> None:
        """Forget a connection that is gone; a WebSocket has no visitor any more."""
        address = address_of(client)
        self._total -= 1
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]
        if visitor is not None:
            self._forget(visitor)

    def waits(self, visitor: Visitor) -> None:
        """Remember that a visitor has not said yet what it wants."""
        self._waiting[visitor] = None

    def has_asked(self, visitor: Visitor) -> None:
        """Remember that a visitor has said what it wants."""
        self._waiting.pop(visitor, None)

    def becomes_live(self, visitor: Visitor) -> None:
        """Remember that a visitor has become a WebSocket, which has limits of its own."""
        self._forget(visitor)

    async def watch(self) -> None:
        """Look at all visitors now and then, for ever."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            for visitor in [*self._visitors]:
                visitor.look()

    def _refuse(self, visitor: Visitor, refused: Refused) -> None:
        self._waiting.pop(visitor)
        if len(self._unwelcome) < _POLITE:
            self._unwelcome.add(visitor)
            visitor.turn_away(refused)
        else:
            visitor.drop()

    def _forget(self, visitor: Visitor) -> None:
        self._visitors.pop(visitor, None)
        self._waiting.pop(visitor, None)
        self._unwelcome.discard(visitor)


def reset(transport: asyncio.Transport) -> None:
    """Close at once; what is on its way is forgotten by us, and by the system as well."""
    line: socket.socket | None = transport.get_extra_info("socket")
    if line is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
    transport.abort()


def is_among(client: str | None, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Whether a client's address is in one of these networks."""
    try:
        address = ip_address(client or "")
    except ValueError:
        return False
    return any(address in network for network in networks)


def _too_many(here: int) -> Refused:
    return Refused(
        Code.TOO_MANY, f"There are {here} connections from your address. Close one of them first."
    )


def _no_room() -> Refused:
    return Refused(Code.UNAVAILABLE, "The server is full just now. Try again in a moment.")
