"""Runs a ```` ```console ```` block of a document and compares what it prints.

A line that starts with `$ ` is a command (continued by `\\` at its end), run by `sh`; the lines up
to the next command are what it must print, standard output and error together:

    $ heckmeck validate docs/examples/*.json
    ...
    4 records, all valid.

A line `...` stands for any lines, none included. Blank lines at the end and spaces at the ends of
lines do not count. A command that fails must show all it prints, without `...`.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from sybil import Example

PROMPT = "$ "
ANY_LINES = "..."
SECONDS = 60


class Command(NamedTuple):
    """A command of a block and the lines it must print."""

    line: str
    expected: list[str]


def run_console_block(example: Example) -> str | None:
    """Run the block in the current directory; return what is wrong with it, None if nothing."""
    try:
        commands = list(parse_block(example.parsed))
    except ValueError as error:
        return str(error)
    for command in commands:
        complaint = run_command(command)
        if complaint:
            return complaint
    return None


def parse_block(block: str) -> Iterator[Command]:
    """Split a block into its commands. A block that starts with no command is a `ValueError`."""
    lines = iter(block.rstrip().splitlines())
    command: Command | None = None
    for line in lines:
        if line.startswith(PROMPT):
            if command:
                yield command
            typed = line.removeprefix(PROMPT)
            while typed.endswith("\\"):
                typed = typed.removesuffix("\\") + next(lines, "")
            command = Command(typed, [])
        elif command:
            command.expected.append(line.rstrip())
        else:
            raise ValueError(f"a console block starts with '{PROMPT}command', not with {line!r}")
    if command:
        yield command


def run_command(command: Command) -> str | None:
    """Run one command; return how its output differs from the expected, None if it does not."""
    done = subprocess.run(
        ["sh", "-c", command.line],
        env=plain_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    actual = [line.rstrip() for line in done.stdout.rstrip().splitlines()]
    expected = list(command.expected)
    while expected and not expected[-1]:
        expected.pop()
    if not matches(expected, actual):
        diff = unified_diff(expected, actual, "document", "printed", lineterm="")
        return "\n".join([f"{PROMPT}{command.line}", *diff])
    if done.returncode and (not expected or ANY_LINES in expected):
        return "\n".join(
            [f"{PROMPT}{command.line}", f"failed with status {done.returncode}:", *actual]
        )
    return None


def matches(expected: list[str], actual: list[str]) -> bool:
    """Whether the lines are equal, where an expected `...` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == ANY_LINES else re.escape(line) + r"\n" for line in expected
    )
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def plain_environment() -> dict[str, str]:
    """The environment of a reader with an 80-column terminal, an empty home and no colours."""
    here = str(Path.cwd())
    return {
        "COLUMNS": "80",
        "HOME": here,
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONUTF8": "1",
    }
