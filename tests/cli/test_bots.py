"""`heckmeck bots`."""

import json
import re

import pytest

from heckmeck.bots import BOTS
from heckmeck.narration import languages
from tests.cli.terminal import Terminal


def test_every_bot_is_listed_weakest_first(terminal: Terminal) -> None:
    shown = terminal.run("bots")
    assert (shown.status, shown.err) == (0, "")
    assert [line.split()[0] for line in shown.out.splitlines()] == [*BOTS]


@pytest.mark.parametrize("language", languages())
def test_in_every_language(terminal: Terminal, language: str) -> None:
    shown = terminal.run("bots", "--language", language)
    assert shown.status == 0
    lines = shown.out.splitlines()
    assert len({line.partition("  ")[2] for line in lines}) == len(BOTS)


def test_in_german(terminal: Terminal) -> None:
    shown = terminal.run("bots", "--language", "de")
    assert re.search(r"^fox +Fuchs\. Kennt die genauen Chancen\.$", shown.out, re.MULTILINE)


def test_as_the_engine_protocol_has_them(terminal: Terminal) -> None:
    listed = json.loads(terminal.run("bots", "--json").out)
    answer = json.loads(terminal.run("engine", typed='{"do": "bots"}\n').out)
    assert listed["bots"] == answer["bots"]
