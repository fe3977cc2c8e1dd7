"""The allow-list of origins."""

import socket

import pytest
from starlette.datastructures import Headers

from heckmeck.server.security import CONTENT_SECURITY_POLICY, Origins


def allowed(origin: str | None, host: str, *also: str) -> bool:
    headers = {"host": host, **({} if origin is None else {"origin": origin})}
    return Origins(also).allow(Headers(headers))


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, "anything"),
        ("http://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://192.168.1.20:8000", "192.168.1.20:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("http://localhost:8000", "localhost:8000"),
        ("HTTP://LocalHost:8000", "LOCALHOST:8000"),
        (f"http://{socket.gethostname()}:8000", f"{socket.gethostname()}:8000"),
        (f"http://{socket.gethostname()}.local", f"{socket.gethostname()}.local"),
    ],
)
def test_its_own_pages_may_connect(origin: str | None, host: str) -> None:
    assert allowed(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://evil.example", "127.0.0.1:8000"),
        ("http://evil.example:8000", "evil.example:8000"),
        ("http://127.0.0.1:9000", "127.0.0.1:8000"),
        ("http://127.0.0.1.evil.example", "127.0.0.1.evil.example"),
        ("http://user@127.0.0.1:8000", "127.0.0.1:8000"),
        ("file://", ""),
        ("null", "127.0.0.1:8000"),
        ("", "127.0.0.1:8000"),
        ("http://[", "["),
    ],
)
def test_others_may_not(origin: str, host: str) -> None:
    assert not allowed(origin, host)


def test_the_host_can_allow_more() -> None:
    assert allowed("https://play.example.org", "inner:8000", "https://play.example.org/")
    assert not allowed("http://play.example.org", "inner:8000", "https://play.example.org")


def test_the_policy_allows_nothing_inline() -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "*" not in CONTENT_SECURITY_POLICY
