"""The page that says what is kept."""

import re

import httpx
import pytest
from starlette.applications import Starlette

from heckmeck.narration import languages
from heckmeck.narration.messages import Messages
from heckmeck.server.admin import Keep
from heckmeck.server.pages import privacy_page, privacy_routes
from tests.server.scenario import scenario


@scenario
async def test_it_is_there_in_the_language_of_the_reader() -> None:
    app = Starlette(routes=privacy_routes(Keep()))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        asked = {"accept-language": "sv, de-CH;q=0.9, en;q=0.8"}
        german = await http.get("/privacy", headers=asked)
        assert german.status_code == 200
        assert '<html lang="de">' in german.text
        assert "bis der Betreiber dieses Servers sie löscht" in german.text
        french = await http.get("/privacy?language=fr", headers=asked)
        assert '<html lang="fr">' in french.text
        strange = await http.get("/privacy?language=<b>")
        assert '<html lang="en">' in strange.text
        style = re.search(r'href="([\w.]+\.css)"', strange.text)
        assert style
        sheet = await http.get(f"/{style[1]}")
        assert sheet.headers["content-type"].startswith("text/css")


@pytest.mark.parametrize("language", languages())
def test_it_says_what_was_set(language: str) -> None:
    page = privacy_page(Keep(finished=365, abandoned=1), language)
    words = Messages(language, "privacy")
    assert words.say("finished.other", count=365) in page
    assert words.count("abandoned", 1) in page
    assert words.say("finished.forever") not in page
    forever = privacy_page(Keep(), language)
    assert words.say("finished.forever") in forever
    assert words.say("abandoned.forever") in forever
    assert "{" not in forever


def test_every_language_says_the_same() -> None:
    keys = {language: Messages(language, "privacy").keys() for language in languages()}
    assert set(keys.values()) == {keys["en"]}
