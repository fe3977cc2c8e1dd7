"""Every command explains itself: what it does, its options, and an example."""

import re

import click
import pytest

from heckmeck.cli import COMMANDS
from tests.cli.terminal import Terminal


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
