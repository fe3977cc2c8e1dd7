"""What can go wrong when people or programs talk to the rules.

::

    RuleError
    ├── BadSetup        no game can be set up like this
    ├── MalformedMove   a word that is no move in any edition
    └── IllegalMove     a move that is not allowed here
"""

#: As long as the longest word there can be; a longer one is cut in the message.
_LONGEST_WORD = 20


class RuleError(ValueError):
    """Something the rules do not allow."""


class BadSetup(RuleError):
    """No game can be set up like this."""


class MalformedMove(RuleError):
    """A word that is no move in any edition."""


class IllegalMove(RuleError):
    """A move that is not allowed here: ``word`` what, ``why`` not, ``legal`` what would be."""

    def __init__(self, word: str, why: str, legal: tuple[str, ...]) -> None:
        """Put the three parts into one sentence."""
        self.word = word
        self.why = why
        self.legal = legal
        instead = f" Legal here: {', '.join(legal)}." if legal else ""
        super().__init__(f"{word:.{_LONGEST_WORD}} is not allowed: {why}.{instead}")
