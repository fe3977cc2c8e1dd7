"""Coming back: after a reload, on another device, after the server was killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Crowd, Person
from tests.browser.serving import CoachedServer
from tests.server.serving import Server


@pytest.fixture
def own_server(pages: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that this test may kill."""
    with CoachedServer(tmp_path, pages) as running:
        yield running


def test_a_reload_in_mid_turn(crowd: Crowd) -> None:
    ada = crowd.at_moment("classic")
    ada.page.locator("button.pick").first.click()
    total = ada.page.locator(".board .total .num")
    expect(ada.page.get_by_role("button", name="Roll")).to_be_visible()
    before = total.get_attribute("aria-label")
    ada.page.reload()
    expect(total).to_have_attribute("aria-label", str(before))
    expect(ada.page.get_by_role("button", name="Roll")).to_be_visible()


def test_a_second_device_with_the_link_to_the_seat(crowd: Crowd) -> None:
    ada = crowd.at_moment("classic")
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("button", name="Link to my seat").click()
    link = ada.page.get_by_role("textbox", name="Link to my seat").input_value()
    phone = crowd.person("phone")
    phone.page.goto(link)
    expect(phone.page.locator("button.pick").first).to_be_visible()
    assert "#" not in phone.page.url
    event = phone.look().event
    phone.page.locator("button.pick").first.tap()
    ada.wait_for_event_after(event)


def test_a_bot_plays_for_whoever_left_until_they_are_back(crowd: Crowd) -> None:
    ada = crowd.host(bots=[], edition="classic", seats=2, patience=1)
    ada.sit("Ada")
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ben.sit("Ben")
    ada.start()
    sight = ada.next_decision(-1)
    address, home = ben.page.url, ben.page.context
    ben.page.close()
    # Ada plays until it is Ben's turn, and a bot plays that one for him.
    while ada.page.locator(".side .log", has_text="A bot is playing for Ben").count() == 0:
        sight = ada.decide(sight)
    back = Person(home.new_page(), ben.url)
    back.page.goto(address)
    expect(ada.page.locator(".side .log")).to_contain_text("Ben is back")
    expect(back.page.locator(".me")).to_contain_text("Ben")
    assert back.troubles == []


def test_the_server_is_killed_in_mid_turn(browser: Browser, own_server: Server) -> None:
    with Crowd(browser, own_server.url) as crowd:
        ada = crowd.at_moment("barbecue")
        event = ada.look().event
        own_server.kill()
        expect(ada.page.locator(".notice", has_text="Reconnecting")).to_be_visible()
        # What is played now is played when the server is back.
        ada.page.locator("button.pick").first.click()
        own_server.start()
        ada.wait_for_event_after(event)
        expect(ada.page.locator(".notice")).to_have_count(0)
        ada.play(ada.look())
        ada.troubles.clear()  # a refused connection is what this test is about
