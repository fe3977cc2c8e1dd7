"""Every message that code can ask for is there, in every language, and gets all of its blanks.

The keys are read from the source: the key of a message is written out where it is asked for, as a
text, a choice between texts, or a text with a part that comes from a closed set. Such parts are
listed here with their sets; what is not listed fails, and so does what is listed in vain.
"""

import ast
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest

from heckmeck.bots import BOTS
from heckmeck.narration import languages
from heckmeck.narration.messages import Messages
from heckmeck.narration.narrator import _OF_PLAYER, _SHOWN
from heckmeck.rules import EDITIONS, Specialist
from heckmeck.rules.endings import WhyNothing
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem
from heckmeck.tui.choices import QUESTIONS
from heckmeck.tui.local_source import Pace
from heckmeck.wire.book import HonourKind
from heckmeck.wire.coach import Unit
from heckmeck.wire.requests import EmoteName

SOURCE = Path(__file__).parents[2] / "src" / "heckmeck"
FACES = "12345W6BCGK"
FORMS = ("one", "other")

#: Parts of keys that are not written out, as the source has them, and all that they can be.
PARTS: dict[str, Iterable[str]] = {
    "edition.{view.edition}": EDITIONS,
    "edition.{edition}": EDITIONS,
    "edition.{book.edition}": EDITIONS,
    "short.face.{face}": EDITIONS["junior"].dice.faces,
    "short.{slot.standing}": Specialist,
    "short.{held}": Specialist,
    "specialist.{specialist}": Specialist,
    "specialist.{value}": Specialist,
    "Specialist.{event.specialist}": Specialist,
    "face.{face}": FACES,
    "one.{face}": FACES,
    "faces.{face}": FACES,
    "faces.{of}": FACES,
    "specialist.{of}": Specialist,
    "specialist.{cost.specialist}": Specialist,
    "specialist.{outcome.specialist}": Specialist,
    "what.{kind}": (
        "tiles",
        "take",
        "pinch",
        "spots",
        "plate",
        "close",
        "snail",
        "end_game",
        "bratworm",
    ),
    "number.{count}": [str(number) for number in range(2, 10)],
    "move.{kind}": ("roll", "stop", "reroll", "bust"),
    "ask.{kind}": QUESTIONS,
    "why.{why}": WhyNothing,
    "item.{line.item}": ScoreItem,
    "end.why.{outcome.decided_by}": DecidedBy,
    "winner.{outcome.decided_by}{you}": [f"{by}{you}" for by in DecidedBy for you in ("", ".you")],
    "game_ended.{outcome.reason}": EndReason,
    "plain.hints.{hints.unit}": get_args(Unit),
    "pace.{pace}": Pace,
    "log.{what}": _SHOWN,
    "log.{what}.you": _OF_PLAYER,
    "emote.{text}": get_args(EmoteName),
    "story.{kind}": ("good", "bad", "even"),
    "told.{kind}": get_args(HonourKind),
    "told.{kind}.barbecue": ("steals", "robbed"),
    "honour.{kind}": get_args(HonourKind),
    "bot.{name}": BOTS,
    "bot.{name}.about": BOTS,
}
#: Asked for only where they are known: a server has its own sentence for every refusal.
OPTIONAL = {"refused.{code}", "refused.{code}.wait"}
#: Where keys are handed on. `Narrator.event` makes them of events: `test_messages` asks for all.
HANDED_ON = {
    ("narration/messages.py", "count"),
    ("narration/narrator.py", "_say_or"),
    ("narration/narrator.py", "event"),
}
#: The folder of the messages that are called so there; else it is that of the table's words.
FOLDERS = {
    ("narration/narrator.py", "_words"): "news",
    ("narration/narrator.py", "self"): "news",
    ("narration/narrator.py", "_messages"): "messages",
    ("narration/messages.py", "self"): "messages",
    ("server/pages.py", "words"): "privacy",
    ("server/previews.py", "words"): "links",
    ("server/previews.py", "study"): "study",
    ("server/jobs.py", "study"): "study",
    ("cli/stats.py", "words"): "book",
    ("narration/phrases.py", "_told"): "messages",
    ("cli/line_texts.py", "told"): "messages",
    ("coach/why.py", ""): "reasons",
    ("coach/why.py", "_reasons"): "reasons",
    ("coach/why.py", "_told"): "messages",
    ("cli/puzzles.py", "words"): "study",
    ("cli/puzzles.py", "_words"): "study",
}
#: All folders.
KINDS = ("book", "links", "messages", "news", "privacy", "reasons", "study", "table")


@dataclass(frozen=True)
class Asked:
    """A place in the source that asks for a message, with the blanks that it fills in."""

    where: str
    folder: str
    template: str
    blanks: frozenset[str] | None  # None: whatever comes

    def possible(self) -> list[str]:
        if "{" not in self.template:
            return [self.template]
        part = self.template[self.template.index("{") : self.template.rindex("}") + 1]
        return [self.template.replace(part, value) for value in PARTS[self.template]]


def asked_in(path: Path) -> Iterator[Asked]:
    name = path.relative_to(SOURCE).as_posix()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for call in calls_of(function):
                if (name, function.name) not in HANDED_ON:
                    yield from asked_by(call, name)


def calls_of(function: ast.AST) -> Iterator[ast.Call]:
    """The calls in a function, without those of functions within."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.Call):
            yield node
        yield from calls_of(node)


def asked_by(call: ast.Call, name: str) -> Iterator[Asked]:
    called, owner = named(call.func)
    if called not in ("say", "count", "_say_or") or not call.args:
        return
    if called == "count" and owner not in ("words", "_words", "_told", "_messages"):
        return  # of a text or a list
    where = f"{name}:{call.lineno}"
    folder = FOLDERS.get((name, owner), "table")
    blanks = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    open_blanks = any(keyword.arg is None for keyword in call.keywords)
    for template in templates(call.args[0], where):
        if template in OPTIONAL:
            continue
        if called == "count":
            for form in FORMS:
                yield Asked(where, folder, f"{template}.{form}", frozenset({"count"}))
        else:
            yield Asked(where, folder, template, None if open_blanks else frozenset(blanks))


def named(func: ast.expr) -> tuple[str, str]:
    """The name of what is called, and of what it belongs to."""
    if isinstance(func, ast.Name):
        return func.id, ""
    if not isinstance(func, ast.Attribute):
        return "", ""
    owner = func.value
    if isinstance(owner, ast.Attribute):
        return func.attr, owner.attr
    return func.attr, owner.id if isinstance(owner, ast.Name) else ""


def templates(key: ast.expr, where: str) -> list[str]:
    """What a key can be: texts, with their open parts as they are in the source."""
    match key:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=one, orelse=other):
            return [*templates(one, where), *templates(other, where)]
        case ast.JoinedStr(values=parts):
            return ["".join(piece(part) for part in parts)]
        case _:
            raise AssertionError(
                f"{where} asks for {ast.unparse(key)}: write the key out where it is asked for"
            )


def piece(part: ast.expr) -> str:
    if isinstance(part, ast.FormattedValue):
        return f"{{{ast.unparse(part.value)}}}"
    assert isinstance(part, ast.Constant)
    return str(part.value)


ASKED = [asked for path in sorted(SOURCE.rglob("*.py")) for asked in asked_in(path)]


def test_the_source_asks_for_messages() -> None:
    """The net has no holes: what is asked for in every way of asking is in it."""
    found = {(asked.folder, asked.template) for asked in ASKED}
    assert ("table", "left.resume") in found  # table_words(...).say
    assert ("table", "act.bot") in found  # a choice, with `say` as a name of its own
    assert ("news", "table.waiting.one") in found  # counted
    assert ("messages", "winner.{outcome.decided_by}{you}") in found  # in parts


def test_every_open_part_is_listed_and_none_in_vain() -> None:
    open_parts = {asked.template for asked in ASKED if "{" in asked.template}
    assert open_parts == set(PARTS)


@pytest.mark.parametrize("language", languages())
def test_every_message_that_is_asked_for_is_there(language: str) -> None:
    there = {name: Messages(language, name).keys() for name in KINDS}
    missing = [
        f"{asked.where}: {asked.folder} has no {key!r}"
        for asked in ASKED
        for key in asked.possible()
        if key not in there[asked.folder]
    ]
    assert missing == []


@pytest.mark.parametrize("language", languages())
def test_every_message_gets_all_of_its_blanks(language: str) -> None:
    words = {name: Messages(language, name) for name in KINDS}
    empty = [
        f"{asked.where}: {key} lacks {', '.join(lacking)}"
        for asked in ASKED
        for key in asked.possible()
        if asked.blanks is not None
        and (lacking := blanks_of(words[asked.folder], key) - asked.blanks)
    ]
    assert empty == []


def blanks_of(words: Messages, key: str) -> set[str]:
    template = words.template(key)
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}
