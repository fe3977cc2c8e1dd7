"""Plain English in what people read: help, errors, docstrings, README and docs."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from heckmeck.cli import ABOUT, COMMANDS, EPILOG, WELCOME

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = ROOT / "src" / "heckmeck"
SOURCES: Final = sorted(PACKAGE.rglob("*.py"))
#: Pages about the rules have tests of their own (tests/narration).
PAGES: Final = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "bench/README.md", "web/README.md")),
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent.name != "rules"),
]

#: Turns of phrase that read as translated, and what to write instead.
INSTEAD: Final = {
    r"\btold\b": "reported, sent, given",
    r"\bso many\b": "N, the number of",
    r"\bwhoever\b": "anyone who, the player who",
    r"\bbesides\b": "also",
    r"\banew\b": "again",
    r"\blies? there\b": "is on the table",
    r"(?<!there )\bis no (?!longer|more)": "is not a",
    r"(?<!there )\bare no (?!longer|more)": "are not",
    r"\bfor ever\b": "forever",
    r"\b(?:is|are) there already\b": "already exists",
    r"\bgo(?:es)? on with\b": "continues, resumes",
    r"\b(?:moves|games|words|entries|steps|tables|times|appends) a second\b": "per second",
    r"\bone a (?:line|seat|core|player)\b": "one per",
    r"\d %": "18%, without a space",
}
#: Names of the API, commands and what they print.
CODE: Final = re.compile(r"```.*?```|``[^`]*``|`[^`]*`", re.DOTALL)
#: In what players read, dice are rolled. (In code a `Throw` is what fell.)
THROWN: Final = re.compile(r"\bthrow(?:s|n|ing)?\b|\bthrew\b", re.IGNORECASE)


def translated(text: str) -> list[str]:
    """Return the turns of phrase to avoid in ``text``, each with what to write instead."""
    flat = re.sub(r"\s+", " ", CODE.sub("", text))
    return [
        f"{found[0]!r} in {flat[max(found.start() - 40, 0) : found.end() + 20]!r}: write {better}"
        for pattern, better in INSTEAD.items()
        for found in re.finditer(pattern, flat, re.IGNORECASE)
    ]


def params() -> Iterator[tuple[str, click.Command, click.Parameter]]:
    for name in COMMANDS:
        command = COMMANDS[name].load()
        for param in command.params:
            yield f"{name} {param.human_readable_name}", command, param


def test_the_phrases_to_avoid_are_found() -> None:
    assert len(translated("So many are told anew by whoever is no bot, 18 % of them.")) == 6
    assert translated("There is no bot, `told` is code, and that is no longer new.") == []


@pytest.mark.parametrize(
    ("where", "command", "param"), [*params()], ids=lambda each: str(each)[:40]
)
def test_each_parameter_says_what_it_takes_and_what_it_defaults_to(
    where: str, command: click.Command, param: click.Parameter
) -> None:
    if isinstance(param, click.Argument):
        metavar = param.make_metavar(click.Context(command)).strip("[].")
        assert command.help is not None
        for word in metavar.split("|"):
            name = str(param.name).upper() if "{" in metavar or "," in word else word
            assert re.search(rf"\b{name}\b", command.help), f"{where}: {name} is not explained"
        assert param.required or "default" in command.help, f"{where}: no default is given"
        return
    assert isinstance(param, click.Option)
    text = param.help or ""
    assert text.endswith("."), f"{where}: the help ends with a full stop"
    assert text[0].isupper(), f"{where}: the help begins with a capital"
    if not param.is_flag and not param.required:
        # The group shows every default that there is, unless an option says otherwise.
        has_default = param.get_default(click.Context(command)) not in (None, (), "")
        shown = isinstance(param.show_default, str) or (
            has_default and param.show_default is not False
        )
        assert shown or re.search(r"\bdefault\b", text, re.IGNORECASE), f"{where}: no default"


def test_help_is_plain_english() -> None:
    texts = {"heckmeck": f"{ABOUT} {EPILOG} {WELCOME}"}
    texts |= {name: each.summary for name, each in COMMANDS.items()}
    for name in COMMANDS:
        command = COMMANDS[name].load()
        texts[f"{name} --help"] = f"{command.help} {command.epilog or ''}"
    texts |= {where: getattr(param, "help", None) or "" for where, _, param in params()}
    for where, text in texts.items():
        assert translated(text) == [], where
        assert not THROWN.search(text), where


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_are_plain_english(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert translated(text) == []
    assert not THROWN.search(CODE.sub("", text).replace("HTTP; throws", ""))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_sources_are_plain_english(path: Path) -> None:
    assert [found for text in texts_of(path) for found in translated(text)] == []


def texts_of(path: Path) -> Iterator[str]:
    """Yield every comment and every string with a space in it: docstrings, errors, help."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value
