"""The words of each language, and how it counts."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class _Language:
    """How a language calls itself, counts and writes numbers."""

    name: str
    #: The counts that are told in the singular.
    singular: list[int]
    decimal: str
    #: A percentage, with a blank for its number.
    percent: str


#: The one list of languages. The pages read the same file; English comes first.
_LANGUAGES: Final = {
    code: _Language(**form)
    for code, form in json.loads(
        (files("heckmeck.narration") / "languages.json").read_text(encoding="utf-8")
    ).items()
}


def languages() -> dict[str, str]:
    """Return the languages there are: their codes, and what each calls itself.

    >>> languages()["de"]
    'Deutsch'
    """
    return {code: language.name for code, language in _LANGUAGES.items()}


def plural(language: str, count: int) -> Literal["one", "other"]:
    """Return which form of a message ``language`` uses for ``count``.

    >>> plural("en", 0), plural("fr", 0)
    ('other', 'one')
    """
    return "one" if count in _LANGUAGES[language].singular else "other"


class Messages:
    """A language's messages: templates with blanks, by key."""

    def __init__(self, language: str, folder: str = "messages") -> None:
        """Load the messages of ``language``, one of `languages`; others are a `ValueError`.

        ``folder`` says which: ``messages`` tell what happened, ``table`` has the words on a table,
        ``news`` tell what happens around it. The pages of the browser say all of them too.
        """
        if language not in _LANGUAGES:
            raise ValueError(
                f"There is no language {language!r}. The languages are: {', '.join(_LANGUAGES)}."
            )
        path = files("heckmeck.narration") / folder / f"{language}.json"
        self._language = language
        self._templates: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))

    def keys(self) -> frozenset[str]:
        """Return the keys there are."""
        return frozenset(self._templates)

    def template(self, key: str) -> str:
        """Return the message with its blanks open."""
        return self._templates[key]

    def say(self, key: str, **blanks: str | int) -> str:
        """Return the message with its blanks filled in."""
        return self.template(key).format(**blanks)

    def listed(self, items: list[str]) -> str:
        """Return "a, b and c"."""
        *first, last = items
        return self.say("and", first=", ".join(first), last=last) if first else last

    def count(self, key: str, count: int) -> str:
        """Return the form of a message that goes with ``count``, which fills its blank."""
        return self.say(f"{key}.{self.plural(count)}", count=count)

    def plural(self, count: int) -> Literal["one", "other"]:
        """Return which form of a message goes with ``count``."""
        return plural(self._language, count)

    def number(self, number: str) -> str:
        """Return a number, given with a point, as the language writes it.

        >>> Messages("de").number("-1.50"), Messages("en").number("-1.50")
        ('-1,50', '-1.50')
        """
        return number.replace(".", _LANGUAGES[self._language].decimal)

    def percent(self, number: str) -> str:
        """Return so many per cent, given with a point, as the language writes them.

        >>> Messages("nl").percent("3.7"), Messages("es").percent("3.7")
        ('3,7%', '3,7\\xa0%')
        """
        return _LANGUAGES[self._language].percent.format(self.number(number))


@cache
def messages_in(language: str, folder: str = "messages") -> Messages:
    """Return the messages of a language, read once."""
    return Messages(language, folder)


def table_words(language: str) -> Messages:
    """Return the words on a table in a language, read once: buttons, what stopping would do."""
    return messages_in(language, "table")
