"""Who is let in, by a door alone and by the first lines of the application."""

import asyncio
from dataclasses import replace

import pytest
from starlette.types import Message, Receive, Scope, Send

from heckmeck.server.app import Entrance
from heckmeck.server.door import Door, room_for_connections
from heckmeck.server.limits import Gate, Limits, Rate
from heckmeck.server.security import Names
from heckmeck.wire.refusals import Code, Refused

LIMITS = Limits(sockets=3)


class Visitor:
    """A connection that remembers what was done to it."""

    def __init__(self) -> None:
        self.refused: Code | None = None
        self.dropped = False

    def look(self) -> None:
        raise AssertionError("nobody looks here")

    def turn_away(self, refused: Refused) -> None:
        self.refused = refused.code

    def drop(self) -> None:
        self.dropped = True


def enter(door: Door, address: str = "192.0.2.1") -> Visitor:
    visitor = Visitor()
    door.enter(visitor, address)
    return visitor


def test_an_address_has_so_many_and_gets_them_back() -> None:
    door = Door(LIMITS, room=100)
    first, *_ = [enter(door) for _ in range(3)]
    late = enter(door)
    assert late.refused is Code.TOO_MANY
    door.leave(late, "192.0.2.1")
    door.leave(first, "192.0.2.1")
    assert enter(door).refused is None
    assert enter(door, "192.0.2.2").refused is None
    assert len(door) == 4


def test_a_household_with_its_own_network_is_one_address() -> None:
    door = Door(LIMITS, room=100)
    visitors = [enter(door, f"2001:db8:1:2::{number}") for number in range(4)]
    assert visitors[-1].refused is Code.TOO_MANY


def test_a_proxy_stands_for_many() -> None:
    door = Door(LIMITS, room=100, proxies=("127.0.0.1", "10.0.0.0/8"))
    for address in ("127.0.0.1", "10.1.2.3"):
        assert not any(enter(door, address).refused for _ in range(10))


def test_only_some_are_told_why() -> None:
    door = Door(LIMITS, room=1000)
    visitors = [enter(door) for _ in range(100)]
    assert sum(visitor.refused is not None for visitor in visitors) == 32
    assert sum(visitor.dropped for visitor in visitors) == 100 - 3 - 32


def test_who_only_stands_there_makes_room() -> None:
    """The one that has waited longest goes, never one that has asked for something."""
    door = Door(LIMITS, room=3)
    asked, waits, waits_less = (enter(door, f"192.0.2.{number}") for number in range(3))
    door.has_asked(asked)
    new = enter(door, "192.0.2.9")
    assert (asked.dropped, waits.dropped, waits_less.dropped) == (False, True, False)
    assert not new.dropped
    assert new.refused is None


def test_when_all_have_asked_a_new_one_has_to_wait() -> None:
    door = Door(LIMITS, room=2)
    asked, live = (enter(door, f"192.0.2.{number}") for number in range(2))
    door.has_asked(asked)
    door.becomes_live(live)
    assert enter(door, "192.0.2.9").refused is Code.UNAVAILABLE
    assert not asked.dropped
    door.leave(None, "192.0.2.1")


def test_there_is_room_for_many() -> None:
    assert room_for_connections() > 500


# --- the application's entrance -------------------------------------------------------------------


async def _application(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def status(entrance: Entrance, client: str, **headers: str) -> int:
    """The answer to a request for a page."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    scope: Scope = {
        "type": "http",
        "path": "/",
        "method": "GET",
        "client": (client, 1),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ],
    }
    asyncio.run(entrance(scope, receive, send))
    answered: int = sent[0]["status"]
    return answered


def test_pages_have_a_limit_too() -> None:
    gate = Gate(replace(LIMITS, pages=Rate(0.01, 5)))
    entrance = Entrance(_application, gate, Names())
    assert [status(entrance, "192.0.2.1", host="localhost") for _ in range(6)] == [200] * 5 + [429]
    assert status(entrance, "192.0.2.2", host="localhost") == 200


@pytest.mark.parametrize(
    ("headers", "answer"),
    [
        ({"host": "play.example.org"}, 421),
        ({"host": "play.example.org", "sec_fetch_site": "none"}, 200),  # some proxy has TLS
        ({"host": "play.example.org", "x_forwarded_proto": "https"}, 421),  # a page could say so
        ({"host": "allowed.example:8000"}, 200),
        ({}, 200),  # no browser
    ],
)
def test_a_name_has_to_be_known_or_proved(headers: dict[str, str], answer: int) -> None:
    entrance = Entrance(_application, Gate(LIMITS), Names(["allowed.example"]))
    assert status(entrance, "192.0.2.1", **headers) == answer
