"""The rules in our own words, section by section, in every language.

>>> [section.id for section in rulebook("junior").sections]
['idea', 'table', 'turn', 'take', 'fail', 'end']
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from heckmeck.narration.messages import languages

#: A paragraph, or the items of a list; ``**`` stands around strong words.
Paragraph: TypeAlias = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the rules; ``id`` is the same in every language."""

    id: str
    title: str
    text: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of one edition in one language."""

    edition: str
    name: str
    sections: tuple[Section, ...]


@cache
def rulebook(edition: str, language: str = "en") -> Rulebook:
    """Return the rules of an edition; one, or a language, that there is not is a `ValueError`."""
    if language not in languages():
        raise ValueError(f"There is no language {language!r}.")
    path = files("heckmeck.narration") / "rules" / f"{language}.json"
    games = json.loads(path.read_text(encoding="utf-8"))
    if edition not in games:
        raise ValueError(f"There is no edition {edition!r:.40}. There are {', '.join(games)}.")
    game = games[edition]
    sections = (
        Section(name, section["title"], tuple(map(_paragraph, section["text"])))
        for name, section in game["sections"].items()
    )
    return Rulebook(edition, game["name"], tuple(sections))


def _paragraph(text: str | list[str]) -> Paragraph:
    return text if isinstance(text, str) else tuple(text)
