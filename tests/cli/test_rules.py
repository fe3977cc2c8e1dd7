"""`heckmeck rules`: our own words, in the package; the pages of the browser are made from them."""

import json
from itertools import product

import pytest

from heckmeck.narration import languages
from heckmeck.narration.rulebook import rulebook
from heckmeck.rules import EDITIONS
from tests.cli.terminal import Terminal

EVERY = [*product(EDITIONS, languages())]


@pytest.mark.parametrize(("edition", "language"), EVERY)
def test_every_game_in_every_language(terminal: Terminal, edition: str, language: str) -> None:
    shown = terminal.run("rules", edition, "--language", language)
    assert (shown.status, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "*" not in shown.out
    for section in rulebook(edition, language).sections:
        assert section.title in lines


@pytest.mark.parametrize(("edition", "language"), EVERY)
def test_every_language_has_the_same_sections(edition: str, language: str) -> None:
    english = rulebook(edition, "en").sections
    other = rulebook(edition, language).sections
    assert [section.id for section in other] == [section.id for section in english]
    assert [len(section.text) for section in other] == [len(section.text) for section in english]


def test_classic_is_meant_where_none_is_named(terminal: Terminal) -> None:
    assert terminal.run("rules").out == terminal.run("rules", "classic").out


def test_lists_are_numbered(terminal: Terminal) -> None:
    assert (
        "\n  1. The grill. Your result is a face-up tile there: take it.\n"
        in terminal.run("rules").out
    )


@pytest.mark.parametrize(("edition", "language"), EVERY)
@pytest.mark.parametrize("columns", ["60", "80"])
def test_lines_break_only_between_words(
    terminal: Terminal,
    edition: str,
    language: str,
    columns: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where a no-break space is written as a plain one: no line begins with a colon."""
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("heckmeck.cli.info.as_written", lambda text: text.replace("\xa0", " "))
    lines = terminal.run("rules", edition, "--language", language).out.splitlines()
    assert all(len(line) <= int(columns) for line in lines)
    assert not [line for line in lines if line.lstrip()[:1] in set(":;!?-") or line.endswith("-")]


def test_a_table_is_set_in_columns(terminal: Terminal) -> None:
    """How many worms a tile has: without that nobody can play."""
    lines = [line.split() for line in terminal.run("rules", "junior").out.splitlines()]
    at = lines.index(["Tile", "Worms"])
    assert lines[at + 1 : at + 5] == [["4,", "5", "1"], ["6,", "7", "2"], ["8", "3"], ["9", "4"]]


def test_as_json(terminal: Terminal) -> None:
    data = json.loads(terminal.run("rules", "junior", "--json", "--language", "fr").out)
    assert (data["edition"], data["language"]) == ("junior", "fr")
    assert [section["id"] for section in data["sections"]][:2] == ["idea", "table"]
    rows = [["4, 5", "1"], ["6, 7", "2"], ["8", "3"], ["9", "4"]]
    assert {"heading": ["Pickomino", "Vers"], "rows": rows} in data["sections"][1]["text"]
    assert "[J1]" not in json.dumps(data)


def test_an_unknown_game_is_a_usage_error(terminal: Terminal) -> None:
    shown = terminal.run("rules", "chess")
    assert shown.status == 2
    assert "'classic', 'deluxe', 'barbecue', 'junior'" in shown.err


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^There is no edition 'chess'\."):
        rulebook("chess")
    with pytest.raises(ValueError, match=r"^There is no language 'xx'\."):
        rulebook("classic", "xx")
