"""The odds of a turn that somebody sets up."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.pages import open_odds
from tests.browser.people import Crowd
from tests.browser.screens import show

MINUS = "\u2212"


def test_a_turn_is_set_up_by_tapping(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.open("/odds?edition=classic")
    kept, thrown = (ada.page.get_by_role("group", name=name) for name in ("Kept", "Rolled"))
    for _ in range(3):
        kept.get_by_role("button", name=re.compile("Add: worm")).tap()
    expect(kept).to_contain_text("15 points")
    expect(ada.page.get_by_role("listitem").filter(has_text="21 or more")).to_contain_text("%")
    for face in "55441":
        thrown.get_by_role("button", name=re.compile(f"Add: {face}")).tap()
    expect(thrown).to_contain_text("all dice entered")
    ada.page.get_by_role("button", name=re.compile("keep two 5s", re.IGNORECASE)).tap()
    expect(kept).to_contain_text("25 points")
    expect(ada.page.get_by_text("Stop with 25")).to_be_visible()
    kept.get_by_role("button", name="Take one back: 5").tap()
    expect(kept).to_contain_text("20 points")


def test_a_turn_is_set_up_by_keyboard(crowd: Crowd) -> None:
    ada = crowd.person("keyboard")
    ada.open("/odds?edition=deluxe")
    ada.tab_to(ada.page.get_by_role("radio", name="none"))
    for _ in range(3):
        ada.page.keyboard.press("ArrowRight")
    expect(ada.page.get_by_role("radio", name="Golden die")).to_be_checked()
    ada.tab_to(ada.page.get_by_role("group", name="Rolled").get_by_role("button").first)
    for face in "11234www":
        ada.page.keyboard.press(face)
    ada.press(ada.page.get_by_role("group", name="shows").get_by_role("button", name="worm"))
    expect(ada.page.get_by_text("all dice entered")).to_be_visible()
    expect(ada.page.get_by_role("status")).to_contain_text("keep four worms")
    ada.page.wait_for_load_state("networkidle")
    ada.page.reload()
    expect(ada.page.get_by_text("all dice entered")).to_be_visible()


def test_chances_of_exactly_one_number(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/odds?edition=deluxe")
    ada.page.get_by_text("exactly", exact=True).click()
    expect(ada.page.locator(".chances li")).to_have_count(18)
    expect(ada.page.locator(".chances li").first).to_contain_text("exactly 11")


def test_worth_is_told_in_worms_if_somebody_likes_that_better(crowd: Crowd) -> None:
    ada = crowd.person()
    open_odds(ada, "?edition=classic")
    ada.page.evaluate("localStorage['heckmeck.settings'] = JSON.stringify({ worth: 'worms' })")
    with ada.page.expect_request("**/api/odds") as asked:
        ada.page.reload()
    assert (asked.value.post_data_json or {})["unit"] == "worms"
    expect(ada.page.locator(".chances li").first).to_be_visible()
    with ada.page.expect_request("**/api/odds") as asked:
        ada.page.get_by_role("button", name="in worms. Change to: chance to win").click()
    assert (asked.value.post_data_json or {})["unit"] is None
    expect(ada.page.locator(".chances li").first).to_be_visible()


def test_points_are_told_only_of_the_dice_that_are_kept(crowd: Crowd) -> None:
    """The server counts them: until it answers there is no number, least of all the last one."""
    ada = crowd.person()
    open_odds(ada, "?edition=classic&kept=5")
    kept = ada.page.get_by_role("group", name="Kept")
    expect(kept).to_contain_text("5 points")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ada.page.route("**/api/odds", hold)
    with ada.page.expect_request("**/api/odds"):
        kept.get_by_role("button", name=re.compile("Add: 5")).click()
    expect(kept).not_to_contain_text("points")
    expect(ada.page.get_by_text("Stop with 5")).to_be_visible()
    held.pop().continue_()
    expect(kept).to_contain_text("10 points")
    expect(ada.page.get_by_text("Stop with 10")).to_be_visible()


def odds_told(unit: str, *worths: float) -> dict[str, object]:
    """The answer of a coach who weighs so many keeps like this."""
    moves = [
        {"move": f"keep:{face}", "worth": worth, "fail": None}
        for face, worth in zip("W5432", worths, strict=False)
    ]
    chances = {"21": 0.5}
    return {
        "edition": "classic",
        "total": 0,
        "unit": unit,
        "moves": moves,
        "at_least": chances,
        "exactly": chances,
    }


def test_choices_that_differ_look_different(crowd: Crowd) -> None:
    """And choices that are as good as equal look equal. The words fit the unit."""
    ada = crowd.person()
    told = {
        None: odds_told("win", 0.27412, 0.27408, 0.2719, 0.2691, 0.2655),
        "worms": odds_told("worms", 0.804, 0.803, 0.79, 0.75, -0.25),
    }
    ada.page.route(
        "**/api/odds", lambda route: route.fulfill(json=told[route.request.post_data_json["unit"]])
    )
    ada.open("/odds?edition=classic&thrown=2345WWWW")
    worths = ada.page.locator(".odds li .move > b")
    panel = ada.page.locator("section", has=ada.page.locator("#moves"))
    expect(worths).to_have_text(["27.4%", "27.4%", "27.2%", "26.9%", "26.6%"])
    expect(panel.get_by_text("best", exact=True)).to_have_count(2)
    expect(panel.locator(".fine")).to_contain_text("chance to win a game for two")
    show(ada.page, "odds-weighed", whole=True)
    panel.get_by_role("button", name="Change to: in worms").click()
    expect(worths).to_have_text(["0.80", "0.80", "0.79", "0.75", f"{MINUS}0.25"])
    expect(panel.locator(".fine")).to_contain_text("worms this turn brings on average")
    expect(panel.locator(".fine")).not_to_contain_text("chance to win")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_figure_and_its_percent_sign_stay_together(crowd: Crowd, language: str) -> None:
    ada = crowd.person(locale=language)
    ada.page.set_viewport_size({"width": 320, "height": 568})
    told = odds_told("win", 1.0, 0.55212)
    ada.page.route("**/api/odds", lambda route: route.fulfill(json=told))
    ada.open("/odds?edition=classic&thrown=2345WWWW")
    worths = ada.page.locator(".odds li .move > b")
    expect(worths).to_have_count(2)
    inside = "all => all.every((b) => b.scrollWidth <= b.clientWidth && b.offsetHeight < 30)"
    assert worths.evaluate_all(inside)
