"""Security headers, and the origins that may connect."""

import re
import socket
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from heckmeck.server.limits import ip_in

POLICY: Final = "; ".join(
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
    )
)

#: No site may show ours in a frame: people could be made to tap what they do not see.
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
#: The names in a request's state of the functions that let other sites show its response in a
#: frame, and that let it compile WebAssembly.
FRAMEABLE: Final = "frameable"
COMPILING: Final = "compiling"


def frameable(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers for a page on which there is nothing to do but to watch."""
    policy = (b"content-security-policy", f"{POLICY}; frame-ancestors *".encode())
    replaced = (b"content-security-policy", b"x-frame-options")
    return [policy, *(header for header in headers if header[0] not in replaced)]


def compiling(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers for the worker that runs Python, which is compiled when it starts.

    A worker has the policy of its own file, so that of the pages stays as strict as it is.
    """
    scripts = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
    policy = (b"content-security-policy", f"{scripts}; frame-ancestors 'none'".encode())
    return [policy, *(header for header in headers if header[0] != policy[0])]


#: Suffixes of names that nobody can register, so that no stranger can point one here: those for
#: local networks (RFC 6761, 6762, 8375; names reserved by ICANN), and that of a common home router.
_HOUSE_NAMES: Final = (
    ".localhost",
    ".local",
    ".lan",
    ".home",
    ".home.arpa",
    ".internal",
    ".localdomain",
    ".fritz.box",
)


class Names:
    """The host names of this server.

    Anyone can point a domain of their own at any address. To a browser, a page from that domain
    would then have the same origin as this server and could read everything (DNS rebinding). So a
    request is accepted if its host is

    - a numeric address,
    - a name that cannot be registered: one without a dot, or a name of a local network,
    - a name that the host of the server has allowed.

    It is also accepted if it came over TLS: then a proxy in front of the server has a certificate
    for that name, which an attacker who only points it here does not. Browsers reveal this by a
    header that pages cannot set, and that they send only over TLS.
    """

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """Allow these names too, for example ``play.example.org``; ``*`` allows all."""
        self._allowed = frozenset({*map(str.lower, allowed), socket.gethostname().lower()})

    def include(self, headers: Headers) -> bool:
        """Whether a request with these headers is for this server."""
        asked = headers.get("host")
        return asked is None or self.know(_host_of(asked)) or _came_by_tls(headers)

    def know(self, host: str) -> bool:
        """Whether this is a name of the server; ``host`` has no port."""
        host = host.removesuffix(".")
        return bool(host) and (
            not self._allowed.isdisjoint((host, "*"))
            or "." not in host
            or host.endswith(_HOUSE_NAMES)
            or ip_in(host) is not None
        )


class Origins:
    """The allow-list of pages that may use this server.

    Allowed are the given origins, and pages of this server itself (`Names`). Programs other than
    browsers send no origin and need none: access depends on the secret of a seat.
    """

    def __init__(self, allowed: Iterable[str], names: Names) -> None:
        """Allow these origins too, for example ``https://play.example.org``."""
        self._allowed = frozenset(origin.rstrip("/").lower() for origin in allowed)
        self._names = names

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
        if page.netloc != headers.get("host", "").lower():
            return False
        return page.scheme in ("http", "https") and (
            self._names.know(host) or (page.scheme == "https" and _came_by_tls(headers))
        )


def hosts_of(origins: Iterable[str]) -> list[str]:
    """Return the host names of the origins, which are also names of the server."""
    return [host for origin in origins if (host := _host_of(origin.rstrip("/").rpartition("/")[2]))]


def _host_of(netloc: str) -> str:
    """Return the name or address without its port, in lower case; empty if there is none."""
    try:
        return urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""


def _came_by_tls(headers: Headers) -> bool:
    """Whether a browser used TLS: for a fetch, or for a WebSocket of an https page.

    A WebSocket may lack the header, but pages loaded over TLS cannot open one without TLS.
    """
    return "sec-fetch-site" in headers or (
        "sec-websocket-key" in headers and headers.get("origin", "").lower().startswith("https://")
    )


# --- the path under which a proxy serves the site -------------------------------------------------


#: Proxies on the same machine are trusted by default.
LOOPBACK: Final = ("127.0.0.1", "::1")
#: The server's own paths begin with these, so the site cannot be under them.
_OURS: Final = frozenset(
    [
        "api",
        "assets",
        "python",
        "t",
        "embed",
        "learn",
        "review",
        "odds",
        "editor",
        "puzzle",
        "mistakes",
        "games",
        "book",
        "healthz",
    ]
)
_ROOT: Final = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")


def read_path(text: str) -> str:
    """Return a path without a trailing slash, "" for the top level; raise `ValueError`.

    >>> read_path("/heckmeck/"), read_path("/")
    ('/heckmeck', '')
    """
    path = "/" + text.strip("/") if text.strip("/") else ""
    if not _ROOT.fullmatch(path) or {".", ".."} & set(path.split("/")):
        raise ValueError(f"{text!r:.80} is not a path such as /heckmeck.")
    return path


def read_root_path(text: str) -> str:
    """Return the path under which a server can serve the site; raise `ValueError`."""
    path = read_path(text)
    if path.split("/")[1:2] and path.split("/")[1] in _OURS:
        raise ValueError(
            f"{path} would hide pages of the site itself. Use another path, such as /heckmeck."
        )
    return path


class UnderPath:
    """Serves an application under a path.

    Proxies may pass on the whole path or strip the prefix.
    """

    def __init__(self, app: ASGIApp, root: str) -> None:
        """Serve ``app`` under ``root``, as `read_root_path` returns it."""
        self._app = app
        self._root = root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if self._root and scope["type"] in ("http", "websocket"):
            path: str = scope["path"]
            if path == self._root and scope["type"] == "http":
                await RedirectResponse(f"{self._root}/")(scope, receive, send)
                return
            if path.startswith(f"{self._root}/"):
                scope = {**scope, "path": path.removeprefix(self._root)}
        await self._app(scope, receive, send)
