"""What a browser sees: the built web pages, or a page that says how to get them."""

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

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
    """Return the routes of the pages. Every address of a table shows the same page."""
    if web is None:
        return [Route("/", _plain), Route("/t/{name}", _plain)]
    index = web / "index.html"

    async def page(_: Request) -> Response:
        return FileResponse(index, headers={"Cache-Control": "no-cache"})

    return [Route("/", page), Route("/t/{name}", page), Mount("/", StaticFiles(directory=web))]


async def _plain(_: Request) -> Response:
    return HTMLResponse(_PLAIN)
