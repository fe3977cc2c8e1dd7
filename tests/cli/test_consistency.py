"""One command line: what is called the same is the same, and what is promised is there."""

import re
from pathlib import Path

import click
import pytest

from heckmeck.cli import COMMANDS
from heckmeck.narration import languages
from heckmeck.rules import EDITIONS
from tests.cli.terminal import Terminal
from tests.cli.test_lazy import modules_imported_by

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
#: Commands that report something, and commands that leave something to chance.
REPORTING = [
    "advise",
    "arena",
    "bots",
    "export",
    "odds",
    "position",
    "puzzle",
    "puzzles",
    "replay",
    "review",
    "rollout",
    "rules",
    "site",
    "solve",
    "stats",
    "validate",
    "verify",
    "watch",
]
RANDOM = ("arena", "play", "puzzles", "rollout", "train")
#: Commands that tell a game.
TELLING = ["advise", "bots", "join", "play", "puzzle", "replay", "review", "rules", "watch"]
SHOWING = ("join", "play", "watch")


def options(name: str) -> dict[str, click.Option]:
    command = COMMANDS[name].load()
    return {
        spelling: option
        for option in command.params
        if isinstance(option, click.Option)
        for spelling in option.opts
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_json_wherever_something_is_reported(name: str) -> None:
    option = options(name).get("--json")
    assert (option is not None) is (name in REPORTING)
    assert option is None or option.is_flag


@pytest.mark.parametrize("name", COMMANDS)
def test_a_seed_wherever_something_is_random(name: str) -> None:
    assert ("--seed" in options(name)) is (name in RANDOM)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_language_wherever_a_game_is_told(name: str) -> None:
    option = options(name).get("--language")
    assert (option is not None) is (name in TELLING)
    if option is not None:
        assert isinstance(option.type, click.Choice)
        assert [*option.type.choices] == [*languages()]


@pytest.mark.parametrize("name", SHOWING)
def test_plain_and_theme_wherever_a_table_is_shown(name: str) -> None:
    assert options(name)["--plain"].is_flag
    assert isinstance(options(name)["--theme"].type, click.Choice)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_edition_is_chosen_from_all_of_them(name: str) -> None:
    for param in COMMANDS[name].load().params:
        if param.name == "edition":
            assert isinstance(param.type, click.Choice)
            assert [*param.type.choices] == [*EDITIONS]
            assert param.default == "classic"


def test_what_is_called_the_same_is_of_the_same_kind() -> None:
    kinds: dict[str, set[bool]] = {}
    for name in COMMANDS:
        for spelling, option in options(name).items():
            kinds.setdefault(spelling, set()).add(bool(option.is_flag))
    assert {spelling for spelling, kind in kinds.items() if len(kind) > 1} == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_lists_every_command(name: str) -> None:
    assert re.search(rf"^\| `{name}\b", PAGE, re.MULTILINE)


def test_the_page_lists_who_has_json() -> None:
    listed = re.search(r"\*\*`--json`\*\*[^:]*: (.*?)\. One object", PAGE, re.DOTALL)
    assert listed
    assert re.findall(r"`(\w+)`", listed[1]) == REPORTING


def test_the_page_lists_no_other_command() -> None:
    assert set(re.findall(r"^\| `(\w+)[^`]*` \|", PAGE.partition("## ")[0], re.MULTILINE)) == {
        *COMMANDS
    }


@pytest.mark.parametrize("status", [0, 1, 2, 130])
def test_the_help_and_the_page_name_the_exit_statuses(terminal: Terminal, status: int) -> None:
    assert re.search(rf"\b{status}\b", terminal.run("--help").out)
    assert re.search(rf"^\| {status}\b", PAGE, re.MULTILINE)


def test_completing_a_command_imports_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_HECKMECK_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "heckmeck re")
    monkeypatch.setenv("COMP_CWORD", "1")
    ours = {name for name in modules_imported_by() if name.startswith("heckmeck")}
    assert ours == {"heckmeck", "heckmeck.cli", "heckmeck.cli.commands", "heckmeck.cli.printing"}
