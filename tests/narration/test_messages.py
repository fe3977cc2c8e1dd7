"""The files of messages: each message is used, none is missing, and all languages say the same."""

import json
import re
import string
from importlib.resources import files

import pytest

from heckmeck.narration import Narrator, languages
from heckmeck.narration.messages import Messages, messages_in
from tests.narration.every_event import EVENT_CLASSES, every_event

FILES = files("heckmeck.narration") / "messages"
LANGUAGES = list(languages())
NAMES = ("Ada", "Ben", "Cleo")
#: The blanks that hold what people call themselves.
NAME_BLANKS = "seat|thief|victims?|winners"


def pairs(language: str) -> list[tuple[str, str]]:
    """Every key with its message, as the file has them."""
    path = FILES / f"{language}.json"
    told: list[tuple[str, str]] = json.loads(
        path.read_text(encoding="utf-8"), object_pairs_hook=list
    )
    return told


def blanks(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


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


def test_every_language_has_its_own_name() -> None:
    assert languages() == {
        "en": "English",
        "de": "Deutsch",
        "fr": "Français",
        "it": "Italiano",
        "nl": "Nederlands",
        "es": "Español",
    }


def test_every_language_has_a_file_and_every_file_a_language() -> None:
    assert {path.name for path in FILES.iterdir()} == {f"{name}.json" for name in LANGUAGES}


@pytest.mark.parametrize("language", ["", "xx", "EN", "de_DE", "../messages/en"])
def test_a_language_that_we_do_not_speak_is_refused_with_those_we_do(language: str) -> None:
    with pytest.raises(
        ValueError, match=r"^There is no language '.*'\. The languages are: en, de, "
    ):
        Narrator(NAMES, language)


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
    for you in (None, 0):
        narrator = Narrator(NAMES, language, you)
        narrator.start(0)
        for event in every_event():
            narrator.event(event)
    assert used == Messages(language).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_there_twice(language: str) -> None:
    assert len(pairs(language)) == len(dict(pairs(language)))
    assert all(template for _, template in pairs(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_blank_has_a_name(language: str) -> None:
    assert all(name.isidentifier() for _, text in pairs(language) for name in blanks(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_keys_of_english_in_the_same_order(language: str) -> None:
    assert [key for key, _ in pairs(language)] == [key for key, _ in pairs("en")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_the_blanks_of_the_english_one(language: str) -> None:
    english = dict(pairs("en"))
    for key, template in pairs(language):
        assert blanks(template) == blanks(english[key]), key


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_no_sentence_bends_a_name(language: str) -> None:
    """Names can be anything: no ending hangs on them, no word before them depends on their sound.

    French "de" and "que" would: d'Ada, but de Ben.
    """
    bent = re.compile(
        rf"\b(de|que) \{{({NAME_BLANKS})\}}|\{{({NAME_BLANKS})\}}[\w']", re.IGNORECASE
    )
    assert [key for key, template in pairs(language) if bent.search(template)] == []


def test_french_has_a_space_before_a_colon_and_no_line_breaks_there() -> None:
    for key, template in pairs("fr"):
        assert not re.search(r"[^\u00a0]:|[;!?]", template), key


def test_a_missing_message_is_an_error_and_no_empty_sentence() -> None:
    with pytest.raises(KeyError, match=r"tile_eaten"):
        Messages("en").say("tile_eaten")


@pytest.mark.parametrize(
    ("language", "zero", "one", "two"),
    [
        ("en", "0 worms", "1 worm", "2 worms"),
        ("de", "0 Würmer", "1 Wurm", "2 Würmer"),
        ("fr", "0 ver", "1 ver", "2 vers"),
        ("it", "0 vermi", "1 verme", "2 vermi"),
        ("nl", "0 wormen", "1 worm", "2 wormen"),
        ("es", "0 gusanos", "1 gusano", "2 gusanos"),
    ],
)
def test_worms_are_counted_as_the_language_counts(
    language: str, zero: str, one: str, two: str
) -> None:
    told = [Messages(language).count("worms", count) for count in range(3)]
    assert told == [zero, one, two]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [2, 3, 10, 11, 21, 36, 101])
def test_many_are_many_in_every_language(language: str, count: int) -> None:
    assert messages_in(language).plural(count) == "other"


def test_a_language_is_read_once() -> None:
    assert messages_in("en") is messages_in("en")


@pytest.mark.parametrize(
    ("items", "told"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c", "d"], "a, b, c and d")],
)
def test_a_list_is_told_with_an_and(items: list[str], told: str) -> None:
    assert Messages("en").listed(items) == told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "a, b und c"),
        ("fr", "a, b et c"),
        ("it", "a, b e c"),
        ("nl", "a, b en c"),
        ("es", "a, b y c"),
    ],
)
def test_a_list_is_told_with_the_and_of_its_language(language: str, told: str) -> None:
    assert Messages(language).listed(["a", "b", "c"]) == told


@pytest.mark.parametrize(
    ("language", "items", "told"),
    [
        ("it", ["Ada", "Elio"], "Ada ed Elio"),
        ("it", ["Ada", "Ivo"], "Ada e Ivo"),
        ("es", ["Ada", "Iván"], "Ada e Iván"),
        ("es", ["Ada", "Íñigo"], "Ada e Íñigo"),
        ("es", ["Ada", "Hilario"], "Ada e Hilario"),
        ("es", ["Ada", "Hierro"], "Ada y Hierro"),
        ("es", ["Ada", "Yago"], "Ada y Yago"),
        ("es", ["Ada", "Ben", "Ines"], "Ada, Ben e Ines"),
    ],
)
def test_an_and_sounds_right_before_the_next_word(
    language: str, items: list[str], told: str
) -> None:
    assert Messages(language).listed(items) == told


@pytest.mark.parametrize(
    ("last", "told"),
    [
        ("Óscar", "Ada u Óscar"),
        ("Hortensia", "Ada u Hortensia"),
        ("Ben", "Ada o Ben"),
        ("8", "Ada u 8"),
        ("11", "Ada u 11"),
        ("110", "Ada o 110"),
    ],
)
def test_a_spanish_or_sounds_right_before_the_next_word(last: str, told: str) -> None:
    assert Messages("es", "table").say("plain.or", first="Ada", last=last) == told
