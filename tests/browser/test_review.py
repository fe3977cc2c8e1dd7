"""A game looked at afterwards."""

import re
from typing import Final

from playwright.sync_api import expect

from heckmeck.record import read_record, replay
from tests.browser.pages import PATIENCE, heading, open_review
from tests.browser.people import Crowd
from tests.browser.positions import moment

MINUS: Final = "\N{MINUS SIGN}"


def test_walking_through_a_game_by_keyboard(crowd: Crowd) -> None:
    ada = crowd.person("keyboard")
    open_review(ada, "classic")
    told, slider = ada.page.locator(".told"), ada.page.get_by_role("slider")
    steps = replay(read_record(moment("classic").encode()))
    assert slider.get_attribute("max") == str(len([*steps]))
    for _ in range(2):
        ada.page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("rolls")
    expect(slider).to_have_value("2")
    ada.page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("1")
    ada.tab_to(slider)
    ada.page.keyboard.press("PageDown")
    expect(ada.page.locator(".position h2")).to_contain_text("Turn 1")
    ada.page.keyboard.press("End")
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    ada.page.keyboard.press("Home")
    expect(ada.page.locator(".position h2")).to_have_text("The start")


def test_every_decision_has_its_alternatives(crowd: Crowd) -> None:
    ada = crowd.person()
    open_review(ada, "deluxe")
    ada.page.get_by_label("all choices").check()
    decision = ada.page.locator(".decision button").first
    decision.click()
    expect(decision).to_have_attribute("aria-expanded", "true")
    choices = ada.page.locator(".choices li")
    assert choices.count() > 1
    expect(choices.first).to_contain_text("best")
    expect(ada.page.locator(".choices").get_by_text("played")).to_have_count(1)


def test_mistakes_are_marked_and_found(crowd: Crowd) -> None:
    ada = crowd.person()
    open_review(ada, "deluxe")
    ada.page.get_by_role("button", name="Next mistake").click()
    opened = ada.page.locator(".decision.open")
    expect(opened).to_have_class(re.compile("blunder|mistake|slip"))
    expect(opened.locator(".loss").first).to_contain_text(MINUS)


def test_everybody_has_luck_and_skill(crowd: Crowd) -> None:
    ada = crowd.person()
    open_review(ada, "deluxe")
    rows = ada.page.locator("table tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text(re.compile(rf"Ada.*[+{MINUS}]\d"))


def test_playing_on_from_a_moment(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    open_review(ada, "classic")
    for _ in range(2):
        ada.page.get_by_role("button", name="One step forward").tap()
    ada.page.get_by_role("button", name=re.compile("Play on from here")).tap()
    expect(ada.page.locator("button.pick").first).to_be_visible()
    expect(ada.page.locator(".seats .seat")).to_have_count(3)


def test_a_tables_game_is_reviewed(crowd: Crowd) -> None:
    table = crowd.at_moment("junior").page.url.rsplit("/", 1)[-1]
    ada = crowd.person()
    ada.open(f"/review?table={table}&at=3")
    expect(ada.page.get_by_role("slider")).to_have_value("3", timeout=PATIENCE)
    expect(ada.page.get_by_role("link", name="Save the record")).to_be_visible()


def test_a_decision_leads_to_its_odds(crowd: Crowd) -> None:
    ada = crowd.person()
    open_review(ada, "classic")
    for _ in range(2):
        ada.page.keyboard.press("ArrowRight")
    ada.page.get_by_role("link", name="The odds of this turn").click()
    expect(heading(ada)).to_have_text("Odds")
    expect(ada.page.get_by_text("all dice entered")).to_be_visible()
