"""The path under which a proxy serves the site.

The addresses of clients behind a trusted proxy are handled by uvicorn (``forwarded_allow_ips``).
"""

import re
from typing import Final

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

#: Proxies on the same machine are trusted by default.
LOOPBACK: Final = ("127.0.0.1", "::1")
#: The server's own paths begin with these, so the site cannot be under them.
_OURS: Final = frozenset({"api", "assets", "t", "learn", "review", "odds", "healthz"})
_ROOT: Final = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")


def read_root_path(text: str) -> str:
    """Return the path without a trailing slash, "" for the top level; raise `ValueError`.

    >>> read_root_path("/heckmeck/"), read_root_path("/")
    ('/heckmeck', '')
    """
    path = "/" + text.strip("/") if text.strip("/") else ""
    if not _ROOT.fullmatch(path) or {".", ".."} & set(path.split("/")):
        raise ValueError(f"{text!r:.80} is not a path such as /heckmeck.")
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
