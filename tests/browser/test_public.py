"""Public tables: from the lobby of one person to the start page of another, and watched."""

from playwright.sync_api import expect

from tests.browser.people import Crowd


def test_a_public_table_appears_and_is_watched(crowd: Crowd) -> None:
    eve = crowd.person("phone")
    eve.open("/")
    ada = crowd.host(bots=["rooster"], edition="classic", seats=3)
    ada.sit("Ada of Public")
    table = eve.page.locator(".public li", has_text="Ada of Public")
    expect(table).to_have_count(0)
    ada.page.get_by_role("switch", name="Public table").check()
    expect(table).to_contain_text("1 free seat")
    expect(table).to_contain_text("Ada of Public, Rooster")
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ben.sit("Ben")
    ada.start()
    expect(table).to_contain_text("watch")
    table.get_by_role("link").tap()
    expect(eve.page.locator(".act .waits")).to_contain_text("Ada")
    assert eve.page.locator(".act button").count() == 0
