"""The table before the start: nobody waits for seats that nobody takes."""

import re

from playwright.sync_api import expect

from tests.browser.people import Crowd
from tests.browser.screens import show


def test_a_game_begins_without_the_free_seats(crowd: Crowd) -> None:
    ada = crowd.host("phone", bots=[], edition="classic", seats=5)
    ada.sit("Ada")
    start = ada.page.locator(".startbar").get_by_role("button")
    expect(start).to_have_text(re.compile("Start with bots"))
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ben.sit("Ben")
    expect(start).to_have_count(2)
    show(ada.page, "lobby-free-seats", whole=True)
    ada.press(start.first)
    for person in (ada, ben):
        expect(person.page.locator(".grill")).to_be_visible()
        expect(person.page.locator(".seat")).to_have_count(2)


def test_bots_take_the_free_seats_in_one_tap(crowd: Crowd) -> None:
    ada = crowd.host("phone", bots=[], edition="deluxe", seats=4)
    ada.sit("Ada")
    ada.press(ada.page.get_by_role("button", name="Start with bots"))
    expect(ada.page.get_by_role("button", name="Roll 8 dice")).to_be_visible()
    names = ada.page.locator(".seats .seat h2").all_inner_texts()
    assert names == ["Chick", "Rooster", "Fox"]


def test_what_is_seldom_wanted_is_folded_away(crowd: Crowd) -> None:
    ada = crowd.host("phone", bots=["fox"], edition="classic", seats=2)
    ada.sit("Ada")
    page = ada.page
    expect(page.locator(".places")).to_contain_text("Knows the exact odds.")
    expect(page.get_by_label("Bot on seat 2").locator("option", has_text="Owl")).to_have_text(
        re.compile("^Owl: .+")
    )
    seldom = [
        page.get_by_text("Who starts?"),
        page.get_by_label("Hints"),
        page.get_by_text("Promise for the dice:"),
    ]
    for part in seldom:
        expect(part).to_be_hidden()
    ada.press(page.get_by_text("More settings"))
    for part in seldom:
        expect(part).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 900})
    start = page.locator(".startbar button").first.bounding_box()
    assert start
    assert start["height"] < 120, "a button does not grow with the settings beside it"


def test_a_plate_is_chosen_and_everybody_sees_it(crowd: Crowd) -> None:
    ada = crowd.host("phone", bots=["fox"], edition="classic", seats=3)
    ada.sit("Ada")
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ben.sit("Ben")
    ada.press(ada.page.get_by_role("button", name="Choose a plate"))
    expect(ada.page.get_by_role("button", name="Plate 4")).to_be_disabled()
    show(ada.page, "plates")
    ada.press(ada.page.get_by_role("button", name="Plate 7"))
    ada.start()
    for person in (ada, ben):
        plate = person.page.locator('.seat[data-seat="0"] .plate use')
        expect(plate.first).to_have_attribute("href", re.compile("plate-7"))
        person.page.reload()
        expect(plate.first).to_have_attribute("href", re.compile("plate-7"))
