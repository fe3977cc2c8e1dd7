"""Games of every edition from the start to the end, in every way there is to play them."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import Crowd, Hands, Person

EDITIONS = ["classic", "deluxe", "barbecue", "junior"]
#: Shorter games: every failed attempt turns a tile.
SHORT = {"flip_always": True, "flip_returned": True}


def check_the_end(ada: Person) -> None:
    expect(ada.page.locator(".score tbody tr")).to_have_count(2)
    winners = ada.page.locator(".score .win")
    headline = ada.page.locator(".hero h2").inner_text()
    if winners.count() > 1:
        assert "shared" in headline
    else:
        name = winners.locator(".nm > span").first.inner_text()
        assert headline == ("You win" if name == "Ada" else f"{name} wins")
    expect(ada.page.get_by_role("button", name="Rematch")).to_be_visible()


#: Every game once from the start, by touch, mouse or keyboard, and once near its end, in another way.
#: The soak plays every game in every way from the start.
FROM_THE_START = [
    ("classic", "keyboard"),
    ("deluxe", "phone"),
    ("barbecue", "phone"),
    ("junior", "mouse"),
]
NEAR_THE_END = [
    ("classic", "phone"),
    ("deluxe", "mouse"),
    ("barbecue", "keyboard"),
    ("junior", "phone"),
]


@pytest.mark.parametrize(("edition", "hands"), FROM_THE_START)
def test_a_whole_game(crowd: Crowd, edition: str, hands: Hands) -> None:
    house = SHORT if edition in ("classic", "deluxe") else {}
    ada = crowd.host(hands, bots=["rooster"], edition=edition, seats=2, options=house)
    ada.sit("Ada")
    ada.start()
    assert ada.play_to_the_end() > 10
    check_the_end(ada)


@pytest.mark.parametrize(("edition", "hands"), NEAR_THE_END)
def test_the_last_turns_of_a_game(crowd: Crowd, edition: str, hands: Hands) -> None:
    ada = crowd.late(edition, hands, short=True)
    assert ada.play_to_the_end() > 1
    check_the_end(ada)


@pytest.mark.soak
@pytest.mark.parametrize("hands", ["mouse", "keyboard", "phone"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_game_of_four_as_the_rulebook_has_it(
    crowd: Crowd, edition: str, hands: Hands
) -> None:
    ada = crowd.host(hands, bots=["chick", "rooster", "fox"], edition=edition, seats=4)
    ada.sit("Ada")
    ada.start()
    assert ada.play_to_the_end() > 10
    expect(ada.page.locator(".score tbody tr")).to_have_count(4)
