"""The pages around the table, as somebody opens them."""

import json
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import FilePayload, Locator, expect

from heckmeck.narration import languages
from heckmeck.narration.rulebook import CITED
from tests.browser.people import Person
from tests.browser.positions import moment

LANGUAGES: Final = (*languages(),)
_ROOT: Final = Path(__file__).parents[2]
_LEARN: Final = _ROOT / "web" / "src" / "learn"
_GAMES: Final = _ROOT / "src" / "heckmeck" / "narration" / "rules"
#: The examples that can be played on the pages of rules, and what those pages say.
EXAMPLES: Final[dict[str, dict[str, Any]]] = json.loads(
    (_LEARN / "examples.json").read_text(encoding="utf-8")
)


def _told(path: Path) -> dict[str, Any]:
    """Return what a file says, as people read it."""
    told: dict[str, Any] = json.loads(CITED.sub("", path.read_text(encoding="utf-8")))
    return told


RULES: Final[dict[str, dict[str, Any]]] = {
    language: {
        "games": _told(_GAMES / f"{language}.json"),
        **_told(_LEARN / f"{language}.json"),
    }
    for language in LANGUAGES
}
#: The first review or odds of a server wait until its solver is there.
PATIENCE: Final = 60_000


def heading(person: Person) -> Locator:
    """The page's name."""
    return person.page.get_by_role("heading", level=1)


def open_home(person: Person) -> None:
    """Come to the start page."""
    person.open("/")
    expect(heading(person)).to_be_visible()


def open_review(person: Person, name: str) -> None:
    """Open the record of a game that has come to the moment of this name."""
    person.open("/review")
    offer(person, "game.heckmeck.json", moment(name).encode())
    expect(person.page.get_by_role("slider")).to_be_visible(timeout=PATIENCE)


def offer(person: Person, name: str, content: bytes) -> None:
    """Choose a file."""
    file = FilePayload(name=name, mimeType="text/plain", buffer=content)
    person.page.locator("input[type=file]").set_input_files([file])


def open_decision(person: Person, name: str) -> None:
    """Look at one of the decisions in a game."""
    open_review(person, name)
    person.page.locator(".all input").check()
    person.page.locator(".decision button").nth(4).click()


def open_example(person: Person, edition: str) -> None:
    """Throw the dice of the first example in a game's rules."""
    person.open(f"/learn/{edition}")
    example = person.page.locator("article.example").first
    person.press(example.locator("button.try"))
    example.locator(".choices .btn").first.click(timeout=PATIENCE)
    expect(example.locator(".take").first).to_be_visible()


def open_odds(person: Person, search: str) -> None:
    """See the odds of a turn."""
    person.open(f"/odds{search}")
    expect(person.page.locator(".chances li").first).to_be_visible(timeout=PATIENCE)
