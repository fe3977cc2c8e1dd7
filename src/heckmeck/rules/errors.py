"""The errors that the rules raise.

::

    RuleError
    ├── BadSetup        a setup that is not possible
    ├── MalformedMove   a word that is not a move in any edition
    └── IllegalMove     a move that is not allowed here
"""

#: The length of the longest possible word; longer ones are cut in messages.
_LONGEST_WORD = 20


class RuleError(ValueError):
    """Something the rules do not allow."""


class BadSetup(RuleError):
    """A setup that is not possible."""


class MalformedMove(RuleError):
    """A word that is not a move in any edition."""


class IllegalMove(RuleError):
    """A move that is not allowed: its ``word``, ``why`` not, and the ``legal`` ones."""

    def __init__(self, word: str, why: str, legal: tuple[str, ...]) -> None:
        """Combine the three parts into one message."""
        self.word = word
        self.why = why
        self.legal = legal
        instead = f" Legal here: {', '.join(legal)}." if legal else ""
        super().__init__(f"{word:.{_LONGEST_WORD}} is not allowed: {why}.{instead}")
