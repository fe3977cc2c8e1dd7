"""Names and words that people type: short, printable, tidy."""

import unicodedata

from heckmeck.server.messages import MAX_NAME, MAX_WORDS
from heckmeck.server.refusals import Code, Refused


def tidy_name(text: str) -> str:
    """Return the name without needless spaces; raise `Refused` unless it is 1 to 24 letters."""
    name = _tidy(text)
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise Refused(
            Code.BAD_NAME, f"A name has 1 to {MAX_NAME} printable characters. Choose another one."
        )
    return name


def tidy_words(text: str) -> str:
    """Return the words for the dice; raise `Refused` if they are more than 64 letters."""
    words = _tidy(text)
    if len(words) > MAX_WORDS or not words.isprintable():
        raise Refused(
            Code.BAD_WORDS,
            f"Words for the dice have at most {MAX_WORDS} printable characters. Choose others.",
        )
    return words


def _tidy(text: str) -> str:
    """One form for letters that can be written in several ways, single spaces, none at the ends."""
    return " ".join(part for part in unicodedata.normalize("NFC", text).split(" ") if part)
