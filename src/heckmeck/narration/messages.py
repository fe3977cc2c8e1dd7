"""The words of each language, and how it counts."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, Literal

_OWN_NAMES: Final = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano"}

#: The counts that are told in the singular, where it is not 1 alone.
_SINGULAR: Final[Mapping[str, tuple[int, ...]]] = {"fr": (0, 1)}


def languages() -> dict[str, str]:
    """Return the languages there are: their codes, and what each calls itself.

    >>> languages()["de"]
    'Deutsch'
    """
    return dict(_OWN_NAMES)


def plural(language: str, count: int) -> Literal["one", "other"]:
    """Return which form of a message ``language`` uses for ``count``.

    >>> plural("en", 0), plural("fr", 0)
    ('other', 'one')
    """
    return "one" if count in _SINGULAR.get(language, (1,)) else "other"


class Messages:
    """A language's messages: templates with blanks, by key."""

    def __init__(self, language: str, folder: str = "messages") -> None:
        """Load the messages of ``language``, one of `languages`; others are a `ValueError`.

        ``folder`` says which: ``messages`` tell what happened, ``table`` has the words on a table,
        ``news`` tell what happens around it. The pages of the browser say all of them too.
        ``privacy`` is the server's page on what it keeps.
        """
        if language not in _OWN_NAMES:
            raise ValueError(
                f"There is no language {language!r}. The languages are: {', '.join(_OWN_NAMES)}."
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


@cache
def messages_in(language: str, folder: str = "messages") -> Messages:
    """Return the messages of a language, read once."""
    return Messages(language, folder)


def table_words(language: str) -> Messages:
    """Return the words on a table in a language, read once: buttons, what stopping would do."""
    return messages_in(language, "table")
