"""What the learn pages show and say of their examples is what the rules make of them."""

import pytest

from heckmeck.narration import languages
from heckmeck.narration.rulebook import CITED
from tests.rulings import CHAPTERS, rulings
from tests.web.examples import PLAYED, all_played, read_learn


def test_the_examples_are_played_as_the_rules_have_it() -> None:
    """After a change to the examples or to states: ``python -m tests.web.examples``."""
    assert PLAYED.read_text(encoding="utf-8") == all_played()


def cited(language: str) -> dict[str, list[str]]:
    """The rulings that each example shows, as its last words cite them."""
    texts = read_learn(f"{language}.json")["examples"]
    return {name: CITED.findall(text["after"]) for name, text in texts.items()}


@pytest.mark.parametrize("language", languages())
def test_every_example_cites_what_it_shows(language: str) -> None:
    assert cited(language) == cited("en")
    for name, example in read_learn("examples.json").items():
        numbers = ", ".join(cited(language)[name]).split(", ")
        wrong = [n for n in numbers if n not in rulings(CHAPTERS[example["edition"]])]
        assert not wrong, f"{name} cites {wrong}, not rulings of {example['edition']}"
