"""A table played over days: told whose turn it is, though the server was killed and days passed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
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


#: Count the calls of the installed app's badge, and of the vibration.
_LISTEN = """
  window.badges = []
  navigator.setAppBadge = (count) => { window.badges.push(count); return Promise.resolve() }
  navigator.clearAppBadge = () => { window.badges.push(0); return Promise.resolve() }
  window.vibrations = 0
  navigator.vibrate = () => { window.vibrations += 1; return true }
"""


def test_days_pass_and_nobody_is_forgotten(own_server: Server, browser: Browser) -> None:
    with Crowd(browser, own_server.url) as crowd:
        ada = crowd.host("phone", bots=[], edition="classic", seats=2)
        ada.page.context.add_init_script(_LISTEN)
        ada.page.reload()
        ada.sit("Ada")
        ada.page.get_by_text("days", exact=True).tap()
        expect(ada.page.get_by_text("After 3 days, a bot plays the turn.")).to_be_visible()
        name = ada.page.url.rsplit("/", 1)[1]
        ben = crowd.guest(name)
        ben.page.context.add_init_script(_LISTEN)
        ben.page.reload()
        ben.sit("Ben")
        ada.start()
        # Ada is told everywhere that it is her turn, and until when.
        expect(ada.page).to_have_title("(1) Your turn · Heckmeck")
        assert "icon-turn" in str(ada.page.locator("link[rel=icon]").get_attribute("href"))
        assert ada.page.evaluate("badges.at(-1)") == 1
        assert ada.page.evaluate("vibrations") == 0  # she did not ask to be called
        expect(ben.page).to_have_title("Heckmeck")
        expect(ben.page.locator(".act .waits")).to_contain_text("Ada’s turn, until")
        ben.page.get_by_role("button", name="Menu").click()
        ben.page.get_by_role("switch", name="Call me when it is my turn").check()
        ben.page.keyboard.press("Escape")
        own_server.kill()
        four_days_pass(Path(own_server.location))
        own_server.launch()
        # A bot has played Ada's turn, and only that.
        expect(ben.page).to_have_title("(1) Your turn · Heckmeck")
        assert ben.page.evaluate("vibrations") == 1
        expect(ada.page).to_have_title("Heckmeck")
        assert "icon.svg" in str(ada.page.locator("link[rel=icon]").get_attribute("href"))
        assert ada.page.evaluate("badges.at(-1)") == 0
        expect(ben.page.locator(".side .log")).to_contain_text("A bot is playing for Ada")
        for person in (ada, ben):
            person.troubles.clear()  # the server was away


def four_days_pass(database: Path) -> None:
    """Make everything in the database older: the clock has moved while the server was off."""
    with closing(sqlite3.connect(database)) as connection, connection:
        for table, column in (("entries", "at"), ("games", "due")):
            older = f"strftime('%Y-%m-%dT%H:%M:%f000+00:00', {column}, '-4 days')"
            connection.execute(
                f"UPDATE {table} SET {column} = {older} WHERE {column} IS NOT NULL"  # noqa: S608
            )
