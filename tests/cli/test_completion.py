"""`heckmeck completion`: the scripts, and what they are told to offer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from heckmeck.cli import COMMANDS
from heckmeck.cli.info import SHELLS, VARIABLE
from heckmeck.narration import languages
from tests.cli.terminal import Terminal

BIN = Path(sys.executable).parent


def complete(line: str) -> list[str]:
    """Ask as the script of bash does; return what the last word of ``line`` can become."""
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-m", "heckmeck"],
        env={
            **os.environ,
            VARIABLE: "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return [offered.partition(",")[2] for offered in done.stdout.splitlines()]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script(terminal: Terminal, shell: str) -> None:
    shown = terminal.run("completion", shell)
    assert (shown.status, shown.err) == (0, "")
    assert VARIABLE in shown.out
    assert f"{shell}_complete" in shown.out


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shutil.which(shell)])
def test_the_script_is_one_that_the_shell_can_read(terminal: Terminal, shell: str) -> None:
    script = terminal.run("completion", shell).out
    subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=60)


def test_bash_completes_with_the_script(terminal: Terminal) -> None:
    script = terminal.run("completion", "bash").out
    ask = (
        "\nCOMP_WORDS=(heckmeck val); COMP_CWORD=1; _heckmeck_completion heckmeck"
        '\necho "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc"],
        input=script + ask,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.split() == ["validate"]


def test_commands_are_completed() -> None:
    assert complete("heckmeck ") == [*COMMANDS]
    assert complete("heckmeck re") == ["replay", "review"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("heckmeck --ver", ["--version"]),
        ("heckmeck play ", ["classic", "deluxe", "barbecue", "junior"]),
        ("heckmeck rules ju", ["junior"]),
        ("heckmeck rules --language ", [*languages()]),
        ("heckmeck join --pl", ["--plain"]),
    ],
)
def test_words_and_options_are_completed(line: str, offered: list[str]) -> None:
    assert complete(line) == offered


@pytest.mark.parametrize(
    "line",
    [
        "heckmeck watch ga",
        "heckmeck replay ga",
        "heckmeck validate ga",
        "heckmeck convert ga",
        "heckmeck verify ga",
        "heckmeck advise ga",
    ],
)
def test_files_are_completed_by_the_shell(line: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heckmeck"],
        env={
            **os.environ,
            VARIABLE: "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
        },
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == "file,ga\n"


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("heckmeck play --players ", ["me", "random", "chick"]),
        ("heckmeck arena --bots fox,ro", ["fox,rooster"]),
    ],
)
def test_bots_are_completed_after_each_comma(line: str, offered: list[str]) -> None:
    assert complete(line)[: len(offered)] == offered


def test_an_unknown_shell_is_a_usage_error(terminal: Terminal) -> None:
    shown = terminal.run("completion", "cmd")
    assert shown.status == 2
    assert "'bash', 'fish', 'zsh'" in shown.err
