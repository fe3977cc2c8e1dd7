"""Leaving a game: to a bot, for good, and never by mistake."""

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.people import Crowd, Hands, Person
from tests.browser.screens import show

#: Long enough to look at what a bot has not done yet.
SLOW: Final = 10_000


def open_menu(person: Person) -> None:
    """Open the table's menu."""
    person.press(person.page.get_by_role("button", name="Menu"))
    expect(person.page.get_by_role("dialog", name="Menu")).to_be_visible()


def in_a_slow_game(crowd: Crowd, hands: Hands = "mouse") -> Person:
    """Somebody at a table with a bot that takes its time; it is their turn."""
    ada = crowd.host(hands, bots=["chick"], edition="classic", seats=2, pace=SLOW)
    ada.sit("Ada")
    ada.start()
    expect(ada.page.get_by_role("button", name="Roll 8 dice")).to_be_visible()
    return ada


@pytest.mark.parametrize("hands", ["phone", "keyboard"])
def test_a_bot_plays_for_me_until_i_am_back(crowd: Crowd, hands: Hands) -> None:
    ada = in_a_slow_game(crowd, hands)
    page = ada.page
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    open_menu(ada)
    expect(page.get_by_role("button", name="Keys")).to_have_count(int(hands == "keyboard"))
    ada.press(page.get_by_role("button", name="Let a bot play for me"))
    asked = page.get_by_role("dialog", name="Let a bot play for you?")
    expect(asked.get_by_role("button", name="I play on")).to_be_focused()
    ada.press(asked.get_by_role("button", name="Let a bot play for me"))
    back = page.locator(".act").get_by_role("button", name="I am back")
    expect(back).to_be_in_viewport(ratio=1)
    expect(page.locator(".act")).to_contain_text("A bot is playing for you")
    expect(page.locator(".sr[role=status]")).to_have_text("A bot is playing for you")
    expect(page.get_by_text("Your turn")).to_have_count(0)
    expect(page.locator(".bar .sub")).to_have_text("Table for 2, a bot is playing")
    expect(page.locator(".act button")).to_have_count(1)
    page.keyboard.press("r")
    expect(back).to_be_visible()
    if hands == "phone":
        show(page, "standing-in")
        page.set_viewport_size({"width": 1280, "height": 800})
        wide = back.bounding_box()
        assert wide
        assert wide["width"] > wide["height"], "no tower"
    ada.press(back)
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(page.locator(".act")).not_to_contain_text("A bot is playing for you")
    expect(page.locator(".sr[role=status]")).to_have_text("")
    expect(page.locator(".act button").first).to_be_visible()


def test_the_menu_says_the_same(crowd: Crowd) -> None:
    ada = in_a_slow_game(crowd)
    open_menu(ada)
    ada.page.get_by_role("button", name="Let a bot play for me").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Let a bot play for me").click()
    open_menu(ada)
    menu = ada.page.get_by_role("dialog")
    expect(menu.get_by_role("button", name="Let a bot play for me")).to_have_count(0)
    menu.get_by_role("button", name="I am back").click()
    expect(ada.page.get_by_role("heading", name="Your turn")).to_be_visible()


def test_closing_a_table_is_asked_before_it_is_done(crowd: Crowd) -> None:
    ada = crowd.host(bots=["chick"], edition="classic", seats=3)
    ada.sit("Ada")
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ben.sit("Ben")
    ada.start()
    open_menu(ada)
    harmless = ada.page.get_by_role("button", name="Let a bot play for me").bounding_box()
    closing = ada.page.get_by_role("button", name="Close the table").bounding_box()
    assert harmless
    assert closing
    assert closing["y"] >= harmless["y"] + harmless["height"] + 20, "too near to what is harmless"
    ada.page.get_by_role("button", name="Close the table").click()
    asked = ada.page.get_by_role("dialog", name="Close the table?")
    expect(asked).to_contain_text("ends the game for Ben too")
    expect(asked.get_by_role("button", name="Keep it open")).to_be_focused()
    show(ada.page, "closing")
    ada.page.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    expect(ada.page.get_by_role("button", name="Roll 8 dice")).to_be_visible()
    expect(ben.page.locator(".act")).to_contain_text("Ada")


def test_a_closed_table_says_so_and_leads_on(crowd: Crowd) -> None:
    ada = in_a_slow_game(crowd)
    address = ada.page.url
    eve = crowd.guest(address.rsplit("/", 1)[1])
    ada.page.get_by_role("button", name="Roll 8 dice").click()
    expect(ada.page.locator("button.pick").first).to_be_visible()
    open_menu(ada)
    ada.page.get_by_role("button", name="Close the table").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Close the table").click()
    expect(ada.page).not_to_have_url(address)
    ada.page.go_back()
    for person in (ada, eve):
        expect(person.page.locator("main")).to_contain_text("This table is closed")
        expect(person.page.locator("button.pick, .act button")).to_have_count(0)
        ways = person.page.locator("main").get_by_role("link")
        expect(ways).to_have_text(["To the start page", "Review the game"])
    show(ada.page, "closed")
    eve.page.get_by_role("link", name="Review the game").click()
    expect(eve.page.get_by_role("slider")).to_be_visible()


def test_a_game_that_never_began_is_not_reviewed(crowd: Crowd) -> None:
    ada = in_a_slow_game(crowd)
    address = ada.page.url
    open_menu(ada)
    ada.page.get_by_role("button", name="Close the table").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Close the table").click()
    expect(ada.page).not_to_have_url(address)
    ada.page.go_back()
    expect(ada.page.locator("main").get_by_role("link")).to_have_text(["To the start page"])


def test_whoever_watches_is_told_so(crowd: Crowd) -> None:
    ada = in_a_slow_game(crowd)
    eve = crowd.guest(ada.page.url.rsplit("/", 1)[1], "phone")
    expect(eve.page.locator(".act")).to_contain_text("You are watching. It is Ada’s turn.")
    expect(eve.page.get_by_text("You are watching.").first).to_be_in_viewport(ratio=1)
    expect(eve.page.locator(".sr[role=status]")).to_have_text("You are watching.")
