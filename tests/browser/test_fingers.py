"""The pages around the table: everything is large enough for a finger, and nothing scrolls sideways."""

from itertools import product

import pytest
from playwright.sync_api import expect

from tests.browser.pages import LANGUAGES, PATIENCE, heading, open_decision, open_review
from tests.browser.people import Crowd, Person

_TOO_SMALL = """() => [...document.querySelectorAll('button, a[href], select, input, summary')]
  .filter((node) => !node.closest('.sr, p') && !node.classList.contains('sr'))
  .map((node) => [node, (node.closest('label') ?? node).getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 43.5)
  .map(([node, { width, height }]) =>
    `${node.localName} "${node.getAttribute('aria-label') ?? node.innerText}": ${width} x ${height} px`)"""
_SIDEWAYS = "() => Math.max(0, document.documentElement.scrollWidth - innerWidth)"
WINDOWS = ((320, 568, 100), (320, 568, 200), (390, 844, 100), (844, 390, 100), (1280, 800, 100))


def wrong(person: Person) -> list[str]:
    """What is too small to tap or too wide for the window."""
    found = []
    for width, height, text in WINDOWS:
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.evaluate(
            "text => { document.documentElement.style.fontSize = `${text}%` }", text
        )
        window = f"{width} x {height}, {text} %"
        found += [f"{window}: {small}" for small in person.page.evaluate(_TOO_SMALL)]
        if sideways := person.page.evaluate(_SIDEWAYS):
            found.append(f"{window}: {sideways} px too wide")
    return found


#: The start page in every language, and the others in those with the longest words.
PAGES = (
    *(("/", language) for language in LANGUAGES),
    *product(("/learn/deluxe", "/odds", "/review"), ("de", "es")),
    ("/editor/deluxe_13-36_-_-_-_0", "de"),
)


@pytest.mark.parametrize(("path", "language"), PAGES)
def test_a_page_is_made_for_fingers(crowd: Crowd, path: str, language: str) -> None:
    ada = crowd.person(locale=language)
    ada.open(path)
    expect(heading(ada)).to_be_visible()
    if path.startswith("/editor"):
        expect(ada.page.locator(".panel.wrong")).to_be_visible(timeout=PATIENCE)
        ada.page.locator("[data-slot='30']").click()
    if path == "/odds":
        expect(ada.page.locator(".chances li").first).to_be_visible(timeout=PATIENCE)
    assert wrong(ada) == []


def test_a_review_is_made_for_fingers(crowd: Crowd) -> None:
    ada = crowd.person()
    open_review(ada, "classic")
    assert wrong(ada) == []


def test_an_open_decision_is_made_for_fingers(crowd: Crowd) -> None:
    ada = crowd.person()
    open_decision(ada, "classic")
    expect(ada.page.get_by_role("link", name="The odds of this turn")).to_be_visible()
    assert wrong(ada) == []


def test_a_seat_in_the_lobby_is_one_row(crowd: Crowd) -> None:
    ada = crowd.host(bots=["fox"], edition="deluxe", seats=4)
    ada.sit("Ada")
    for language, width in product(LANGUAGES, (360, 390)):
        ada.page.set_viewport_size({"width": width, "height": 844})
        ada.page.locator(".bar select").select_option(language)
        expect(ada.page.locator("html")).to_have_attribute("lang", language)
        rows = ada.page.locator(".places li").evaluate_all(
            "all => all.map((row) => row.clientHeight)"
        )
        assert len(rows) == 4
        assert max(rows) < 64, (language, width, rows)


def test_the_lobby_and_the_menu_are_made_for_fingers(crowd: Crowd) -> None:
    ada = crowd.host(bots=["fox"], edition="deluxe", seats=4)
    ada.sit("Ada")
    assert wrong(ada) == []
    playing = crowd.at_moment("classic")
    playing.page.get_by_role("button", name="Menu").click()
    expect(playing.page.get_by_role("dialog")).to_be_visible()
    assert wrong(playing) == []
