"""What holds for the texts of each language, in one table, and all the texts that people read.

A new language needs its code here, with what holds for it, and its files; the tests do the rest.
"""

import json
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
NARRATION = ROOT / "src" / "heckmeck" / "narration"
#: Every folder with a file of texts for each language.
FOLDERS = {
    "links": NARRATION / "links",
    "messages": NARRATION / "messages",
    "news": NARRATION / "news",
    "study": NARRATION / "study",
    "table": NARRATION / "table",
    "reasons": NARRATION / "reasons",
    "privacy": NARRATION / "privacy",
    "book": NARRATION / "book",
    "rules": NARRATION / "rules",
    "web": ROOT / "web" / "src" / "narration" / "messages",
    "learn": ROOT / "web" / "src" / "learn",
}
#: The folders of short texts with blanks, by key.
FLAT = ("book", "links", "messages", "news", "privacy", "reasons", "study", "table", "web")
#: The blanks that hold what people call themselves, and those that hold several of them.
NAMES = {
    "book": ("name", "names"),
    "messages": ("seat", "thief", "victim", "victims", "winners"),
    "news": ("name", "names"),
    "reasons": ("name",),
    "study": ("name", "names"),
    "table": ("name", "names"),
    "web": ("name", "names"),
}
SEVERAL = ("victims", "winners", "names")
NO_BREAK = "\u00a0\u202f"


@dataclass(frozen=True)
class Facts:
    """What holds for every text of a language."""

    #: Marks that have a no-break space before them; all others have no space there at all.
    spaced: str
    #: The space before "…": German omits words after a space, the others cut a sentence off.
    ellipsis: str
    #: Words that cannot stand before a name, which may be anything: they bend with it.
    bending: str
    #: Words that we do not print, because another one says it everywhere.
    unprinted: str
    #: What may follow a name at once: "Ada’s" in English.
    after_name: str = ""
    #: Pairs of marks around questions and cries, where a language opens them.
    opened: tuple[tuple[str, str], ...] = ()


FACTS = {
    "en": Facts(
        spaced="",
        ellipsis="",
        bending=r"an?|the",
        unprinted=(
            r"throw\w*|threw|anew|second best|put(s|ting)? back (what|the dice)|dice told|is drawn"
        ),
        after_name="’s",
    ),
    "de": Facts(
        spaced="%",
        ellipsis="\u00a0",
        bending=r"d(er|ie|as|en|em|es)|([kmds]?ein|ihr)(e|er|en|em|es)?|zu[mr]|vom|beim|im|am",
        unprinted=(
            r"Partien?|Siegchancen?|Startwert|Rückblick|Das Zweitbeste"
            r"|werfen|wirfst?|wirft"
        ),
    ),
    "fr": Facts(
        spaced=":;!?»%",
        ellipsis="",
        bending=r"de|du|des|que|jusque|lorsque|puisque|le|la|les|au|aux|si|un|une|ce|cette",
        unprinted=(
            r"vol(er|e|es|ent|é|és|ée|ées)|chip(er|e|es|ent|é|és|ée|ées)|sauvée?s?|dépassée?"
        ),
    ),
    "it": Facts(
        spaced="",
        ellipsis="",
        bending=(
            r"il|lo|la|i|gli|le|uno?|una|del|dello|della|al|allo|alla|dal|dallo|dalla"
            r"|nel|nello|nella|sul|sullo|sulla|quello?|quella|bello?"
        ),
        unprinted=(r"tenut[oi]|allenator[ei]|niente verme|cominci\w*|spent[ei]|col|coi"),
    ),
    "nl": Facts(
        spaced="",
        ellipsis="",
        bending=r"de|het|een|deze|die|dit|dat",
        unprinted=r"werp(en|t)?|geworpen|ste(en|nen)|afpak\w*|pak\w* .* af|partij(en)?|potjes?|uw?",
    ),
    "es": Facts(
        spaced="%",
        ellipsis="",
        bending=r"el|la|los|las|una?|unos|unas|del|al|este|esta|ese|esa",
        unprinted=(
            r"fichas?|losetas?|porci(ón|ones)|gusanitos?|lanz(ar?|as|an|ad[oa]s?|amientos?)"
            r"|cog(er|es?|en|id[oa]s?)|ustedes|usted"
        ),
        opened=(("¿", "?"), ("¡", "!")),
    ),
}


@dataclass(frozen=True)
class Text:
    """A text, and where it is: its folder and its key, or its path in a file with branches."""

    folder: str
    key: str
    text: str

    def __str__(self) -> str:
        return f"{self.folder}:{self.key}: {self.text}"

    def words(self) -> str:
        """Return the text without its blanks."""
        return re.sub(r"\{\w+\}", "", self.text)

    def blanks(self) -> set[str]:
        if self.folder not in FLAT:
            return set()
        return {name for _, name, _, _ in string.Formatter().parse(self.text) if name is not None}


@cache
def texts(language: str) -> tuple[Text, ...]:
    """All texts of a language."""
    return tuple(
        Text(folder, key, text)
        for folder, path in FOLDERS.items()
        for key, text in _leaves(json.loads((path / f"{language}.json").read_text("utf-8")))
    )


def _leaves(tree: object, path: str = "") -> Iterator[tuple[str, str]]:
    match tree:
        case str():
            yield path, tree
        case dict():
            for key, value in tree.items():
                yield from _leaves(value, f"{path}.{key}".removeprefix("."))
        case list():
            for at, value in enumerate(tree):
                yield from _leaves(value, f"{path}.{at}")
        case _:
            raise TypeError(f"{path} is no text: {tree!r}")


def wrong_space_before(facts: Facts, text: str) -> bool:
    """Whether a mark stands after the wrong space; what is typed (keep:4) has its marks inside."""
    for found in re.finditer(r"(.)([:;!?»%])(?=$|[\s\W])", text):
        before, mark = found.groups()
        if before in ":;!?%({[":
            continue
        if (before in NO_BREAK) != (mark in facts.spaced) or before == " ":
            return True
    return "»" in facts.spaced and bool(re.search(rf"«[^{NO_BREAK}]", text))
