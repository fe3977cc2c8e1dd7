"""The end of a game: how it came about, sharing it, checking its dice."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from heckmeck.record import final_state, read_record
from heckmeck.rules import game_at, outcome
from tests.browser.pages import PATIENCE, heading
from tests.browser.people import Crowd, Person
from tests.browser.positions import NAMES, finished_game, tied_game
from tests.browser.screens import show


def at_the_end(crowd: Crowd) -> Person:
    """Ada after a game against a bot."""
    ada = crowd.host(bots=["rooster"], edition="junior", seats=2)
    ada.sit("Ada")
    ada.page.get_by_text("More settings").click()
    ada.page.get_by_label("Your lucky words").fill("seven fat worms")
    ada.page.keyboard.press("Tab")
    ada.start()
    ada.play_to_the_end()
    return ada


def test_every_die_is_worked_out_again(crowd: Crowd) -> None:
    ada = at_the_end(crowd)
    expect(ada.page.locator(".hero h2")).to_be_focused()
    ada.page.get_by_role("button", name="Check the dice").click()
    sheet = ada.page.get_by_role("dialog", name="Check the dice")
    expect(sheet.get_by_role("status")).to_have_text(
        re.compile(r"Fair\. \d+ dice in \d+ rolls, worked out again on this device")
    )
    expect(sheet).to_contain_text("seven fat worms")
    expect(sheet).not_to_contain_text("did not show")
    show(ada.page, "sheet-dice")
    ada.page.keyboard.press("Escape")
    expect(ada.page.get_by_role("button", name="Check the dice")).to_be_focused()
    # As if the server had promised another seed before the game.
    ada.page.evaluate(
        """() => {
          const tables = JSON.parse(localStorage.getItem('heckmeck.tables'))
          tables[0].noted.commitment = '0'.repeat(64)
          localStorage.setItem('heckmeck.tables', JSON.stringify(tables))
        }"""
    )
    ada.page.keyboard.press("Enter")
    expect(sheet.get_by_role("status")).to_contain_text("not the ones this device saw")


def test_the_end_tells_how_it_came_about(crowd: Crowd) -> None:
    ada = crowd.at_the_end("deluxe")
    chart = ada.page.locator(".course").get_by_role("img").first
    expect(chart).to_be_visible(timeout=PATIENCE)
    rows = ada.page.locator(".course table tbody tr")
    expect(rows).to_have_count(4)
    chart.click(position={"x": 200, "y": 60})
    expect(heading(ada)).to_have_text("Review")
    expect(ada.page.get_by_role("slider")).not_to_have_value("0", timeout=PATIENCE)


@pytest.mark.parametrize("edition", ["classic", "deluxe", "barbecue", "junior"])
def test_the_score_is_that_of_the_rules(crowd: Crowd, edition: str) -> None:
    end = outcome(final_state(read_record(finished_game(edition).encode())))
    assert end is not None
    ada = crowd.at_the_end(edition)
    rows = ada.page.locator(".score tbody tr")
    order = [seat for place in end.ranking for seat in place]
    expect(rows.locator(".nm > span")).to_have_text([NAMES[seat] for seat in order])
    for place, seat in enumerate(order):
        worms = [str(line.worms or "–") for line in end.sheets[seat]]
        expect(rows.nth(place).locator("td:not(.tl, .tot)")).to_have_text(worms)


@pytest.mark.parametrize(
    ("edition", "words", "why"),
    [
        ("deluxe", "highest tile {}", "the highest tile decides"),
        ("barbecue", "highest plate on {}", "the plate on the highest spot decides"),
    ],
)
def test_a_broken_tie_says_what_broke_it(crowd: Crowd, edition: str, words: str, why: str) -> None:
    state = final_state(read_record(tied_game(edition).encode()))
    numbers = game_at(state.table).tie_breaks(state.table)
    ada = crowd.after(tied_game(edition))
    expect(ada.page.locator(".hero .why")).to_contain_text(why)
    told = ada.page.locator(".score tbody tr small")
    expect(told).to_have_text([words.format(n) for n in sorted(numbers, reverse=True) if n])


def test_a_link_shows_its_game_after_a_rematch(crowd: Crowd, tmp_path: Path) -> None:
    ada = crowd.late("junior")
    ada.play_to_the_end()
    expect(ada.page.get_by_role("link", name="Practise these mistakes")).to_be_visible(
        timeout=PATIENCE
    )
    ada.page.get_by_role("button", name="Share").click()
    link = ada.page.get_by_role("textbox", name="Link to this game").input_value()
    ada.page.keyboard.press("Escape")
    ada.page.get_by_role("button", name="Rematch").click()
    expect(ada.page.locator(".grill")).to_be_visible()
    ada.open("/games")
    for person in (ada, crowd.person("phone")):
        if person is ada:
            ada.page.locator(".list a").click()
        else:
            person.page.goto(link)
        expect(person.page.get_by_role("slider")).to_be_visible(timeout=PATIENCE)
        person.page.keyboard.press("End")
        with person.page.expect_download() as download:
            person.press(person.page.get_by_role("link", name="Save the record"))
        file = tmp_path / "game.json"
        download.value.save_as(file)
        assert outcome(final_state(read_record(file.read_bytes()))) is not None


def test_links_are_copied_where_there_is_no_https(crowd: Crowd) -> None:
    """At http://192.168.… browsers have no clipboard for pages; a selection can be copied."""
    ada = crowd.person()
    ada.page.add_init_script("delete Navigator.prototype.clipboard")
    ada.open(crowd.table(bots=["chick"], edition="classic", seats=2)["path"])
    ada.page.get_by_role("button", name="Copy").click()
    expect(ada.page.get_by_role("button", name="Copied")).to_be_focused()
    name = ada.page.get_by_label("Your name")
    name.fill("")
    name.press("Control+V")
    expect(name).to_have_value(re.compile("^http"))


def test_a_game_is_shared(crowd: Crowd) -> None:
    ada = crowd.at_the_end("classic")
    ada.page.get_by_role("button", name="Share").click()
    link = ada.page.get_by_role("textbox", name="Link to this game").input_value()
    ada.page.evaluate("delete Navigator.prototype.clipboard")
    ada.page.get_by_role("button", name="Copy embed code").click()
    expect(ada.page.get_by_role("button", name="Copied")).to_be_visible()
    with ada.page.expect_download() as download:
        ada.page.get_by_role("link", name="Save the record").click()
    assert download.value.suggested_filename.endswith(".json")
    eve = crowd.person("phone")
    eve.page.goto(link)
    expect(eve.page.get_by_role("slider")).to_be_visible(timeout=PATIENCE)


def test_the_rules_open_at_the_rule_in_question(crowd: Crowd) -> None:
    ada = crowd.at_moment("weasel", "phone")
    ada.page.get_by_role("link", name="Rules of this game").tap()
    weasel = ada.page.get_by_role("heading", name="Weasel", exact=True)
    expect(weasel).to_be_focused()
    expect(weasel).to_be_in_viewport()
    ada.page.get_by_role("link", name="Back to the table").tap()
    expect(ada.page.get_by_role("button", name="Weasel: roll again")).to_be_visible()
