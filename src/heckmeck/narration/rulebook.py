"""The rules in our own words, section by section, in every language.

In the files, a sentence that states a ruling of ``docs/rulings.md`` is followed by its number, as
in ``take it. [C4]``. The numbers are not shown; a test uses them to find missing rulings.

>>> [section.id for section in rulebook("junior").sections]
['idea', 'table', 'turn', 'take', 'fail', 'end']
>>> sorted(rulebook("junior").sections[-1].rulings)
['J6']
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from heckmeck.narration.messages import languages

#: The numbers of rulings after a sentence: `` [C8]`` or `` [C8, D7]``. The web pages have the same
#: pattern, in ``web/src/learn/lessons.ts``.
CITED: Final = re.compile(r" \[([A-Z]\d+(?:, [A-Z]\d+)*)\]")


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a heading; all rows have the same number of cells."""

    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


#: A paragraph, the items of a list, or a table; ``**`` marks strong emphasis.
Paragraph: TypeAlias = str | tuple[str, ...] | Table


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the rules; its ``id`` and rulings are the same in every language."""

    id: str
    title: str
    text: tuple[Paragraph, ...]
    rulings: frozenset[str]


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
    games = json.loads(path.read_text(encoding="utf-8"))
    if edition not in games:
        raise ValueError(f"There is no edition {edition!r:.40}. Editions: {', '.join(games)}.")
    game = games[edition]
    sections = (_section(name, section) for name, section in game["sections"].items())
    return Rulebook(edition, game["name"], tuple(sections))


def _section(name: str, data: dict[str, Any]) -> Section:
    text = data["text"]
    return Section(name, data["title"], tuple(map(_paragraph, text)), frozenset(_cited(text)))


def _paragraph(text: str | list[str] | dict[str, Any]) -> Paragraph:
    if isinstance(text, str):
        return _told(text)
    if isinstance(text, list):
        return tuple(map(_told, text))
    return Table(
        tuple(map(_told, text["heading"])),
        tuple(tuple(map(_told, row)) for row in text["rows"]),
    )


def _told(text: str) -> str:
    """Return the text without the numbers of rulings.

    >>> _told("Most worms win. [C9, D16] That is all.")
    'Most worms win. That is all.'
    """
    return CITED.sub("", text)


def _cited(text: str | Iterable[Any] | dict[str, Any]) -> Iterator[str]:
    """Yield the number of every ruling that the text cites, including nested texts."""
    if isinstance(text, str):
        for numbers in CITED.findall(text):
            yield from numbers.split(", ")
    else:
        for part in text.values() if isinstance(text, dict) else text:
            yield from _cited(part)
