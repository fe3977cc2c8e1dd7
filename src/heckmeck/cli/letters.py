"""Stand-ins for characters that standard output cannot write: a `#` for a block, `ue` for `ü`."""

import re
import unicodedata
from typing import Final

#: What is written in ASCII for the characters that our texts and tables use, and their relatives.
#: Everything else loses its accents; a letter of another script becomes a question mark.
STAND_INS: Final = {
    # Bars: a block that is at least half full counts, so that bars are rounded.
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", " "),
    **dict.fromkeys("░▒▓", ":"),
    # Lines and boxes.
    **dict.fromkeys("─━╌╍┄┅═╴╶╸╺", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝", "+"),
    # Quotation marks, dashes, spaces.
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("‘’‚‹›", "'"),  # noqa: RUF001
    **dict.fromkeys("–—‐‑−", "-"),  # noqa: RUF001
    **dict.fromkeys("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}", " "),
    # Signs.
    **dict.fromkeys("¿¡", ""),  # the one at the end says enough
    "…": "...",
    "±": "+-",
    "×": "x",  # noqa: RUF001
    "·": ".",
    "•": "*",
    **dict.fromkeys("→▸▶", ">"),
    **dict.fromkeys("←◂◀", "<"),
    "⏎": "Enter",
    "␣": "Space",
    # Letters that are not a plain letter with an accent, or not only that in German.
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "Ä": "Ae",
    "Ö": "Oe",
    "Ü": "Ue",
    "ß": "ss",
    "œ": "oe",
    "Œ": "Oe",
    "æ": "ae",
    "Æ": "Ae",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
}


#: How Python keeps bytes of names and arguments that it cannot decode.
RAW_BYTES: Final = re.compile("[\udc80-\udcff]+")


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """Replace what cannot be encoded: an error handler for `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = RAW_BYTES.sub(_as_text, error.object[error.start : error.end])
    return "".join(map(_in_ascii, bad)), error.end


def _as_text(raw: re.Match[str]) -> str:
    """Return the text of bytes that Python could not read, as of a file's name in the locale C."""
    return raw[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _in_ascii(character: str) -> str:
    """Return what stands for the character; accents of its own that follow it vanish.

    >>> "".join(map(_in_ascii, "„Œuf“ für 3 € …"))
    '"Oeuf" fuer 3 ? ...'
    """
    known = STAND_INS.get(character)
    if known is not None:
        return known
    if unicodedata.combining(character):
        return ""
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode("ascii")
    return plain or "?"
