"""Names and words that people type: short, printable, tidy."""

import unicodedata

from heckmeck.server.messages import MAX_NAME, MAX_WORDS
from heckmeck.server.refusals import Code, Refused


def tidy_name(text: str) -> str:
    """Return the name without extra spaces; raise `Refused` unless it has 1 to 24 characters."""
    name = _tidy(text)
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise Refused(
            Code.BAD_NAME, f"A name must have 1 to {MAX_NAME} printable characters. Choose another."
        )
    return name


def tidy_words(text: str) -> str:
    """Return the words for the dice; raise `Refused` if they have more than 64 characters."""
    words = _tidy(text)
    if len(words) > MAX_WORDS or not words.isprintable():
        raise Refused(
            Code.BAD_WORDS,
            f"Words for the dice may have up to {MAX_WORDS} printable characters. Choose others.",
        )
    return words


def _tidy(text: str) -> str:
    """Normalise Unicode, collapse spaces and strip the ends."""
    return " ".join(part for part in unicodedata.normalize("NFC", text).split(" ") if part)
