"""Coming back: after a reload, on another device, after the server was killed, to no table at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Crowd
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


def test_the_server_is_killed_in_mid_turn(browser: Browser, own_server: Server) -> None:
    with Crowd(browser, own_server.url) as crowd:
        ada = crowd.at_moment("barbecue")
        event = ada.look().event
        own_server.kill()
        expect(ada.page.locator(".notice")).to_contain_text("Reconnecting")
        # What is played now is played when the server is back.
        ada.page.locator("button.pick").first.click()
        own_server.start()
        ada.wait_for_event_after(event)
        expect(ada.page.locator(".notice")).to_have_count(0)
        ada.play(ada.look())
        ada.troubles.clear()  # a refused connection is what this test is about


def test_a_table_that_does_not_exist(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/t/boka-miru-tela")
    expect(ada.page.locator("main")).to_contain_text("This table does not exist")
    expect(ada.page.get_by_role("link", name="To the start page").last).to_be_visible()
    ada.troubles.clear()  # the browser itself notes the refused handshake


def test_an_address_that_leads_nowhere(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/attic/cupboard")
    expect(ada.page.locator("main")).to_contain_text("There is no such page")


def test_a_closed_table(crowd: Crowd) -> None:
    ada = crowd.host(bots=["chick"], edition="junior", seats=2)
    ada.sit("Ada")
    eve = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ada.start()
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("button", name="Close the table").click()
    expect(ada.page.locator(".table")).to_have_count(0)
    expect(eve.page.locator(".notice")).to_contain_text("This table is closed")
