"""Somebody is away: the others see how long the table waits, and need not."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Crowd, Person
from tests.browser.screens import show
from tests.browser.serving import CoachedServer
from tests.server.serving import Server


def with_ben_away(crowd: Crowd, patience: int = 60) -> tuple[Person, Person]:
    """Ada on a phone, the host, and Ben, whose turn it is and who has lost the network."""
    ada = crowd.host("phone", bots=[], edition="classic", seats=2, first=1, patience=patience)
    ada.sit("Ada")
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ben.sit("Ben")
    ada.start()
    expect(ben.page.get_by_role("button", name="Roll 8 dice")).to_be_visible()
    ben.page.context.set_offline(True)
    expect(ada.page.locator(".act")).to_contain_text("Ben is away.")
    return ada, ben


def test_a_bot_plays_now_and_ben_is_back_at_once(crowd: Crowd) -> None:
    ada, ben = with_ben_away(crowd)
    act = ada.page.locator(".act")
    expect(act).to_contain_text(re.compile(r"A bot takes over in [1-5]?\d.s"))
    show(ada.page, "away")
    ada.page.reload()
    expect(act).to_contain_text(re.compile(r"A bot takes over in [1-5]?\d.s"))
    ada.press(ada.page.get_by_role("button", name="Bot now"))
    expect(ada.page.get_by_role("button", name="Roll 8 dice")).to_be_visible()
    ben.page.context.set_offline(False)
    expect(ada.page.locator(".seats .gone")).to_have_count(0)
    ben.troubles.clear()


def test_the_table_waits_through_a_restart(browser: Browser, own_server: Server) -> None:
    with Crowd(browser, own_server.url) as crowd:
        ada, ben = with_ben_away(crowd, patience=1000)
        ada.press(ada.page.get_by_role("button", name="Wait"))
        act = ada.page.locator(".act")
        expect(act).to_contain_text("The table waits.")
        own_server.kill()
        own_server.launch()
        expect(ada.page.locator(".notice")).to_have_count(0)
        expect(act).to_contain_text("The table waits.")
        ada.page.get_by_role("button", name="Menu").tap()
        ada.press(ada.page.get_by_role("button", name="Free Ben’s seat"))
        asked = ada.page.get_by_role("dialog", name="Free Ben’s seat?")
        expect(asked.get_by_role("button", name="Keep the seat")).to_be_focused()
        ada.press(asked.get_by_role("button", name="Free Ben’s seat"))
        expect(ada.page.locator(".seats .seat h2")).to_have_text("Rooster")
        ben.page.context.set_offline(False)
        expect(ben.page.locator(".act")).to_contain_text("You are watching.")
        for person in (ada, ben):
            person.troubles.clear()


@pytest.fixture
def own_server(pages: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    with CoachedServer(tmp_path, pages) as running:
        yield running
