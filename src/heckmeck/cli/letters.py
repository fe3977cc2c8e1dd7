"""Substitutes for characters that standard output cannot encode: `#` for a block, `ue` for `ü`."""

import re
import unicodedata
from typing import Final

#: ASCII substitutes for the characters that our texts and tables use, and similar ones.
#: All other characters lose their accents; letters of other scripts become question marks.
STAND_INS: Final = {
    # Bars: a block that is at least half full counts as full, so that bars are rounded.
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
    # Letters that are not a plain letter with an accent, or are more than that in German.
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


#: How Python represents undecodable bytes in names and arguments.
RAW_BYTES: Final = re.compile("[\udc80-\udcff]+")


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that cannot be encoded: an error handler for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = RAW_BYTES.sub(_as_text, error.object[error.start : error.end])
    return "".join(map(_in_ascii, bad)), error.end


def _as_text(raw: re.Match[str]) -> str:
    """Decode bytes that Python could not, such as a file name in the C locale."""
    return raw[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _in_ascii(character: str) -> str:
    """Return the substitute for a character; combining accents are dropped.

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
