"""Home, review, learn and odds: pictures of all of them, axe, languages, focus.

The pictures are in ``.screenshots``.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.pages import (
    LANGUAGES,
    heading,
    open_decision,
    open_example,
    open_home,
    open_odds,
)
from tests.browser.people import Crowd, Person
from tests.browser.screens import show


def open_same_device(person: Person) -> None:
    """Say who plays on this device."""
    open_home(person)
    person.page.locator(".ways button").last.click()
    expect(person.page.get_by_role("dialog")).to_be_visible()


def open_no_game(person: Person) -> None:
    """Choose what to review."""
    person.open("/review")
    expect(person.page.locator(".drop")).to_be_visible()


SCREENS: Final[dict[str, Callable[[Person], None]]] = {
    "home": open_home,
    "home-same-device": open_same_device,
    "review-open": open_no_game,
    "review-classic": partial(open_decision, name="classic"),
    "review-deluxe": partial(open_decision, name="deluxe"),
    "review-barbecue": partial(open_decision, name="barbecue"),
    "review-junior": partial(open_decision, name="junior"),
    "learn-classic": partial(open_example, edition="classic"),
    "learn-deluxe": partial(open_example, edition="deluxe"),
    "learn-barbecue": partial(open_example, edition="barbecue"),
    "learn-junior": partial(open_example, edition="junior"),
    "odds-classic": partial(open_odds, search="?edition=classic&kept=44"),
    "odds-deluxe": partial(open_odds, search="?edition=deluxe&holding=golden&kept=4W&thrown=11355"),
    "odds-junior": partial(open_odds, search="?edition=junior&thrown=WWBCGK"),
}


#: The pages that differ in more than their pieces.
DIFFERENT: Final = (
    "home",
    "home-same-device",
    "review-open",
    "review-deluxe",
    "learn-deluxe",
    "odds-deluxe",
)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen(crowd: Crowd, screen: str) -> None:
    ada = crowd.person()
    SCREENS[screen](ada)
    turn = None if screen in DIFFERENT else [*SCREENS].index(screen)
    show(ada.page, screen, whole=True, more=screen == "home", turn=turn)


def pages_for(language: str) -> list[str]:
    """The pages to see in this language: each leaves out others, for all of them take too long."""
    turn = LANGUAGES.index(language)
    return [page for at, page in enumerate(DIFFERENT) if (at + turn) % 3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_scrolls_sideways(crowd: Crowd, language: str) -> None:
    nothing_scrolls_sideways(crowd, language, pages_for(language))


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_scrolls_sideways_on_any_page(crowd: Crowd, language: str) -> None:
    nothing_scrolls_sideways(crowd, language, SCREENS)


def nothing_scrolls_sideways(crowd: Crowd, language: str, screens: Iterable[str]) -> None:
    narrow = {"width": 360, "height": 640}
    ada = crowd.person("phone", locale=language, viewport=narrow)
    for screen in screens:
        SCREENS[screen](ada)
        assert ada.page.evaluate("document.documentElement.scrollWidth") == 360, screen


def test_another_page_is_announced_by_its_heading(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/")
    for name in ("Odds", "Learn", "Watch"):
        ada.page.get_by_role("link", name=re.compile(f"^{name}")).click()
        expect(heading(ada)).to_be_focused()
        ada.page.get_by_role("link", name="To the start page").click()
        expect(heading(ada)).to_be_focused()
