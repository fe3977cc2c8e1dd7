"""No text of any language slips back into what its editors struck out."""

import re

import pytest

from heckmeck.narration import languages
from tests.narration.wording import (
    FACTS,
    FLAT,
    FOLDERS,
    NAMES,
    SEVERAL,
    texts,
    wrong_space_before,
)

LANGUAGES = list(FACTS)


def test_every_language_has_its_facts_and_its_files() -> None:
    assert set(FACTS) == set(languages())
    for folder in FOLDERS.values():
        assert {f"{language}.json" for language in FACTS} <= {
            path.name for path in folder.iterdir()
        }


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_are_typographic(language: str) -> None:
    assert [str(each) for each in texts(language) if "'" in each.text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_spaces_are_single_and_inside(language: str) -> None:
    loose = re.compile(r"[ \u00a0\u202f]{2}|^\s|\s$|\s[,.)]|\(\s")
    assert [str(each) for each in texts(language) if loose.search(each.text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_marks_stand_after_the_space_that_their_language_wants(language: str) -> None:
    facts = FACTS[language]
    assert [str(each) for each in texts(language) if wrong_space_before(facts, each.text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_and_cries_are_opened_where_their_language_does_that(language: str) -> None:
    marks = "¿¡" if not FACTS[language].opened else ""
    assert [str(each) for each in texts(language) if set(marks) & set(each.text)] == []
    for first, last in FACTS[language].opened:
        wrong = [
            str(each) for each in texts(language) if each.text.count(first) != each.text.count(last)
        ]
        assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_ellipsis_is_one_sign_where_its_language_wants_it(language: str) -> None:
    space = FACTS[language].ellipsis
    wrong = re.compile(rf"\.\.\.|(?<!{space})…" if space else r"\.\.\.|\s…")
    assert [str(each) for each in texts(language) if wrong.search(each.text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_bends_a_name(language: str) -> None:
    """Names can be anything: no word before them depends on their sound, sex or number."""
    facts = FACTS[language]
    bent = []
    for each in texts(language):
        for name in NAMES.get(each.folder, ()):
            before = rf"(?i:\b({facts.bending})\s|\b\w*[’'])\{{{name}\}}"
            own = (
                "" if name in SEVERAL else f"(?!{facts.after_name}\\b)" if facts.after_name else ""
            )
            after = rf"\{{{name}\}}{own}[\w’'-]"
            if re.search(f"{before}|{after}", each.text):
                bent.append(str(each))
    assert bent == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_is_counted_too(language: str) -> None:
    """French says 0 in the singular: "1 escargot" for an empty supply."""
    told = {(each.folder, each.key): each for each in texts(language) if each.folder in FLAT}
    missing = [
        str(one)
        for (folder, key), one in told.items()
        if key.endswith(".one")
        and "count" in told[folder, f"{key.removesuffix('.one')}.other"].blanks() - one.blanks()
    ]
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_word_says_one_thing(language: str) -> None:
    unprinted = re.compile(rf"\b({FACTS[language].unprinted})\b", re.IGNORECASE)
    assert [str(each) for each in texts(language) if unprinted.search(each.words())] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same(language: str) -> None:
    """The same texts, with the same blanks."""
    english = {(each.folder, each.key): each.blanks() for each in texts("en")}
    own = {(each.folder, each.key): each.blanks() for each in texts(language)}
    flat = {where: blanks for where, blanks in own.items() if where[0] in FLAT}
    assert flat == {where: blanks for where, blanks in english.items() if where[0] in FLAT}
