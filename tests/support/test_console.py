"""The runner of console examples: it must fail when a document is wrong."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.console import Command, matches, parse_block, run_command

ROOT = Path(__file__).parents[2]


def test_a_block_is_split_into_commands_and_what_they_print() -> None:
    block = "$ heckmeck a\none\n\ntwo\n$ heckmeck b \\\n  --more\n$ heckmeck c\n...\n"
    assert list(parse_block(block)) == [
        Command("heckmeck a", ["one", "", "two"]),
        Command("heckmeck b   --more", []),
        Command("heckmeck c", ["..."]),
    ]


def test_a_block_without_a_command_is_refused() -> None:
    with pytest.raises(ValueError, match="starts with '\\$ command', not with 'heckmeck a'"):
        list(parse_block("heckmeck a\n"))


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ([], []),
        (["one"], ["one"]),
        (["..."], []),
        (["..."], ["one", "two"]),
        (["one", "...", "four"], ["one", "two", "three", "four"]),
        (["one", "...", "two"], ["one", "two"]),
        (["...", "two"], ["one", "two", "two"]),
    ],
)
def test_lines_that_match(expected: list[str], actual: list[str]) -> None:
    assert matches(expected, actual)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ([], ["one"]),
        (["one"], []),
        (["one"], ["One"]),
        (["one"], ["one", "two"]),
        (["one...", "two"], ["one", "two"]),
        (["one", "...", "four"], ["one", "two", "three"]),
        (["o.e"], ["one"]),
    ],
)
def test_lines_that_do_not_match(expected: list[str], actual: list[str]) -> None:
    assert not matches(expected, actual)


def test_a_right_output_passes() -> None:
    assert run_command(Command("printf 'one  \\n\\ntwo\\n\\n'", ["one", "", "two", ""])) is None


def test_a_wrong_output_is_shown_as_a_difference() -> None:
    complaint = run_command(Command("echo 24", ["25"]))
    assert complaint is not None
    assert complaint.splitlines()[0] == "$ echo 24"
    assert "-25\n+24" in complaint


def test_a_failing_command_must_show_all_it_prints() -> None:
    assert run_command(Command("echo oh; exit 1", ["oh"])) is None
    assert "failed with status 1" in str(run_command(Command("echo oh; exit 1", ["..."])))
    assert "failed with status 1" in str(run_command(Command("exit 1", [])))


def test_heckmeck_is_the_one_under_test() -> None:
    expected = str(Path(sys.executable).parent / "heckmeck")
    assert run_command(Command("command -v heckmeck", [expected])) is None


def test_examples_of_a_document_are_tests(tmp_path: Path) -> None:
    """Right examples pass and wrong ones fail, run by the project's own configuration."""
    document = tmp_path / "README.md"
    document.write_text(
        """
```python
worms = 3
```

```python
>>> worms + 1
4
>>> worms + 1
5
```

```console
$ echo right
right
```

```console
$ echo right
wrong
```

```sh
exit 1
```
"""
    )
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n2", document],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 failed, 3 passed" in done.stdout, done.stdout
    assert "-wrong" in done.stdout
