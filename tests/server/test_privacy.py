"""The page that says what is kept."""

import re

import httpx
import pytest

from heckmeck.narration import languages
from heckmeck.narration.messages import Messages
from heckmeck.server.privacy import privacy_page
from heckmeck.server.retention import Keep
from tests.server.serving import Server


def test_it_is_there_in_the_language_of_the_reader(server: Server) -> None:
    asked = {"accept-language": "sv, de-CH;q=0.9, en;q=0.8"}
    german = httpx.get(f"{server.url}/privacy", headers=asked)
    assert german.status_code == 200
    assert '<html lang="de">' in german.text
    assert "bis der Betreiber dieses Servers sie löscht" in german.text
    french = httpx.get(f"{server.url}/privacy?language=fr", headers=asked)
    assert '<html lang="fr">' in french.text
    strange = httpx.get(f"{server.url}/privacy?language=<b>")
    assert '<html lang="en">' in strange.text
    style = re.search(r'href="([\w.]+\.css)"', strange.text)
    assert style
    assert httpx.get(f"{server.url}/{style[1]}").headers["content-type"].startswith("text/css")


@pytest.mark.parametrize("language", languages())
def test_it_says_what_was_set(language: str) -> None:
    page = privacy_page(Keep(finished=365, abandoned=1), language)
    words = Messages(language, "privacy")
    assert words.say("finished.other", count=365) in page
    assert words.say("abandoned.one") in page
    assert words.say("finished.forever") not in page
    forever = privacy_page(Keep(), language)
    assert words.say("finished.forever") in forever
    assert words.say("abandoned.forever") in forever
    assert "{" not in forever


def test_no_cookie_is_ever_set(server: Server) -> None:
    for path in ("/", "/privacy", "/api/tables", "/healthz"):
        assert "set-cookie" not in httpx.get(f"{server.url}{path}").headers


def test_every_language_says_the_same() -> None:
    keys = {language: Messages(language, "privacy").keys() for language in languages()}
    assert set(keys.values()) == {keys["en"]}
