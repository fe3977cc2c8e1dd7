"""The privacy page: what the server stores about people and for how long.

It needs neither scripts nor the built pages, so every server has it.
"""

from html import escape
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from heckmeck.narration import languages
from heckmeck.narration.messages import Messages, messages_in
from heckmeck.server.retention import Keep

_DEFAULT: Final = "en"
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
        language = _language(request)
        headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
        return HTMLResponse(privacy_page(keep, language), headers=headers)

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
        words.say("address"),
        words.say("device"),
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


def _language(request: Request) -> str:
    """Return the requested language, or the browser's preferred one among ours."""
    wanted = [request.query_params.get("language", "")]
    wanted += [tag.strip()[:2] for tag in request.headers.get("accept-language", "").split(",")]
    return next((code for code in wanted if code in languages()), _DEFAULT)
