"""The words on the table: the same in all languages, with the same blanks, none for nothing."""

import json
import re
import string
from importlib.resources import files
from pathlib import Path

import pytest

from heckmeck.narration import languages
from heckmeck.narration.messages import Messages, table_words

ROOT = Path(__file__).parents[2]
FILES = files("heckmeck.narration") / "table"
LANGUAGES = list(languages())
#: What may say these words.
SPEAKERS = [
    *(ROOT / "src/heckmeck/narration").glob("*.py"),
    *(ROOT / "src/heckmeck/tui").glob("*.py"),
    *(ROOT / "src/heckmeck/cli").glob("*.py"),
    *(ROOT / "src/heckmeck/coach").glob("*.py"),
    *(ROOT / "src/heckmeck/drawing").glob("*.py"),
    *(ROOT / "src/heckmeck/server").glob("*.py"),
]


def pairs(language: str) -> list[tuple[str, str]]:
    text = (FILES / f"{language}.json").read_text(encoding="utf-8")
    told: list[tuple[str, str]] = json.loads(text, object_pairs_hook=list)
    return told


def blanks(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_keys_of_english_in_the_same_order(language: str) -> None:
    assert [key for key, _ in pairs(language)] == [key for key, _ in pairs("en")]
    assert len(dict(pairs(language))) == len(pairs(language))
    assert all(text for _, text in pairs(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_the_blanks_of_the_english_one(language: str) -> None:
    english = dict(pairs("en"))
    for key, template in pairs(language):
        assert blanks(template) == blanks(english[key]), key


def test_every_message_is_used() -> None:
    """As a whole, or by a piece of text that its key starts with."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in SPEAKERS)
    said = set(re.findall(r"""["']([a-z_]+(?:\.[\w.]+)?)["']""", source))
    begun = set(re.findall(r"""f["']([a-z_.]+\.)\{""", source))
    counted = {f"{key}.{form}" for key in said for form in ("one", "other")}
    unused = [
        key
        for key, _ in pairs("en")
        if key not in said | counted and not any(key.startswith(start) for start in begun)
    ]
    assert unused == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_words_fit_on_a_tile(language: str) -> None:
    for key, text in pairs(language):
        if re.match(r"short\.(apple|canned|golden|hen|raven|weasel|face\..)$", key):
            assert len(text) <= 7, (key, text)
    assert len(dict(pairs(language))["short.snail"]) <= 6


def test_counts_choose_the_form() -> None:
    assert table_words("en").count("worms", 1) == "1 worm"
    assert table_words("fr").count("worms", 0) == "0 ver"
    assert Messages("de", "table").count("worms", 2) == "2 Würmer"
