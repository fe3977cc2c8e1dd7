"""The rules, told and played."""

import json
import re
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, expect

from heckmeck.record import read_record, replay
from heckmeck.rules import EDITIONS
from heckmeck.rules.components import SPECIALISTS_AT_START
from tests.browser.pages import EXAMPLES, LANGUAGES, PATIENCE, RULES
from tests.browser.people import Crowd

TIMES: Final = "\N{MULTIPLICATION SIGN}"


def example_record(name: str, language: str) -> dict[str, Any]:
    """The game of an example."""
    example = EXAMPLES[name]
    return {
        "heckmeck": 1,
        "edition": example["edition"],
        "seats": RULES[language]["examples"][name]["names"],
        "first": example["first"],
        "options": {},
        "moves": f"{example['before']} {example['moves']}".split(),
    }


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_follows_the_rules(name: str) -> None:
    record = read_record(json.dumps(example_record(name, "en")).encode())
    before = len(EXAMPLES[name]["before"].split())
    states = [record.start(), *(step.state for step in replay(record))]
    assert {state.seat for state in states[before:-1]} == {EXAMPLES[name]["hero"]}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_example_can_be_played(crowd: Crowd, edition: str) -> None:
    ada = crowd.person()
    ada.open(f"/learn/{edition}")
    for name, played in EXAMPLES.items():
        if played["edition"] == edition:
            texts = RULES["en"]["examples"][name]
            example = ada.page.get_by_role("article", name=texts["title"], exact=True)
            example.get_by_role("button", name="Try it").click()
            for word in played["moves"].split():
                if not word.startswith("="):
                    choice(example, word).click(timeout=PATIENCE)
                    assert is_a_column(example.locator(".scene")), f"{name}: {word}"
            expect(example.locator(".told")).to_contain_text(texts["after"])
            example.get_by_role("button", name="Once more").click()
            hero = texts["names"][played["hero"]]
            expect(example.locator(".told")).to_contain_text(f"You are {hero}.")


def is_a_column(scene: Locator) -> bool:
    """Whether grill, players, dice and words lie one below the other, each as wide as there is room."""
    column: bool = scene.evaluate("""(scene) => {
      const {left, right} = scene.getBoundingClientRect()
      let end = -Infinity
      return [...scene.children].map((part) => part.getBoundingClientRect()).every((place) => {
        const below = place.top >= end
        end = place.bottom
        return below && place.left <= left + 1 && place.right >= right - 1
      })
    }""")
    return column


def choice(example: Locator, word: str) -> Locator:
    """The button for a move."""
    kind, _, what = word.partition(":")
    names = {"W": "worm", "B": "bun", "C": "cheese", "G": "gherkin", "K": "ketchup"}
    match kind:
        case "keep":
            face = names.get(what, what)
            return example.get_by_role("button", name=re.compile(f"{TIMES} {face}: keep"))
        case "roll":
            dice = "with the golden die" if what else r"\d"
            return example.get_by_role("button", name=re.compile(f"^roll {dice}", re.IGNORECASE))
        case "reroll":
            return example.get_by_role("button", name=re.compile("^weasel$", re.IGNORECASE))
        case "return":
            return example.get_by_role("button", name=re.compile(f"^{what} back", re.IGNORECASE))
        case _:
            return example.locator(".btn.primary")


def test_another_choice_is_talked_about(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.open("/learn/classic#turn")
    example = ada.page.get_by_role("article", name="Thomas stops in time", exact=True)
    example.get_by_role("button", name="Try it").tap()
    choice(example, "roll").tap(timeout=PATIENCE)
    choice(example, "keep:1").tap()
    expect(example.locator(".told .remark")).to_contain_text("keep three 4s")
    choice(example, "keep:4").tap()
    expect(example.locator(".told")).to_contain_text(re.compile("keeps? three 4s: 12"))


def test_an_example_goes_on_against_a_bot(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/learn/junior")
    example = ada.page.get_by_role("article", name=re.compile("Example B"))
    example.get_by_role("button", name="Try it").click()
    for word in ("roll", "keep:G", "roll", "keep:K"):
        choice(example, word).click(timeout=PATIENCE)
    example.get_by_role("button", name="Play on against a bot").click()
    expect(ada.page.locator(".seats .seat")).to_have_count(1)


def test_a_rule_in_question_is_opened_at_its_anchor(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.open("/learn/deluxe#weasel")
    weasel = ada.page.get_by_role("heading", name="Weasel", exact=True)
    expect(weasel).to_be_focused()
    expect(weasel).to_be_in_viewport()


def test_the_pieces_of_deluxe_show_who_stands_where(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.open("/learn/deluxe")
    pieces = ada.page.locator("#rule-table .pieces")
    for number, specialist in SPECIALISTS_AT_START.items():
        label = re.compile(f"^Tile {number}, .*{specialist}", re.IGNORECASE)
        tile = pieces.locator(".slot", has=ada.page.get_by_role("img", name=label))
        expect(tile.locator(".fig")).to_be_visible()
    expect(pieces.locator(".fig")).to_have_count(len(SPECIALISTS_AT_START))


def test_the_pieces_lie_in_their_box_on_the_smallest_phone(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.page.set_viewport_size({"width": 320, "height": 640})
    for edition in EDITIONS:
        ada.open(f"/learn/{edition}")
        pieces = ada.page.locator("#rule-table .pieces")
        expect(pieces).to_be_visible()
        outside = pieces.evaluate("""(box) => {
          const {left, right} = box.getBoundingClientRect()
          return [...box.querySelectorAll('[role=img]')].filter((piece) => {
            const place = piece.getBoundingClientRect()
            return place.left < left || place.right > right
          }).map((piece) => piece.ariaLabel)
        }""")
        assert outside == [], f"{edition}: {outside}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_told_in_every_language(crowd: Crowd, language: str) -> None:
    ada = crowd.person(locale=language)
    for edition, game in RULES[language]["games"].items():
        ada.open(f"/learn/{edition}")
        for section in game["sections"].values():
            expect(
                ada.page.get_by_role("heading", name=section["title"], exact=True)
            ).to_be_visible()
