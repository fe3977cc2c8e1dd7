"""The words of one language."""

import json
from functools import cache
from importlib.resources import files


class Messages:
    """A language's messages: templates with blanks, by key."""

    def __init__(self, language: str) -> None:
        """Load the messages of ``language``, such as ``en``."""
        path = files("heckmeck.narration") / "messages" / f"{language}.json"
        self._templates: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))

    def keys(self) -> frozenset[str]:
        """Return the keys there are."""
        return frozenset(self._templates)

    def say(self, key: str, **blanks: str | int) -> str:
        """Return the message with its blanks filled in."""
        return self._templates[key].format(**blanks)

    def listed(self, items: list[str]) -> str:
        """Return "a, b and c"."""
        *first, last = items
        return self.say("and", first=", ".join(first), last=last) if first else last


@cache
def messages_in(language: str) -> Messages:
    """Return the messages of a language, read once."""
    return Messages(language)
