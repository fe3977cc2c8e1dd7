"""Every command explains itself: what it does, its options, and an example."""

import re
from pathlib import Path

import click
import pytest

from heckmeck.cli import COMMANDS
from heckmeck.cli.info import pages
from tests.cli.terminal import Terminal

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_lists_every_option_and_an_example(terminal: Terminal, name: str) -> None:
    shown = terminal.run(name, "--help")
    assert (shown.status, shown.err) == (0, "")
    assert re.search(r"^  Examples?:\n    \$ .*heckmeck " + name, shown.out, re.MULTILINE)
    for option in COMMANDS[name].load().params:
        if isinstance(option, click.Option):
            assert all(re.search(rf"\s{spelling}\b", shown.out) for spelling in option.opts)
            assert option.help, f"{option.name} is not explained"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_on_a_screen_of_80_columns(terminal: Terminal, name: str) -> None:
    assert all(len(line) <= 80 for line in terminal.run(name, "--help").out.splitlines())


def test_help_of_the_whole_command(terminal: Terminal) -> None:
    shown = terminal.run("--help")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.startswith("Usage: heckmeck [OPTIONS] COMMAND [ARGS]...\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_an_unknown_option_is_a_usage_error_that_points_to_the_help(
    terminal: Terminal, name: str
) -> None:
    shown = terminal.run(name, "--grill")
    assert (shown.status, shown.out) == (2, "")
    assert f"Try 'heckmeck {name} --help' for help." in shown.err
    assert "No such option" in shown.err


def mentioned(pattern: str) -> set[str]:
    """Everything of that kind in our sources: help, errors, messages, docstrings."""
    sources = [
        *(ROOT / "src").rglob("*.py"),
        *(ROOT / "src" / "heckmeck" / "narration").rglob("*.json"),
    ]
    return {
        found
        for path in sources
        for found in re.findall(pattern, re.sub(r"\s+", " ", path.read_text(encoding="utf-8")))
    }


def test_every_page_that_is_mentioned_exists() -> None:
    assert mentioned(r"'heckmeck docs ([\w/]+)'") >= {"bots", "record", "rules/classic"}
    assert mentioned(r"'heckmeck docs ([\w/]+)'") <= pages().keys()
    for path in mentioned(r"\bdocs/[\w./-]*\w"):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_no_file_that_an_installation_does_not_have(
    terminal: Terminal, name: str
) -> None:
    assert "docs/" not in terminal.run(name, "--help").out


def test_a_page_is_printed(terminal: Terminal) -> None:
    for name in ("rules/junior", "docs/rules/junior.md"):
        shown = terminal.run("docs", name)
        text = (ROOT / "docs" / "rules" / "junior.md").read_text(encoding="utf-8")
        assert shown == (0, text, "")
    unit = (ROOT / "docs" / "deploy" / "heckmeck.service").read_text(encoding="utf-8")
    assert terminal.run("docs", "deploy/heckmeck.service") == (0, unit, "")
    assert terminal.run("docs").out.splitlines() == [*pages()]


def test_a_page_that_does_not_exist(terminal: Terminal) -> None:
    shown = terminal.run("docs", "grill")
    assert (shown.status, shown.out) == (1, "")
    assert shown.err.startswith(
        "heckmeck: There is no page 'grill'. The pages are: analysis, architecture, "
    )
