"""What a browser sees: the built web pages, or a page that says how to get them."""

import os
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

_CHECK: Final = {"Cache-Control": "no-cache"}
#: Scripts and drawings shrink to a third. Only what is the same for everybody is sent so. A higher
#: level takes twice the time for 4% less, and strangers could ask for it again and again.
_SMALLER: Final = [Middleware(GZipMiddleware, minimum_size=500, compresslevel=4)]

_PLAIN: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heckmeck</title>
<h1>Heckmeck is served</h1>
<p>The server is running, but this installation has no web pages: they are built into the
package, and this one was made without them.</p>
<ul>
<li>Play in the terminal: <code>heckmeck play</code></li>
<li>Tables open to everybody: <a href="/api/tables">/api/tables</a></li>
<li>Write a client of your own: <a href="/api/schema">/api/schema</a></li>
<li>How the server is: <a href="/healthz">/healthz</a></li>
</ul>
</html>
"""


def page_routes(web: Path | None) -> list[BaseRoute]:
    """Return the routes of the pages, which come after all others.

    The pages are one page that looks at its own address, so every address that is neither the
    programs' nor a file's shows it.
    """
    if web is None:
        return [Route("/", _plain), Route("/t/{name}", _plain)]
    index = web / "index.html"
    files_here = frozenset(file.name for file in web.iterdir() if file.is_file())

    async def page(request: Request) -> Response:
        path = request.path_params["path"]
        if "." in path and "/" not in path:
            if path not in files_here:
                raise HTTPException(404)
            return FileResponse(web / path, headers=_CHECK)
        return FileResponse(index, headers=_CHECK)

    files = _HashedFiles(directory=web / "assets", check_dir=False)
    return [
        Mount("/assets", files, middleware=_SMALLER),
        _PageRoute("/{path:path}", page, methods=["GET"], middleware=_SMALLER),
    ]


class _PageRoute(Route):
    """Every address but those of the programs, which know best what is wrong with a request."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Leave the programs' addresses to their own routes."""
        if scope["path"].startswith("/api/"):
            return Match.NONE, {}
        return super().matches(scope)


class _HashedFiles(StaticFiles):
    """Files with a hash in their name: what is there once never changes."""

    def file_response(
        self,
        full_path: PathLike,
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Let browsers keep them."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


async def _plain(_: Request) -> Response:
    return HTMLResponse(_PLAIN)
