"""The rules in our own words leave no ruling out and agree with what is in the box."""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import product
from typing import Final

import pytest

from heckmeck.narration import languages
from heckmeck.narration.rulebook import CITED, Paragraph, RuleTable, rulebook
from heckmeck.rules import EDITIONS
from heckmeck.rules.components import (
    BARBECUE_PLAYERS,
    BARBECUE_SPOTS,
    CLASSIC_PLAYERS,
    CLASSIC_TILES,
    DELUXE_PLAYERS,
    DELUXE_TILES,
    JUNIOR_PLAYERS,
    JUNIOR_TILES,
    SPECIALISTS_AT_START,
)
from tests.rulings import CHAPTERS, DOCS, rulings

EVERY: Final = [*product(EDITIONS, languages())]
#: Rulings of which an edition's texts need not speak, and why.
NOT_TOLD: Final = {
    ("barbecue", "T9"): "there are no stacks of tiles",
}
WORMS: Final[dict[str, Mapping[int, int]]] = {
    "classic": CLASSIC_TILES,
    "deluxe": DELUXE_TILES,
    "barbecue": BARBECUE_SPOTS,
    "junior": JUNIOR_TILES,
}


def cited(edition: str, language: str) -> dict[str, set[str]]:
    """The rulings that each section of an edition's texts states."""
    path = files("heckmeck.narration") / "rules" / f"{language}.json"
    sections = json.loads(path.read_text(encoding="utf-8"))[edition]["sections"]
    return {
        name: {number for found in CITED.findall(json.dumps(text)) for number in found.split(", ")}
        for name, text in sections.items()
    }


def told(edition: str, language: str) -> set[str]:
    """The rulings that the texts of an edition state."""
    return set().union(*cited(edition, language).values())


def test_rulings_are_cited_by_number() -> None:
    assert cited("junior", "en")["end"] == {"J6"}
    assert CITED.findall("Most worms win. [C9, D16] That is all.") == ["C9, D16"]


@pytest.mark.parametrize(("edition", "language"), EVERY)
def test_every_ruling_is_told(edition: str, language: str) -> None:
    needed = [n for n in rulings(CHAPTERS[edition]) if (edition, n) not in NOT_TOLD]
    missing = [number for number in needed if number not in told(edition, language)]
    assert not missing, f"rules/{language}.json, {edition}: nothing states {', '.join(missing)}"


@pytest.mark.parametrize(("edition", "language"), EVERY)
def test_every_number_is_a_ruling_of_the_edition(edition: str, language: str) -> None:
    wrong = sorted(told(edition, language) - set(rulings(CHAPTERS[edition])))
    assert not wrong, (
        f"rules/{language}.json, {edition}: docs/rulings.md has no {', '.join(wrong)} for it"
    )


@pytest.mark.parametrize(("edition", "number"), NOT_TOLD)
def test_what_need_not_be_told_is_not(edition: str, number: str) -> None:
    assert number in rulings(CHAPTERS[edition])
    assert number not in told(edition, "en")


@pytest.mark.parametrize(("edition", "language"), EVERY)
def test_every_language_states_the_same_rulings_in_a_section(edition: str, language: str) -> None:
    assert cited(edition, language) == cited(edition, "en")


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_page_of_an_edition_cites_its_rulings(edition: str) -> None:
    page = (DOCS / "rules" / f"{edition}.md").read_text("utf-8")
    missing = [n for n in rulings(CHAPTERS[edition][-1]) if f"`{n}`" not in page]
    assert not missing, f"docs/rules/{edition}.md does not cite {', '.join(missing)}"


def words(paragraph: Paragraph) -> Iterator[str]:
    """All pieces of text of a paragraph."""
    if isinstance(paragraph, str):
        yield paragraph
    elif isinstance(paragraph, RuleTable):
        yield from paragraph.heading
        for row in paragraph.rows:
            yield from row
    else:
        yield from paragraph


@pytest.mark.parametrize(("edition", "language"), EVERY)
def test_readers_see_no_numbers_of_rulings(edition: str, language: str) -> None:
    for part in rulebook(edition, language).sections:
        for text in (text for paragraph in part.text for text in words(paragraph)):
            assert not re.search(r"[\[\]]|\b[TCDBJ]\d+\b", text), text
            assert text == text.strip()
            assert "  " not in text


def tables(edition: str, language: str) -> list[RuleTable]:
    """The tables of an edition's rules."""
    parts = rulebook(edition, language).sections
    return [text for part in parts for text in part.text if isinstance(text, RuleTable)]


def numbers(cell: str) -> list[int]:
    """``21-24``, with a dash, or ``23, 24``: the numbers meant."""
    first, *rest = map(int, re.findall(r"\d+", cell))
    return [*range(first, rest[0] + 1)] if "\N{EN DASH}" in cell else [first, *rest]


@pytest.mark.parametrize(("edition", "language"), EVERY)
def test_the_worms_on_every_tile_or_spot(edition: str, language: str) -> None:
    worms = tables(edition, language)[0]
    assert {n: int(count) for cell, count in worms.rows for n in numbers(cell)} == WORMS[edition]


@pytest.mark.parametrize("language", languages())
def test_who_stands_where(language: str) -> None:
    titles = {part.id: part.title for part in rulebook("deluxe", language).sections}
    standing = {int(tile): name for tile, name in tables("deluxe", language)[1].rows}
    assert list(standing) == list(SPECIALISTS_AT_START)
    for tile, specialist in SPECIALISTS_AT_START.items():
        assert standing[tile].casefold() == titles[specialist].casefold()


@pytest.mark.parametrize("language", languages())
def test_how_many_play(language: str) -> None:
    """Editions for as many players say so in the same words; others do not."""
    players = {
        "classic": CLASSIC_PLAYERS,
        "deluxe": DELUXE_PLAYERS,
        "barbecue": BARBECUE_PLAYERS,
        "junior": JUNIOR_PLAYERS,
    }
    said = {}
    for edition in EDITIONS:
        table = next(part for part in rulebook(edition, language).sections if part.id == "table")
        assert isinstance(table.text[0], str)
        said[edition] = table.text[0].split("**")[1]
    for one, other in product(EDITIONS, repeat=2):
        assert (said[one] == said[other]) == (players[one] == players[other])
