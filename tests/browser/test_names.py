"""Who is who: badges that no two players share, names in every script, bots that keep theirs."""

import json
import re
from typing import Final

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from heckmeck.record import final_state, read_record
from heckmeck.rules import apply, legal, stopping
from heckmeck.rules.endings import StealTile
from heckmeck.rules.moves import Keep
from tests.browser.pages import PATIENCE, offer
from tests.browser.people import Crowd, Person
from tests.browser.positions import finished_game, moment
from tests.browser.screens import show

NOA: Final = "נועה 7"
SAMI: Final = "سامي (2)"
#: Whoever is robbed or wins, the name is written from right to left.
NAMES: Final = ("דנה", NOA, SAMI, "ليلى")
ISOLATES: Final = re.compile("[\u2066-\u2069]")


def renamed(record: str) -> str:
    """The same game between players whose names are written from right to left."""
    game = json.loads(record)
    return json.dumps({**game, "seats": NAMES[: len(game["seats"])]})


def has_bdi(place: Locator, name: str) -> None:
    """The name stands here, isolated in the markup, and no control character is left of that."""
    expect(place.locator("bdi", has_text=name).first).to_be_attached()
    assert not ISOLATES.search(place.first.inner_text())


def play_on(crowd: Crowd, record: str) -> Person:
    """Ada, who plays on from this record against bots."""
    ada = crowd.person()
    ada.open("/review")
    offer(ada, "game.heckmeck.json", record.encode())
    expect(ada.page.get_by_role("slider")).to_be_visible(timeout=PATIENCE)
    ada.page.keyboard.press("Control+Home")
    ada.page.get_by_role("slider").press("End")
    ada.page.get_by_role("button", name=re.compile("Play on from here")).click()
    expect(ada.page.locator(".table")).to_be_visible()
    return ada


def test_names_from_right_to_left_break_no_sentence(crowd: Crowd) -> None:
    ada = play_on(crowd, renamed(moment("rob")))
    page = ada.page
    has_bdi(page.locator(".seats .seat h2", has_text=NOA), NOA)
    question = page.locator(".question")
    expect(question).to_be_visible()
    expect(question.locator("button .t bdi")).to_have_count(question.locator("button").count())
    show(page, "names-question")
    question.locator("button").first.click()
    expect(page.locator(".side .log li", has_text="Bratworm").locator("bdi").first).to_be_attached()
    assert not ISOLATES.search(page.locator(".side .log").inner_text())
    label = page.locator("[aria-label*='נועה']").first.get_attribute("aria-label") or ""
    assert "\u2068\u2068" not in label
    assert label == NOA or f"\u2068{NOA}\u2069" in label


def test_names_from_right_to_left_on_the_stop_button(crowd: Crowd) -> None:
    record = renamed(moment("classic"))
    state = final_state(read_record(record.encode()))
    keeps = [move for move in legal(state) if isinstance(move, Keep)]
    thefts = [keep for keep in keeps if isinstance(stopping(apply(state, keep).state), StealTile)]
    ada = play_on(crowd, record)
    expect(ada.page.locator("button.pick").first).to_be_visible()
    ada.page.keyboard.press(thefts[0].face.lower())
    steal = ada.page.locator(".act .btn", has_text="Steal")
    expect(steal.locator(".d bdi")).to_have_text(re.compile("|".join(map(re.escape, NAMES))))


def test_names_from_right_to_left_at_the_end(crowd: Crowd) -> None:
    ada = crowd.after(renamed(finished_game("classic")))
    has_bdi(ada.page.locator(".end .score"), NOA)
    has_bdi(ada.page.locator(".end .score"), SAMI)
    expect(ada.page.locator(".hero h2 bdi").first).to_have_text(
        re.compile("|".join(map(re.escape, NAMES)))
    )
    show(ada.page, "names-end", whole=True)


def shown_badges(page: Page) -> list[str]:
    """The badges of all seats."""
    return page.locator(".seat .who .plate b, .seat .pile .plate b").all_inner_texts()


@pytest.mark.parametrize("edition", ["deluxe", "barbecue"])
def test_no_two_players_share_a_badge(crowd: Crowd, edition: str) -> None:
    made = crowd.table(bots=["chick", "fox", "fox"], edition=edition, seats=4, pace=10_000)
    ada = crowd.person("phone")
    ada.hold(made["id"], made["secret"])
    ada.open(made["path"])
    ada.sit("Chef")
    lobby = ada.page.locator(".places .plate b").all_inner_texts()
    ada.start()
    assert sorted(shown_badges(ada.page)) == sorted(lobby) == ["C", "C2", "F", "F2"]
    badge = ada.page.locator(".plate b", has_text="C2").first
    inside, plate = badge.bounding_box(), badge.locator("..").bounding_box()
    assert inside
    assert plate
    assert inside["width"] <= 0.8 * plate["width"]
    show(ada.page, f"badges-{edition}")


def test_playing_on_keeps_everybodys_name_and_kind(crowd: Crowd) -> None:
    record = json.loads(moment("classic"))
    record |= {
        "seats": ["Chef", "The chick", "The rooster", "Ben"],
        "bots": {"1": "chick", "2": "rooster"},
    }
    ada = play_on(crowd, json.dumps(record))
    expect(ada.page.locator(".seats .seat h2")).to_have_text(["Chick", "Rooster", "Ben"])
    told = httpx.get(f"{crowd.url}/api/tables/{ada.page.url.rsplit('/', 1)[1]}").json()
    assert [seat.get("bot") for seat in told["table"]["seats"]] == [None, "chick", "rooster", "fox"]


def test_playing_on_takes_the_own_seat(crowd: Crowd) -> None:
    """Also at a moment when somebody else is to move."""
    ada = crowd.host(bots=["chick", "rooster"], edition="classic", seats=3, first=1)
    ada.sit("Ada")
    ada.start()
    ada.next_decision(-1)
    table = ada.page.url.rsplit("/", 1)[1]
    ada.open(f"/review?table={table}&at=0")
    button = ada.page.get_by_role("button", name=re.compile("Play on from here"))
    expect(button).to_contain_text("in your seat", timeout=PATIENCE)
    button.click()
    expect(ada.page.locator(".seat.me h2")).to_have_text(re.compile("Ada|Your turn"))
    expect(ada.page.locator(".seats .seat h2")).to_have_text(["Chick", "Rooster"])
