"""Bots at a pace that nobody has to wait for, and a story that nobody misses."""

from time import monotonic
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.people import Crowd, Hands, Person
from tests.browser.screens import show

#: So slow that nobody would wait for it.
SLOW: Final = 10_000


def with_slow_bots(crowd: Crowd, hands: Hands = "mouse", seats: int = 4) -> Person:
    """Somebody with three bots, the first of which is to move."""
    ada = crowd.host(
        hands,
        bots=["chick", "rooster", "fox"],
        edition="classic",
        seats=seats,
        first=seats - 3,
        pace=SLOW,
    )
    ada.sit("Ada")
    return ada


def taken_or_failed(person: Person) -> Locator:
    """What is said about how the last turn ended."""
    return person.page.locator(".aftermath p")


@pytest.mark.parametrize("hands", ["phone", "keyboard"])
def test_a_tap_or_a_key_shows_the_end_of_a_bots_turn(crowd: Crowd, hands: Hands) -> None:
    """One tap is for one turn: what was kept and what came of it stays until the next throw."""
    ada = with_slow_bots(crowd, hands)
    page = ada.page
    ada.start()
    for name in ("Chick", "Rooster", "Fox"):
        expect(page.locator(".act")).to_contain_text(name)
        if hands == "phone":
            page.locator(".grill").tap(position={"x": 5, "y": 5})
        else:
            page.keyboard.press("Space")
        expect(taken_or_failed(ada)).to_contain_text(name)
        expect(page.locator(".lastdice .die").first).to_be_visible()
        kept = page.locator(".board.past .kdie")
        failed_at_once = page.locator(".board .kept-none")
        expect(kept.first.or_(failed_at_once)).to_be_visible()
    if hands == "phone":
        show(page, "story")
    expect(page.get_by_role("button", name="Roll 8 dice")).to_be_visible()
    ada.play(ada.look())
    expect(page.locator(".aftermath, .board.past")).to_have_count(0)


def test_nobody_hurries_a_turn_that_others_still_watch(crowd: Crowd) -> None:
    ada = with_slow_bots(crowd, seats=5)
    table = ada.page.url.rsplit("/", 1)[1]
    ben = crowd.guest(table, "phone")
    ben.sit("Ben")
    eve = crowd.guest(table)
    ada.start()
    bot = ada.page.locator(".act")
    eve.page.locator(".grill").click(position={"x": 5, "y": 5})
    expect(eve.page.locator(".act")).not_to_contain_text("Tap to skip ahead")
    expect(bot).to_contain_text("Tap to skip ahead")
    ada.page.keyboard.press("x")
    expect(bot).to_contain_text("Still watching: Ben")
    expect(ben.page.locator(".act")).to_contain_text("Tap to skip ahead")
    ben.page.locator(".grill").tap(position={"x": 5, "y": 5})
    for person in (ada, ben, eve):
        expect(taken_or_failed(person)).to_be_visible()


@pytest.mark.soak
@pytest.mark.parametrize("edition", ["classic", "deluxe", "barbecue", "junior"])
def test_a_round_with_three_bots_takes_less_than_8_seconds(crowd: Crowd, edition: str) -> None:
    """On average, at the pace of a new table and with all animations."""
    seconds = seconds_a_round(crowd, edition, 5)
    assert sum(seconds) / len(seconds) < 8, seconds


def seconds_a_round(crowd: Crowd, edition: str, rounds: int) -> list[float]:
    """How long somebody waits for three bots, round by round; `bench.together` measures it too."""
    made = crowd.table(
        bots=["chick", "rooster", "fox"], edition=edition, seats=4, first=0, pace=None
    )
    ada = crowd.person(speed="normal")
    ada.hold(made["id"], made["secret"])
    ada.open(made["path"])
    ada.sit("Ada")
    ada.start()
    seconds: list[float] = []
    sight = ada.next_decision(-1)
    while len(seconds) < rounds and sight.see != "end":
        ada.play(sight)
        event, began = sight.event, monotonic()
        sight = ada.look()
        if sight.see == "others":
            sight = ada.next_decision(event)
            seconds.append(monotonic() - began)
    return seconds
