"""Buckets, gates and addresses."""

import pytest

from heckmeck.server.limits import Bucket, Buckets, Gate, Limits, Rate, address_of
from heckmeck.wire.refusals import Code, Refused


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_bucket_gives_its_burst_and_then_its_rate(clock: Clock) -> None:
    bucket = Bucket(Rate(2, 3), clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert bucket.wait() == pytest.approx(0.5)
    clock.now += 0.5
    assert bucket.wait() == 0
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 100
    assert bucket.is_full
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_each_address_has_its_own_and_is_forgotten(clock: Clock) -> None:
    buckets = Buckets(Rate(1, 1), clock)
    assert buckets.take("a") is None
    assert buckets.take("a") is not None
    assert buckets.take("b") is None
    for number in range(3000):
        clock.now += 1
        buckets.take(f"address {number}")
    assert len(buckets) <= 1001


def test_requests_and_tables_are_counted(clock: Clock) -> None:
    gate = Gate(Limits(requests=Rate(1, 2), tables=Rate(0.1, 1)), clock)
    gate.request("a")
    gate.request("a")
    with pytest.raises(Refused, match=r"Try again in 1\.0 seconds") as refused:
        gate.request("a")
    assert refused.value.code is Code.TOO_FAST
    assert refused.value.wait == pytest.approx(1)
    gate.table("a")
    with pytest.raises(Refused, match="wait 10 seconds") as refused:
        gate.table("a")
    assert refused.value.code is Code.TOO_MANY


def test_heavy_requests_are_counted_twice(clock: Clock) -> None:
    gate = Gate(Limits(requests=Rate(1, 10), heavy=Rate(0.5, 2)), clock)
    gate.request("a", heavy=True)
    gate.request("a", heavy=True)
    with pytest.raises(Refused, match=r"2\.0 seconds"):
        gate.request("a", heavy=True)
    gate.request("a")


def test_connections_are_given_back(clock: Clock) -> None:
    gate = Gate(Limits(connections=2), clock)
    gate.connect("a")
    gate.connect("a")
    gate.connect("b")
    assert gate.connections == 3
    with pytest.raises(Refused):
        gate.connect("a")
    gate.disconnect("a")
    gate.connect("a")
    for address in ("a", "a", "b"):
        gate.disconnect(address)
    assert gate.connections == 0


@pytest.mark.parametrize(
    ("client", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
        (None, "unknown"),
        ("", "unknown"),
    ],
)
def test_a_household_is_one_address(client: str | None, address: str) -> None:
    assert address_of(client) == address


def test_workers_together_allow_what_one_would() -> None:
    limits = Limits()
    for workers in (1, 2, 4, 64):
        share = limits.share(workers)
        assert share.connections * workers <= limits.connections
        assert share.sockets * workers <= limits.sockets
        for whole, part in (
            (limits.pages, share.pages),
            (limits.requests, share.requests),
            (limits.tables, share.tables),
            (limits.heavy, share.heavy),
            (limits.hints, share.hints),
        ):
            assert part.per_second * workers == pytest.approx(whole.per_second)
            assert part.burst == max(1, whole.burst // workers)
    assert limits.share(1) == limits
    assert limits.share(2).messages == limits.messages
    assert limits.share(1000).connections == 1
