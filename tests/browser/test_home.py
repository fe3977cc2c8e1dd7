"""The start page: choosing a game, and the ways to a table."""

import gzip
import re
from typing import Final

import pytest
from playwright.sync_api import Response, expect

from tests.browser.pages import heading
from tests.browser.people import Crowd, Hands, Person

KILOBYTE: Final = 1000


@pytest.mark.parametrize("hands", ["mouse", "keyboard", "phone"])
def test_one_tap_and_the_first_throw_waits(crowd: Crowd, hands: Hands) -> None:
    ada = crowd.person(hands)
    ada.open("/")
    ada.press(ada.page.get_by_role("button", name="Play now"))
    expect(ada.page.get_by_role("button", name=re.compile(r"^Roll 8"))).to_be_visible()
    expect(ada.page.locator(".seats .seat")).to_have_count(3)


def test_the_chosen_game_is_played_and_remembered(crowd: Crowd) -> None:
    ada = crowd.person("keyboard")
    ada.open("/")
    # A first visit proposes the game to begin with; looking at another one changes nothing yet.
    ada.tab_to(ada.page.get_by_role("radio", name=re.compile("Classic")))
    ada.page.keyboard.press("ArrowRight")
    ada.page.reload()
    ada.tab_to(ada.page.get_by_role("radio", name=re.compile("Classic")))
    ada.page.keyboard.press("ArrowRight")
    ada.page.keyboard.press("ArrowRight")
    expect(ada.page.get_by_role("radio", name=re.compile("Barbecue"))).to_be_checked()
    ada.press(ada.page.get_by_role("button", name="Play now"))
    expect(heading(ada)).to_contain_text("Barbecue")
    go_home(ada)
    expect(ada.page.get_by_role("radio", name=re.compile("Barbecue"))).to_be_checked()


def test_continue_leads_back_to_the_table(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/")
    ada.page.get_by_role("button", name="Play now").click()
    ada.page.get_by_role("button", name=re.compile(r"^Roll 8")).click()
    go_home(ada)
    ada.page.get_by_role("link", name=re.compile("Classic.*your turn")).click()
    expect(ada.page.locator("button.pick").first).to_be_visible()
    go_home(ada)
    ada.page.get_by_role("button", name="Classic: remove from this list").click()
    expect(ada.page.get_by_role("heading", name="Continue")).to_have_count(0)


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (768, 1024), (1280, 800)])
def test_the_tick_of_the_chosen_game_hides_no_word(crowd: Crowd, size: tuple[int, int]) -> None:
    ada = crowd.person(viewport={"width": size[0], "height": size[1]})
    ada.open("/")
    expect(ada.page.locator(".chosen .tick")).to_be_visible()
    hidden = ada.page.evaluate("""() => {
      const tick = document.querySelector('.chosen .tick').getBoundingClientRect()
      const words = [...document.querySelectorAll('.chosen .text span')].flatMap((node) => {
        const range = document.createRange()
        range.selectNodeContents(node)
        return [...range.getClientRects()]
      })
      return words.some((word) => word.left < tick.right && word.right > tick.left
        && word.top < tick.bottom && word.bottom > tick.top)
    }""")
    assert not hidden


def go_home(person: Person) -> None:
    """Follow the mark at the top of every page."""
    person.press(person.page.get_by_role("link", name="To the start page"))


def test_friends_are_invited_with_a_link(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/")
    ada.page.get_by_role("button", name="Invite friends").click()
    expect(ada.page).to_have_url(re.compile(r"/t/\w+"))
    expect(ada.page.locator(".places .own")).to_be_visible()


def test_one_device_is_passed_around(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.open("/")
    ada.page.get_by_role("button", name="Same device").tap()
    ada.page.get_by_label("Name of player 1").fill("Ada")
    ada.page.get_by_label("Name of player 2").fill("Ben")
    ada.page.get_by_role("button", name="One more player").tap()
    ada.page.get_by_label("Name of player 3").fill("Mia")
    ada.page.get_by_role("button", name="Start").tap()
    expect(ada.page.get_by_role("button", name="Roll 8 dice")).to_be_visible()
    names = ada.page.locator(".seat").evaluate_all("all => all.map((seat) => seat.ariaLabel)")
    assert sorted(re.findall("Ada|Ben|Mia", " ".join(names))) == ["Ada", "Ben", "Mia"]


def test_language_and_theme_are_in_sight(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.open("/")
    ada.page.get_by_label("Language").select_option("fr")
    expect(ada.page.get_by_role("button", name="Jouer")).to_be_visible()
    ada.page.get_by_role("button", name=re.compile("Thème")).tap()
    ada.page.reload()
    expect(ada.page.get_by_role("button", name="Jouer")).to_be_visible()


def test_the_page_on_privacy_is_one_tap_away(crowd: Crowd) -> None:
    ada = crowd.person(locale="de")
    ada.open("/")
    ada.page.get_by_role("link", name="Datenschutz").click()
    expect(heading(ada)).to_have_text("Was dieser Server speichert")
    ada.page.get_by_role("link", name="Zurück zu den Spielen").click()
    expect(ada.page.get_by_role("link", name="Datenschutz")).to_be_visible()


def test_home_is_light(crowd: Crowd) -> None:
    ada = crowd.person()
    loaded: dict[str, Response] = {}
    ada.page.on("response", lambda response: loaded.update({response.url: response}))
    ada.open("/")
    expect(heading(ada)).to_be_visible()
    ada.page.wait_for_load_state("networkidle")
    sizes = {url: _size(response) for url, response in loaded.items()}
    assert sum(sizes.values()) < 100 * KILOBYTE, sizes


def _size(response: Response) -> int:
    """How many bytes it takes; fonts are compressed already."""
    body = response.body()
    return len(body) if response.url.endswith(".woff2") else len(gzip.compress(body))
