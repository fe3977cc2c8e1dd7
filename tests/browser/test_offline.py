"""Without a network, or with files that do not come: what can work does, and the rest says so."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.pages import PATIENCE, heading, open_home
from tests.browser.people import Crowd, Person
from tests.browser.screens import show


def offline(crowd: Crowd) -> Person:
    """Somebody who opened the start page once, and then lost the network."""
    ada = crowd.person(service_workers="allow")
    open_home(ada)
    ada.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    ada.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    ada.page.context.set_offline(True)
    return ada


def again(page: Page) -> Locator:
    """The button that tries again."""
    return page.get_by_role("button", name="Try again")


def lost(route: Route) -> None:
    """A file that does not come."""
    route.abort()


def test_the_rules_can_be_read_and_played_without_a_network(crowd: Crowd) -> None:
    ada = offline(crowd)
    ada.open("/learn/deluxe")
    expect(heading(ada)).to_have_text("Learn")
    expect(ada.page.locator("#rule-raven")).to_contain_text("Bratworm")
    example = ada.page.locator("article.example").first
    example.locator("button.try").click()
    example.locator(".choices .btn").first.click()
    expect(example.locator(".take").first).to_be_visible()
    missed = [trouble for trouble in ada.troubles if "/assets/" in trouble or "/api/" in trouble]
    assert missed == []
    ada.troubles.clear()  # the browser asks for the page's icon in vain


def test_puzzles_of_an_edition_that_was_opened_work_without_a_network(crowd: Crowd) -> None:
    ada = offline(crowd)
    ada.page.context.set_offline(False)
    ada.open("/puzzle/junior")
    expect(ada.page.locator(".stars")).to_be_visible()
    ada.page.context.set_offline(True)
    ada.open("/puzzle/junior/2026-11-18")
    expect(ada.page.locator(".stars")).to_be_visible()
    ada.page.get_by_role("link", name="Classic").click()
    expect(again(ada.page)).to_be_visible()
    ada.troubles.clear()  # the file of another edition was asked for in vain


def test_the_odds_say_that_they_need_the_server(crowd: Crowd) -> None:
    ada = offline(crowd)
    ada.open("/odds")
    expect(ada.page.get_by_role("alert")).to_contain_text("cannot be reached")
    show(ada.page, "offline-odds", whole=True)
    ada.page.context.set_offline(False)
    again(ada.page).click()
    expect(ada.page.locator(".chances li").first).to_be_visible(timeout=PATIENCE)
    expect(again(ada.page)).to_have_count(0)
    ada.troubles.clear()  # requests without a network fail: that is what this test is about


def test_a_review_says_that_it_needs_the_server(crowd: Crowd) -> None:
    table = crowd.at_moment("junior").page.url.rsplit("/", 1)[-1]
    ada = offline(crowd)
    ada.open(f"/review?table={table}")
    expect(ada.page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(ada.page.get_by_text("The list comes from the server")).to_be_visible()
    show(ada.page, "offline-review", whole=True)
    ada.page.context.set_offline(False)
    again(ada.page).first.click()
    expect(ada.page.get_by_role("slider")).to_be_visible(timeout=PATIENCE)
    ada.troubles.clear()  # requests without a network fail: that is what this test is about


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/", "Home"),
        ("/learn/classic", "Learn"),
        ("/odds", "Odds"),
        ("/review", "Review"),
        ("/t/some-table", "Table"),
    ],
)
def test_a_page_that_does_not_come_says_so(crowd: Crowd, path: str, file: str) -> None:
    ada = crowd.person()
    pattern = re.compile(rf"/assets/{file}-[^/]*\.js$")
    ada.page.route(pattern, lost)
    ada.open(path)
    expect(ada.page.get_by_role("alert")).to_contain_text("could not be loaded")
    if file == "Learn":
        show(ada.page, "failed-page")
    ada.page.unroute(pattern)
    again(ada.page).click()
    expect(again(ada.page)).to_have_count(0)
    expect(heading(ada)).to_be_visible()
    ada.troubles.clear()  # files that do not come are what this test is about


def gone(route: Route) -> None:
    """A file of the version before: the server has it no more."""
    route.fulfill(status=404, content_type="text/plain", body="Not Found")


def test_a_page_from_before_a_new_version_says_so(crowd: Crowd) -> None:
    ada = crowd.host(bots=["chick"], edition="classic", seats=2)
    ada.sit("Ada")
    ada.start()
    # A service worker would have kept it; anyone without one asks the server.
    ada.page.context.route(re.compile(r"/assets/Menu-[^/]*\.js$"), gone)
    ada.page.get_by_role("button", name="Menu").click()
    sheet = ada.page.get_by_role("dialog", name="Menu")
    expect(sheet).to_contain_text("could not be loaded")
    show(ada.page, "failed-menu")
    ada.page.context.unroute(re.compile(r"/assets/Menu-[^/]*\.js$"))
    again(ada.page).click()
    expect(ada.page.get_by_role("button", name="Roll 8 dice")).to_be_visible()
    ada.page.get_by_role("button", name="Menu").click()
    expect(ada.page.get_by_role("button", name="Close the table")).to_be_visible()
    ada.troubles.clear()  # the browser itself notes that a file was not there


@pytest.mark.parametrize("file", ["index", "en"])
def test_an_app_that_cannot_begin_says_so(crowd: Crowd, file: str) -> None:
    ada = crowd.person()
    pattern = re.compile(rf"/assets/{file}-[^/]*\.js$")
    ada.page.route(pattern, lost)
    ada.open("/")
    expect(ada.page.get_by_role("alert")).to_contain_text("Heckmeck could not be loaded")
    ada.page.unroute(pattern)
    again(ada.page).click()
    expect(heading(ada)).to_have_text("What is on the grill tonight?")
    ada.troubles.clear()  # files that do not come are what this test is about


def test_a_language_that_does_not_come_is_told_in_the_one_before(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.page.route(re.compile(r"/assets/it-[^/]*\.js$"), lost)
    open_home(ada)
    ada.page.get_by_label("Language").select_option("it")
    expect(ada.page.get_by_role("alert").first).to_contain_text("could not be loaded")
    expect(heading(ada)).to_have_text("What is on the grill tonight?")
    ada.troubles.clear()  # files that do not come are what this test is about


def test_everything_works_without_a_network_once_it_is_kept(crowd: Crowd) -> None:
    ada = offline(crowd)
    ada.page.context.set_offline(False)
    ada.page.get_by_role("button", name="Without a network").click()
    ada.page.get_by_role("button", name="Make available offline").click()
    kept = ada.page.get_by_role("button", name="Remove from this device")
    expect(kept).to_be_visible(timeout=PATIENCE)
    show(ada.page, "offline-kept", whole=True)
    ada.page.context.set_offline(True)
    ada.page.get_by_role("button", name="Play now").click()
    ada.page.get_by_role("button", name="Roll 8").click(timeout=PATIENCE)
    ada.page.locator("button.pick").first.wait_for()
    assert "/t/here-" in ada.page.url
    table = ada.page.url
    ada.open("/puzzle/deluxe")
    expect(ada.page.locator(".stars")).to_be_visible()
    ada.open("/odds")
    expect(ada.page.locator(".chances li").first).to_be_visible(timeout=PATIENCE)
    # Back in the network, the table is still on this device, and the server is asked for others.
    ada.page.context.set_offline(False)
    ada.page.goto(table)
    ada.page.locator("button.pick").first.wait_for(timeout=PATIENCE)
    ada.page.get_by_role("button", name="Menu").click()
    expect(ada.page.get_by_text("on this device only")).to_be_visible()
    ada.open("/")
    ada.page.get_by_role("button", name="Play now").click()
    ada.page.get_by_role("button", name="Roll 8").wait_for()
    assert "/t/here-" not in ada.page.url
    ada.troubles.clear()  # requests without a network fail, and this page then answers them itself
