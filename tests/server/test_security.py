"""The allow-list of origins."""

import socket

import pytest
from starlette.datastructures import Headers

from heckmeck.server.security import (
    SECURITY_HEADERS,
    Names,
    Origins,
    compiling,
    frameable,
    hosts_of,
)


def allowed(origin: str | None, host: str, *also: str) -> bool:
    headers = {"host": host, **({} if origin is None else {"origin": origin})}
    return Origins(also, Names()).allow(Headers(headers))


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


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.5:8000",
        "[2001:db8::1]:8000",
        "localhost",
        "raspberrypi:8000",
        "RaspberryPi.local:8000",
        "pi.fritz.box",
        "pi.home.arpa",
        "pi.lan.",
        socket.gethostname(),
    ],
)
def test_it_goes_by_every_name_of_a_house(host: str) -> None:
    assert Names().include(Headers({"host": host}))


@pytest.mark.parametrize(
    "host", ["evil.example", "local.evil.example:8000", "evillocal.example", "", ":8000", "[", "."]
)
def test_it_goes_by_no_name_that_a_stranger_can_point_here(host: str) -> None:
    assert not Names().include(Headers({"host": host}))


def test_it_goes_by_the_names_it_was_given() -> None:
    names = Names(["Play.Example.org", *hosts_of(["https://other.example.org:8443/"])])
    assert names.include(Headers({"host": "play.example.org:8000"}))
    assert names.include(Headers({"host": "other.example.org"}))
    assert not names.include(Headers({"host": "evil.example"}))
    assert Names(["*"]).include(Headers({"host": "evil.example"}))


SECURE = {"host": "play.example.org", "origin": "https://play.example.org"}


@pytest.mark.parametrize(
    ("headers", "may"),
    [
        (SECURE | {"sec-fetch-site": "same-origin"}, True),
        (SECURE | {"sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA=="}, True),
        (SECURE, False),  # a form on a page with TLS, sent here without
        ({**SECURE, "origin": "http://play.example.org", "sec-websocket-key": "A"}, False),
        (SECURE | {"host": "127.0.0.1", "sec-fetch-site": "cross-site"}, False),
    ],
)
def test_pages_that_came_by_tls_may_connect_by_any_name(headers: dict[str, str], may: bool) -> None:
    assert Origins((), Names()).allow(Headers(headers)) is may


def test_the_policy_allows_nothing_inline() -> None:
    policy = SECURITY_HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "*" not in policy


def test_a_page_for_frames_keeps_all_other_headers() -> None:
    usual = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
    framed, others = dict(frameable(usual)), dict(usual)
    policy = others.pop(b"content-security-policy")
    assert framed.pop(b"content-security-policy") == policy.replace(
        b"frame-ancestors 'none'", b"frame-ancestors *"
    )
    assert others.pop(b"x-frame-options") == b"DENY"
    assert framed == others


def test_only_what_runs_python_may_compile_it() -> None:
    usual = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
    python, others = dict(compiling(usual)), dict(usual)
    policy = others.pop(b"content-security-policy")
    assert python.pop(b"content-security-policy") == policy.replace(
        b"script-src 'self'", b"script-src 'self' 'wasm-unsafe-eval'"
    )
    assert python == others
