"""How many taps it takes from the start page to the first roll."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import Crowd

WAYS = {
    "against bots": ["Play now"],
    "on one device": ["Same device", "Start"],
    "friends by link, bots for the rest": ["Invite friends", "Start with bots"],
}


@pytest.mark.parametrize("way", WAYS)
def test_the_first_roll_is_a_few_taps_away(crowd: Crowd, way: str) -> None:
    assert taps_to_the_first_roll(crowd, way) <= 3


def taps_to_the_first_roll(crowd: Crowd, way: str) -> int:
    """How often somebody taps from the start page on, the roll included; `bench.together` too."""
    ada = crowd.person("phone")
    ada.open("/")
    for button in WAYS[way]:
        ada.press(ada.page.get_by_role("button", name=button, exact=False).first)
    # The starting player of a table for friends is drawn: it may be a bot.
    roll = ada.page.locator(".act button", has_text="Roll").first
    ada.press(roll)
    expect(ada.page.locator(".tray .die").first).to_be_visible()
    return len(WAYS[way]) + 1
