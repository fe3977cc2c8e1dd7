"""Why a move is better: in hints, in reviews, and before a mistake."""

import re

from playwright.sync_api import expect

from tests.browser.pages import open_review
from tests.browser.people import Crowd, Person


def test_table_and_choices_are_in_sight_together_on_a_small_phone(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.page.set_viewport_size({"width": 320, "height": 568})
    open_review(ada, "deluxe")
    ada.page.locator(".decisions .next").tap()
    for _ in range(2):  # next mistake keeps both in view
        expect(ada.page.locator(".here .choices li").first).to_be_in_viewport(ratio=1)
        expect(ada.page.locator(".here .choices li").last).to_be_in_viewport(ratio=1)
        expect(ada.page.locator(".position .grill")).to_be_in_viewport(ratio=1)
        expect(ada.page.locator(".position .players")).to_be_in_viewport(ratio=1)
        expect(ada.page.locator(".here .reason")).to_contain_text(re.compile(r"\d%"))
        ada.page.locator(".here .next").tap()
    expect(ada.page.locator(".marks")).to_contain_text("Blunder from 10.0%")


def warned(crowd: Crowd) -> Person:
    """Somebody who is warned of mistakes, counted in worms, with hints."""
    ada = crowd.at_moment("deluxe")
    ada.page.evaluate(
        """() => {
          const settings = JSON.parse(localStorage.getItem('heckmeck.settings') ?? '{}')
          const wanted = {...settings, worth: 'worms', warn: true}
          localStorage.setItem('heckmeck.settings', JSON.stringify(wanted))
        }"""
    )
    ada.page.reload()
    expect(ada.page.locator(".hint-panel .reason")).to_contain_text(re.compile(r"\d%"))
    return ada


def test_hints_say_why_and_a_mistake_against_bots_is_asked_about_once(crowd: Crowd) -> None:
    ada = warned(crowd)
    panel, dialog = ada.page.locator(".hint-panel"), ada.page.get_by_role("dialog")
    expect(panel.locator(".targets li").first).to_contain_text(re.compile(r"\d%"))
    ada.page.keyboard.press("3")  # the worst
    expect(dialog).to_contain_text("Keeping")
    dialog.get_by_role("button", name="Think again").click()
    expect(dialog).to_be_hidden()
    ada.page.keyboard.press("3")
    dialog.get_by_role("button", name="Do it anyway").click()
    expect(dialog).to_be_hidden()
    expect(ada.page.locator(".kgroup")).to_have_count(2)


def test_a_mistake_instead_of_another_keep_is_asked_about_too(crowd: Crowd) -> None:
    ada = warned(crowd)
    dialog, kept = ada.page.get_by_role("dialog"), ada.page.locator(".kgroup")
    ada.page.keyboard.press("w")
    expect(kept).to_have_count(2)
    ada.page.keyboard.press("3")  # the worst, instead
    expect(dialog).to_contain_text("Keeping")
    dialog.get_by_role("button", name="Do it anyway").click()
    expect(dialog).to_be_hidden()
    expect(kept).to_have_count(2)


def test_hints_tell_the_choices_apart_in_every_language(crowd: Crowd) -> None:
    ada = crowd.at_moment("deluxe")
    ada.page.evaluate(
        """() => {
          const settings = JSON.parse(localStorage.getItem('heckmeck.settings') ?? '{}')
          localStorage.setItem('heckmeck.settings', JSON.stringify({...settings, language: 'it'}))
        }"""
    )
    ada.page.reload()
    labels = ada.page.locator(".hint-panel .meter > span:first-child")
    expect(labels.first).to_contain_text("acc")
    for label in labels.all():
        assert label.evaluate("it => it.scrollWidth <= it.clientWidth"), label.inner_text()
