"""Somebody's first turn, and a stop that brings nothing."""

from playwright.sync_api import expect

from tests.browser.people import Crowd
from tests.browser.screens import show


def test_a_first_turn_is_explained_once(crowd: Crowd) -> None:
    ada = crowd.person("phone", newcomer=True)
    ada.open("/")
    ada.press(ada.page.get_by_role("button", name="Play now"))
    mark = ada.page.locator(".coachmark")
    expect(mark).to_contain_text("Your first turn")
    roll = ada.page.get_by_role("button", name="Roll 8 dice")
    expect(roll).to_be_in_viewport(ratio=1)
    ada.press(roll)
    expect(mark).to_contain_text("Tap a die")
    show(ada.page, "coach-mark")
    ada.play(ada.look())
    expect(mark).to_contain_text("Roll on for more")
    ada.page.reload()
    expect(mark).to_contain_text("Roll on for more")
    ada.press(mark.get_by_role("button", name="Close"))
    expect(mark).to_have_count(0)
    ada.page.reload()
    expect(ada.page.locator(".act button").first).to_be_visible()
    expect(mark).to_have_count(0)


def test_a_stop_that_brings_nothing_takes_two_presses(crowd: Crowd) -> None:
    ada = crowd.host(bots=["chick"], edition="classic", seats=2, pace=10_000)
    ada.sit("Ada")
    ada.start()
    sight = ada.next_decision(-1)
    ada.play(sight)
    ada.play(ada.look())
    stop = ada.page.locator(".act .btn.fails")
    expect(stop).to_contain_text("attempt fails")
    ada.press(stop)
    expect(stop).to_contain_text("Really stop?")
    expect(ada.page.locator(".board .kdie").first).to_be_visible()
    ada.press(stop)
    expect(ada.page.locator(".aftermath")).to_contain_text("You")
