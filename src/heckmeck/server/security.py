"""Security headers, and the origins that may connect."""

import ipaddress
import socket
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityHeaders:
    """Adds the headers to every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap ``app``."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class Origins:
    """The allow-list of pages that may use this server.

    Allowed are the origins given, and pages of this server itself under a name that a stranger
    cannot point here: a numeric address, ``localhost``, or this machine's own name. (A foreign page
    can make its own domain name point to 127.0.0.1, but not one of these.) Programs other than
    browsers send no origin and need none: what counts is the secret of a seat.
    """

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """Allow these origins too, for example ``https://play.example.org``."""
        self._allowed = frozenset(origin.rstrip("/").lower() for origin in allowed)
        name = socket.gethostname().lower()
        self._own_names = frozenset({"localhost", name, f"{name}.local"})

    def allow(self, headers: Headers) -> bool:
        """Whether a request with these headers is allowed."""
        origin = headers.get("origin")
        if origin is None or origin.lower() in self._allowed:
            return True
        try:
            page = urlsplit(origin.lower())
            host = page.hostname or ""
        except ValueError:
            return False
        from_here = (
            page.scheme in ("http", "https") and page.netloc == headers.get("host", "").lower()
        )
        return from_here and (host in self._own_names or _is_address(host))


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
