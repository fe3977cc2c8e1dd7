"""The puzzle of the day, one's own mistakes as puzzles, and one's own games."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from heckmeck.puzzles import book_of
from tests.browser.pages import PATIENCE, heading, offer
from tests.browser.people import Crowd, Person
from tests.browser.positions import finished_game
from tests.browser.screens import show

DAY = date(2026, 11, 16)


def key_for(move: str) -> str:
    """The key of a move, as at the table."""
    kind, _, face = move.partition(":")
    return face if kind == "keep" else {"roll": "r", "stop": "s", "reroll": "a"}[kind]


def test_a_puzzle_is_solved_by_keyboard_and_shared(crowd: Crowd) -> None:
    puzzle = book_of("classic").of_day(DAY)
    *_, wrong = puzzle.moves
    ada = crowd.person("keyboard")
    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.page.add_init_script("delete Navigator.prototype.share")
    ada.open("/")
    ada.press(ada.page.get_by_role("link", name="Puzzle of the day"))
    expect(heading(ada)).to_be_focused()
    ada.open(f"/puzzle/classic/{DAY}")
    expect(ada.page.get_by_role("img", name=f"Difficulty: {puzzle.stars} of 4")).to_be_visible()
    ada.page.keyboard.press(key_for(wrong))
    lost = f"{100 * puzzle.loss(wrong):.1f} points of win chance"
    expect(ada.page.locator(".remark")).to_contain_text(lost)
    show(ada.page, "puzzle")
    ada.page.keyboard.press(key_for(puzzle.solution))
    answer = ada.page.get_by_role("region", name="Right.")
    expect(answer.get_by_role("heading")).to_be_focused()
    expect(answer.locator("li.best")).to_have_count(1)
    show(ada.page, "puzzle-solved")
    ada.press(answer.get_by_role("button", name="Share"))
    expect(answer.get_by_role("button", name="Copied")).to_be_visible()
    shared = ada.page.evaluate("navigator.clipboard.readText()")
    stars = "★" * puzzle.stars
    assert shared.startswith(f"heckmeck classic puzzle {DAY}: {stars} try 2 http")
    assert shared.endswith(f"/puzzle/classic/{DAY}")
    # It is remembered, and does not count as solved on its day.
    ada.page.reload()
    expect(ada.page.get_by_text("try 2")).to_be_visible()
    expect(ada.page.get_by_text("in a row")).to_have_count(0)
    ada.press(ada.page.get_by_role("link", name="The day before"))
    expect(ada.page.get_by_label("Day", exact=True)).to_have_value("2026-11-15")
    ada.press(ada.page.get_by_role("link", name="Deluxe"))
    expect(ada.page).to_have_url(f"{ada.url}/puzzle/deluxe/2026-11-15")
    ada.open("/puzzle/classic/2020-01-01")
    expect(ada.page.get_by_text("There is no puzzle for this day")).to_be_visible()


def games_of(person: Person) -> list[dict[str, Any]]:
    """What is in the database of this device."""
    games: list[dict[str, Any]] = person.page.evaluate(
        """() => new Promise((resolve, reject) => {
          const opening = indexedDB.open('heckmeck', 1)
          opening.onerror = reject
          opening.onsuccess = () => {
            const asked = opening.result.transaction('games').objectStore('games').getAll()
            asked.onsuccess = () => { opening.result.close(); resolve(asked.result) }
          }
        })"""
    )
    return games


def test_a_game_is_kept_its_mistakes_practised_and_all_of_it_moved(
    crowd: Crowd, tmp_path: Path
) -> None:
    ada = crowd.late("classic")
    ada.play_to_the_end()
    practise = ada.page.get_by_role("link", name="Practise these mistakes")
    expect(practise).to_be_visible(timeout=PATIENCE)
    (game,) = games_of(ada)
    mistakes = game["mistakes"]
    assert mistakes
    assert game["scores"]
    # Practise: wrong once, so that it comes again today, then right.
    practise.click()
    page = ada.page
    expect(page.get_by_role("heading", level=2).first).to_contain_text("to go")
    first = mistakes[0]
    page.keyboard.press(key_for(first["move"]))
    expect(page.locator(".remark")).to_contain_text("gives away")
    page.keyboard.press(key_for(first["choices"][0]["move"]))
    expect(page.get_by_text("This one comes again today.")).to_be_visible()
    show(page, "mistakes")
    page.get_by_role("button", name="Next").press("Enter")
    expect(page.get_by_role("heading", level=2).first).to_be_focused()
    for each in [*mistakes[1:], first]:
        page.keyboard.press(key_for(each["choices"][0]["move"]))
        expect(page.get_by_text("This one comes again in 1 day.")).to_be_visible()
        page.get_by_role("button", name="Next").press("Enter")
    expect(page.get_by_text("Done for today.")).to_be_visible()
    assert {each["box"] for each in games_of(ada)[0]["mistakes"]} == {1}
    # Your games: saved as a file, deleted, and added again without doubling.
    page.get_by_role("link", name="Your games").click()
    expect(heading(ada)).to_have_text("Your games")
    expect(page.locator(".list li")).to_have_count(1)
    show(page, "your-games")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / "games.json"
    download.value.save_as(file)
    assert json.loads(file.read_text(encoding="utf-8"))["heckmeck_games"] == 1
    chooser = page.get_by_label("Add from a file")
    chooser.set_input_files(file)
    expect(page.get_by_text("0 games added.")).to_be_visible()
    page.get_by_role("button", name="Delete all").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete all").click()
    expect(page.locator(".list li")).to_have_count(0)
    chooser.set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b"{}"})
    expect(page.get_by_text("not a file that was saved on this page")).to_be_visible()
    chooser.set_input_files(file)
    expect(page.get_by_text("1 game added.")).to_be_visible()


def test_the_mistakes_of_any_record_can_be_practised(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/review")
    offer(ada, "game.heckmeck.json", finished_game("classic").encode())
    ada.page.get_by_role("radio", name="Otto").check(force=True, timeout=PATIENCE)
    ada.page.get_by_role("button", name="Practise these mistakes").click()
    expect(ada.page.get_by_text("3 mistakes to go")).to_be_visible()
    ada.open("/games")
    expect(ada.page.get_by_text("When a game at a table of yours is over")).to_be_visible()


def test_a_browser_that_keeps_nothing_says_so(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.page.add_init_script("indexedDB.open = () => { throw new Error('private') }")
    ada.open("/games")
    expect(ada.page.get_by_role("alert")).to_contain_text("This browser keeps nothing here")
    ada.open("/mistakes")
    expect(ada.page.get_by_text("There are no mistakes to practise.")).to_be_visible()
