"""What people meet when something is wrong: a page or a notice that helps."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.pages import offer, open_home
from tests.browser.people import Crowd
from tests.browser.screens import show
from tests.browser.serving import CoachedServer
from tests.server.serving import Server


@pytest.fixture
def own_server(pages: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that this test may kill."""
    with CoachedServer(tmp_path, pages) as running:
        yield running


def deaf(route: WebSocketRoute) -> None:
    """Let everything through but what the others do."""
    server = route.connect_to_server()

    def pass_on(message: str | bytes) -> None:
        if '"type":"entries"' not in str(message):
            route.send(message)

    server.on_message(pass_on)


def test_a_seat_that_somebody_else_took(crowd: Crowd) -> None:
    made = crowd.table(bots=["chick"], edition="classic", seats=3)
    ben = crowd.person()
    ben.page.route_web_socket("**/live", deaf)
    ben.open(made["path"])
    expect(ben.page.get_by_label("Your name")).to_be_visible()
    ada = crowd.guest(made["id"])
    ada.sit("Ada")
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit down").click()
    expect(ben.page.locator(".notice")).to_contain_text("Somebody else has this seat")
    show(ben.page, "trouble-seat-taken", whole=True)


def test_a_moment_without_a_connection(crowd: Crowd) -> None:
    ada = crowd.at_moment("classic")
    ada.page.context.set_offline(True)
    expect(ada.page.locator(".notice")).to_contain_text("Reconnecting")
    show(ada.page, "trouble-reconnecting")
    ada.page.context.set_offline(False)
    expect(ada.page.locator(".notice")).to_have_count(0)
    ada.troubles.clear()  # connections that fail are what this test is about


def test_a_table_that_does_not_exist(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/t/boka-miru-tela")
    expect(ada.page.locator("main")).to_contain_text("This table does not exist")
    expect(ada.page.get_by_role("link", name="To the start page").last).to_be_visible()
    show(ada.page, "trouble-no-table")
    ada.troubles.clear()  # the browser itself notes the refused handshake


def test_an_address_that_leads_nowhere(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/attic/cupboard")
    expect(ada.page.locator("main")).to_contain_text("There is no such page")
    show(ada.page, "trouble-no-page")


def test_a_closed_table(crowd: Crowd) -> None:
    ada = crowd.host(bots=["chick"], edition="junior", seats=2)
    ada.sit("Ada")
    eve = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ada.start()
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("button", name="Close the table").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Close the table").click()
    expect(ada.page.locator(".table")).to_have_count(0)
    expect(eve.page.locator("main")).to_contain_text("This table is closed")


def test_a_record_that_breaks_a_rule(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/review")
    text = b"edition: classic\nseats: Ada, Ben\n\nroll =11234WWW keep:5\n"
    offer(ada, "game.heckmeck.txt", text)
    expect(ada.page.get_by_role("alert")).to_contain_text("This record cannot be opened")
    show(ada.page, "trouble-record", whole=True)
    # The browser itself notes that the server said no.
    assert ada.troubles.pop().startswith("error: Failed to load resource")


def test_no_server_at_all(browser: Browser, own_server: Server) -> None:
    with Crowd(browser, own_server.url) as crowd:
        ada = crowd.person()
        open_home(ada)
        own_server.kill()
        ada.page.get_by_role("button", name="Play now").click()
        expect(ada.page.get_by_role("alert")).to_contain_text("connection")
        show(ada.page, "trouble-no-server", whole=True)
        own_server.start()
        ada.page.get_by_role("button", name="Play now").click()
        expect(ada.page.get_by_role("button", name="Roll 8")).to_be_visible()
        ada.troubles.clear()  # a refused connection is what this test is about
