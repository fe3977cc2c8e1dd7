"""The rules in our own words, section by section, in every language.

In the files, a sentence that states a ruling of ``docs/rulings.md`` is followed by its number, as
in ``take it. [C4]``. The numbers are not shown; a test uses them to find missing rulings.

>>> [section.id for section in rulebook("junior").sections]
['idea', 'table', 'turn', 'take', 'fail', 'end']
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

import msgspec

from heckmeck.narration.messages import languages

#: The numbers of rulings after a sentence: `` [C8]`` or `` [C8, D7]``. The web pages have the same
#: pattern, in ``web/src/learn/lessons.ts``.
CITED: Final = re.compile(r" \[([A-Z]\d+(?:, [A-Z]\d+)*)\]")


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table with a heading; all rows have the same number of cells."""

    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


#: A paragraph, the items of a list, or a table; ``**`` marks strong emphasis.
Paragraph: TypeAlias = str | tuple[str, ...] | RuleTable


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the rules; its ``id`` is the same in every language."""

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
    """Return the rules of an edition; raise `ValueError` for an unknown edition or language."""
    if language not in languages():
        raise ValueError(f"There is no language {language!r}.")
    path = files("heckmeck.narration") / "rules" / f"{language}.json"
    games = json.loads(CITED.sub("", path.read_text(encoding="utf-8")))
    if edition not in games:
        raise ValueError(f"There is no edition {edition!r:.40}. Editions: {', '.join(games)}.")
    sections = (
        Section(name, section["title"], msgspec.convert(section["text"], tuple[Paragraph, ...]))
        for name, section in games[edition]["sections"].items()
    )
    return Rulebook(edition, games[edition]["name"], tuple(sections))
