"""The messages of each language, its plurals, number formats and euphonic changes."""

import json
import re
import string
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

import msgspec


class Euphony(NamedTuple):
    """A short word that changes before certain sounds.

    ``before`` is a pattern for the start of the next word, in lower case without accents.
    """

    word: str
    instead: str
    before: str


@dataclass(frozen=True, slots=True)
class _Language:
    """The name, plurals and number formats of a language."""

    name: str
    #: The counts that take the singular.
    singular: list[int]
    decimal: str
    #: A percentage, with a blank for its number.
    percent: str
    #: The words that change; templates have the plain word.
    euphony: list[Euphony]


#: The languages, English first. The web pages read the same file.
_LANGUAGES: Final = msgspec.json.decode(
    (files("heckmeck.narration") / "languages.json").read_bytes(), type=dict[str, _Language]
)


def languages() -> dict[str, str]:
    """Return the codes of the available languages, each with its own name for itself.

    >>> languages()["de"]
    'Deutsch'
    """
    return {code: language.name for code, language in _LANGUAGES.items()}


def fill(language: str, template: str, blanks: Mapping[str, str | int]) -> str:
    """Return the template with its blanks filled in and its euphonic words adapted.

    >>> fill("it", "Tocca a {name}.", {"name": "Ada"})
    'Tocca ad Ada.'
    """
    filled = ""
    for text, name, _, _ in string.Formatter().parse(template):
        filling = "" if name is None else str(blanks[name])
        filled += euphonic(language, text, filling) + filling
    return filled


def euphonic(language: str, text: str, following: str) -> str:
    """Return ``text`` with its last word adapted to ``following``."""
    for word, instead, before in _LANGUAGES[language].euphony:
        found = re.search(rf"(?<!\w){word} $", text, re.IGNORECASE)
        if found and re.match(before, _without_accents(following)):
            capital = found[0][0].isupper()
            return f"{text[: found.start()]}{instead.capitalize() if capital else instead} "
    return text


def _without_accents(text: str) -> str:
    letters = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).lower()


class Messages:
    """A language's messages: templates with blanks, by key."""

    def __init__(self, language: str, folder: str = "messages") -> None:
        """Load the messages of ``language``; raise `ValueError` if it is not one of `languages`.

        ``folder`` selects them: ``messages`` for the events of a game, ``table`` for the texts at a
        table, ``news`` for what happens around it, ``reasons`` for what the coach says about
        moves, ``study`` for puzzles, one's own games and the check of the dice, ``book`` for
        family books, all shared with the web pages; ``privacy`` for the server's privacy page.
        """
        if language not in _LANGUAGES:
            raise ValueError(
                f"There is no language {language!r}. The languages are: {', '.join(_LANGUAGES)}."
            )
        path = files("heckmeck.narration") / folder / f"{language}.json"
        self._language = language
        self._templates: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))

    def keys(self) -> frozenset[str]:
        """Return all keys."""
        return frozenset(self._templates)

    def template(self, key: str) -> str:
        """Return the message without filling its blanks."""
        return self._templates[key]

    def say(self, key: str, **blanks: str | int) -> str:
        """Return the message with its blanks filled in."""
        return fill(self._language, self.template(key), blanks)

    def has(self, key: str) -> bool:
        """Return whether there is such a message."""
        return key in self._templates

    def listed(self, items: list[str]) -> str:
        """Return "a, b and c"."""
        *first, last = items
        return self.say("and", first=", ".join(first), last=last) if first else last

    def count(self, key: str, count: int) -> str:
        """Return the form of a message that goes with ``count``, which fills its blank."""
        return self.say(f"{key}.{self.plural(count)}", count=count)

    def plural(self, count: int) -> Literal["one", "other"]:
        """Return which form of a message goes with ``count``.

        >>> Messages("en").plural(0), Messages("fr").plural(0)
        ('other', 'one')
        """
        return "one" if count in _LANGUAGES[self._language].singular else "other"

    def number(self, number: str) -> str:
        """Return a number, given with a point, as the language writes it.

        >>> Messages("de").number("-1.50"), Messages("en").number("-1.50")
        ('-1,50', '-1.50')
        """
        return number.replace(".", _LANGUAGES[self._language].decimal)

    def percent(self, number: str) -> str:
        r"""Return a percentage, given with a point, as the language writes it.

        >>> Messages("nl").percent("3.7"), Messages("es").percent("3.7")
        ('3,7%', '3,7\xa0%')
        """
        return _LANGUAGES[self._language].percent.format(self.number(number))

    def chance(self, chance: float) -> str:
        """Return a chance as whole percents, finer where it is close to 0 or 1.

        >>> Messages("en").chance(0.125), Messages("en").chance(0.037), Messages("en").chance(1.0)
        ('13%', '3.7%', '100%')
        """
        close = 0 < chance < 0.095 or chance > 0.985
        return self.percent(_hundredths(chance, 1 if close else 0).removesuffix(".0"))

    def tenths(self, chance: float) -> str:
        """Return a chance as percents with one decimal: a chance to win."""
        return self.percent(_hundredths(chance, 1))


def _hundredths(chance: float, digits: int) -> str:
    """Return a chance in percent, rounded as browsers do: half up."""
    step = Decimal(1).scaleb(-digits)
    return str((100 * Decimal(chance)).quantize(step, ROUND_HALF_UP))


@cache
def messages_in(language: str, folder: str = "messages") -> Messages:
    """Return the messages of a language, read once."""
    return Messages(language, folder)


def table_words(language: str) -> Messages:
    """Return the texts at a table, such as buttons, in a language; read once."""
    return messages_in(language, "table")
