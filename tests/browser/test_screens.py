"""Every screen of the table, seen in both themes and three sizes, and checked with axe.

The pictures are in ``.screenshots``.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.fitting import LANGUAGES, speak
from tests.browser.pages import PATIENCE
from tests.browser.people import Crowd
from tests.browser.screens import show
from tests.browser.test_table import keep_for

EDITIONS = ["classic", "deluxe", "barbecue", "junior"]


@pytest.mark.parametrize(
    ("edition", "promise"),
    [("classic", "Steal"), ("deluxe", "Take"), ("barbecue", "Plate"), ("junior", "Take")],
)
def test_the_table(crowd: Crowd, edition: str, promise: str) -> None:
    ada = crowd.at_moment(edition)
    keep_for(ada, promise)
    show(ada.page, f"table-{edition}", more=True, turn=EDITIONS.index(edition))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_first_throw(crowd: Crowd, edition: str) -> None:
    ada = crowd.host(bots=["rooster"], edition=edition, seats=2)
    ada.sit("Ada")
    ada.start()
    ada.page.locator(".act .btn.neutral").click()
    expect(ada.page.locator("button.pick").first).to_be_visible()
    # In an edition, what the phone shows of one screen the desktop shows of the other.
    show(ada.page, f"throw-{edition}", turn=EDITIONS.index(edition) + 1)


CHOICES = ["weasel", "golden", "return", "rob", "pinch", "hen"]


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice(crowd: Crowd, name: str) -> None:
    ada = crowd.at_moment(name, seats=3 if name == "rob" else 4)
    if name == "hen":
        keep_for(ada, "Take the hen")
    show(ada.page, f"choice-{name}", turn=CHOICES.index(name))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_end(crowd: Crowd, edition: str) -> None:
    ada = crowd.at_the_end(edition)
    expect(ada.page.locator(".course table")).to_be_visible(timeout=PATIENCE)
    show(ada.page, f"end-{edition}", more=edition == "deluxe", turn=EDITIONS.index(edition))


@pytest.mark.parametrize(("edition", "seats"), [("deluxe", 7), ("classic", 5), ("barbecue", 5)])
def test_a_full_table(crowd: Crowd, edition: str, seats: int) -> None:
    ada = crowd.at_moment(edition, seats=seats)
    show(ada.page, f"seats-{seats}-{edition}", turn=EDITIONS.index(edition))


def test_before_the_start(crowd: Crowd) -> None:
    ada = crowd.host(bots=["fox"], edition="deluxe", seats=4)
    ada.sit("Ada")
    show(ada.page, "lobby-host", whole=True)
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    expect(ben.page.get_by_label("Your name")).to_be_visible()
    show(ben.page, "lobby-guest", whole=True)


def test_sheets(crowd: Crowd) -> None:
    ada = crowd.at_moment("deluxe")
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("button", name="Link to my seat").click()
    expect(ada.page.get_by_role("img", name="QR code")).to_be_visible()
    show(ada.page, "sheet-menu")
    ada.page.keyboard.press("Escape")
    ada.page.keyboard.press("?")
    show(ada.page, "sheet-keys")
    ada.page.keyboard.press("Escape")
    ada.page.locator(".seats button.stack").first.click()
    show(ada.page, "sheet-stack")
    ada.page.keyboard.press("Escape")
    ada.page.set_viewport_size({"width": 360, "height": 640})
    ada.page.get_by_role("button", name="At the table").click()
    show(ada.page, "sheet-log")


def test_somebody_elses_turn(crowd: Crowd) -> None:
    made = crowd.table(bots=["rooster"] * 2, edition="classic", seats=3)
    ada, eve = crowd.guest(made["id"]), crowd.guest(made["id"])
    ada.sit("Ada")
    ada.page.locator(".startbar button").click()
    expect(eve.page.locator(".grill")).to_be_visible()
    ada.play(ada.look())
    eve.wait_for_event_after(ada.look().event - 1)
    show(eve.page, "watching")


def test_other_languages(crowd: Crowd) -> None:
    ada = crowd.at_moment("barbecue")
    keep_for(ada, "Plate")
    for turn, language in enumerate(LANGUAGES[1:]):
        speak(ada.page, language)
        show(ada.page, f"language-{language}", turn=turn)
