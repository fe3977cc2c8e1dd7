"""The file of messages: each is used, none is missing."""

import json
import string
from importlib.resources import files

import pytest

from heckmeck.narration import Narrator
from heckmeck.narration.messages import Messages, messages_in
from tests.narration.every_event import EVENT_CLASSES, every_event

LANGUAGES = [
    path.name.removesuffix(".json") for path in (files("heckmeck.narration") / "messages").iterdir()
]
NAMES = ("Ada", "Ben", "Cleo")


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The keys that were asked for since the test began."""
    keys: set[str] = set()
    say = Messages.say

    def say_and_note(self: Messages, key: str, **blanks: str | int) -> str:
        keys.add(key)
        return say(self, key, **blanks)

    monkeypatch.setattr(Messages, "say", say_and_note)
    return keys


def test_english_is_among_the_languages() -> None:
    assert "en" in LANGUAGES


def test_there_is_an_event_of_every_class() -> None:
    assert {type(event) for event in every_event()} == set(EVENT_CLASSES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_sentence_in_every_form(language: str) -> None:
    narrator = Narrator(NAMES, language)
    for event in every_event():
        sentence = narrator.event(event)
        assert sentence.endswith("."), (event, sentence)
        assert sentence[0].isupper() or sentence[0].isdigit(), (event, sentence)
        assert not set("{}<>_") & set(sentence), (event, sentence)
        assert "  " not in sentence, (event, sentence)
        assert "None" not in sentence, (event, sentence)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_used(language: str, used: set[str]) -> None:
    narrator = Narrator(NAMES, language)
    for event in every_event():
        narrator.event(event)
    assert used == Messages(language).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_there_twice(language: str) -> None:
    path = files("heckmeck.narration") / "messages" / f"{language}.json"
    pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    assert len(pairs) == len(dict(pairs))
    assert all(isinstance(template, str) and template for _, template in pairs)


def blanks(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_blank_has_a_name(language: str) -> None:
    path = files("heckmeck.narration") / "messages" / f"{language}.json"
    messages: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    assert all(name.isidentifier() for text in messages.values() for name in blanks(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_keys_of_english(language: str) -> None:
    assert Messages(language).keys() == Messages("en").keys()


def test_a_missing_message_is_an_error_and_no_empty_sentence() -> None:
    with pytest.raises(KeyError, match=r"tile_eaten"):
        Messages("en").say("tile_eaten")


def test_a_language_is_read_once() -> None:
    assert messages_in("en") is messages_in("en")


@pytest.mark.parametrize(
    ("items", "told"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c", "d"], "a, b, c and d")],
)
def test_a_list_is_told_with_an_and(items: list[str], told: str) -> None:
    assert Messages("en").listed(items) == told
