"""The web pages, or a page that says how to get them."""

import os
import re
from html import escape
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Receive, Scope, Send

from heckmeck.narration import languages
from heckmeck.narration.messages import Messages, messages_in
from heckmeck.server.admin import Keep
from heckmeck.server.previews import Previews, base_of, language_of, tags
from heckmeck.server.security import COMPILING

_CHECK: Final = {"Cache-Control": "no-cache"}
_PAGE_HEADERS: Final = {**_CHECK, "Vary": "Accept-Language"}
#: The only page that other sites may show in a frame.
_EMBED: Final = re.compile(r"embed/[^/]+")
_TITLE: Final = re.compile(r"<title>[^<]*$")
#: The description of the page as it is built, which that of a link replaces.
_OWN_DESCRIPTION: Final = re.compile(r'<meta name="description"[^>]*>\s*')
#: Compression shrinks scripts and drawings to a third; it is used only for public content. A higher
#: level takes twice the time for 4% less, and strangers could ask for it again and again.
_SMALLER: Final = [Middleware(GZipMiddleware, minimum_size=500, compresslevel=4)]

_PLAIN: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heckmeck</title>
<h1>Heckmeck is running</h1>
<p>The server is running, but this installation has no web pages: they are part of the package,
and this one was built without them.</p>
<ul>
<li>Play in the terminal: <code>heckmeck play</code></li>
<li>Public tables: <a href="/api/tables">/api/tables</a></li>
<li>Write your own client: <a href="/api/schema">/api/schema</a></li>
<li>Health of the server: <a href="/healthz">/healthz</a></li>
</ul>
</html>
"""


def web_folder() -> Path | None:
    """Return the folder of the built web pages; None in a checkout without them."""
    folder = Path(__file__).parent.parent / "web_dist"
    return folder if (folder / "index.html").is_file() else None


def page_routes(web: Path | None, previews: Previews, root: str = "") -> list[BaseRoute]:
    """Return the routes of the pages, which come after all others.

    The pages are a single-page app, so every address that is neither the API's nor that of a file
    shows it. Because that page is shown at many depths, it refers to its files by their full path
    on the host, which begins with ``root``; files refer to each other by relative paths. It tells
    messengers what a link to it shows.
    """
    if web is None:
        return [Route("/", _plain), Route("/t/{name}", _plain)]
    index = (web / "index.html").read_text(encoding="utf-8").replace('"./', f'"{root}/')
    head, _, rest = _OWN_DESCRIPTION.sub("", index).partition("</title>")
    files_here = frozenset(file.name for file in web.iterdir() if file.is_file())

    async def page(request: Request) -> Response:
        path = request.path_params["path"]
        if "." in path and "/" not in path:
            if path not in files_here:
                raise HTTPException(404)
            return FileResponse(web / path, headers=_CHECK)
        if _EMBED.fullmatch(path):
            request.state.frameable()
        language = language_of(request)
        shown = await previews.of(path, request.query_params, language)
        titled = (
            _TITLE.sub(lambda _: f"<title>{escape(shown.title)}", head) if shown.title else head
        )
        added = tags(shown, base_of(request, root), f"/{path}")
        return HTMLResponse(f"{titled}</title>\n    {added}{rest}", headers=_PAGE_HEADERS)

    files = _HashedFiles(directory=web / "assets", check_dir=False)
    python = _PythonFiles(directory=web / "python", check_dir=False)
    return [
        Mount("/assets", files, middleware=_SMALLER),
        Mount("/python", python),
        _PageRoute("/{path:path}", page, methods=["GET"], middleware=_SMALLER),
    ]


class _PageRoute(Route):
    """Every address except those of the API, which has its own error messages."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Leave the API's addresses to their own routes."""
        if scope["path"].startswith("/api/"):
            return Match.NONE, {}
        return super().matches(scope)


class _HashedFiles(StaticFiles):
    """Files with a hash in their name, which never change."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Let browsers cache them."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


class _PythonFiles(_HashedFiles):
    """Python for tables in the page; its large files are compressed already."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the worker among them compile the rest."""
        scope["state"][COMPILING]()
        await super().__call__(scope, receive, send)


async def _plain(_: Request) -> Response:
    return HTMLResponse(_PLAIN)


# --- the page about privacy -----------------------------------------------------------------------


_STYLE: Final = """\
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }
body { max-width: 38rem; margin: 0 auto; padding: 1rem; }
nav a { display: inline-block; margin-right: 1rem; padding: 0.5rem 0; }
"""
_PAGE: Final = """\
<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Heckmeck</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="privacy.css">
<h1>{heading}</h1>
{paragraphs}
<nav><a href="./">{back}</a> {others}</nav>
</html>
"""


def privacy_routes(keep: Keep) -> list[Route]:
    """Return the routes of the page; ``keep`` says how long tables are kept."""

    async def page(request: Request) -> Response:
        language = language_of(request)
        return HTMLResponse(privacy_page(keep, language), headers=_PAGE_HEADERS)

    async def style(_: Request) -> Response:
        return Response(_STYLE, media_type="text/css", headers={"Cache-Control": "no-cache"})

    return [
        Route("/privacy", page, methods=["GET"]),
        Route("/privacy.css", style, methods=["GET"]),
    ]


def privacy_page(keep: Keep, language: str) -> str:
    """Return the page in a language."""
    words = messages_in(language, "privacy")
    paragraphs = [
        words.say("table"),
        words.say("account"),
        words.say("seen"),
        f"{_finished(words, keep.finished)} {_abandoned(words, keep.abandoned)}",
        f"{words.say('book')} {_books(words, keep.books)}",
        words.say("address"),
        words.say("device"),
        words.say("push"),
        words.say("nothing"),
        words.say("ask"),
    ]
    others = [
        f'<a href="?language={code}" hreflang="{code}" lang="{code}">{escape(name)}</a>'
        for code, name in languages().items()
        if code != language
    ]
    return _PAGE.format(
        language=language,
        title=escape(words.say("title")),
        heading=escape(words.say("heading")),
        paragraphs="\n".join(f"<p>{escape(text)}</p>" for text in paragraphs),
        back=escape(words.say("back")),
        others=" ".join(others),
    )


def _finished(words: Messages, days: int | None) -> str:
    return words.say("finished.forever") if days is None else words.count("finished", days)


def _abandoned(words: Messages, days: int | None) -> str:
    return words.say("abandoned.forever") if days is None else words.count("abandoned", days)


def _books(words: Messages, days: int | None) -> str:
    return words.say("books.forever") if days is None else words.count("books", days)
