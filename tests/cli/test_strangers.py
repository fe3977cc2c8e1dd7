"""Commands in surroundings that nobody planned: closed or full outputs, odd files and folders."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.records import FIRST_TURN
from tests.cli.terminal import Terminal

FULL = "the output cannot be written: No space left on device"


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line in which `$H` is our command."""
    return subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env={**os.environ, "H": f"{sys.executable} -m heckmeck", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a space in its name, and a record."""
    folder = tmp_path / "my games"
    folder.mkdir()
    (folder / "a game.txt").write_text(FIRST_TURN)
    return folder


@pytest.mark.parametrize(
    "command", ["bots", "rules", "replay 'a game.txt'", "convert 'a game.txt'"]
)
def test_a_full_disk_is_said(folder: Path, command: str) -> None:
    done = shell(f"$H {command} >/dev/full", folder)
    assert (done.returncode, done.stderr) == (1, f"heckmeck: {FULL}\n")


@pytest.mark.parametrize("command", ["bots", "rules", "convert 'a game.txt'"])
def test_without_anywhere_to_write_nothing_is_written(folder: Path, command: str) -> None:
    done = shell(f"$H {command} >&-", folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_standard_input_may_be_closed(folder: Path) -> None:
    assert shell("$H bots <&-", folder).returncode == 0
    for command in ("replay", "convert", "advise"):
        done = shell(f"$H {command} - <&-", folder)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "heckmeck: -: standard input is closed.\n"
    assert shell("$H validate - <&-", folder).stderr == "-: standard input is closed.\n"


def test_a_device_is_written_to_and_not_replaced(folder: Path) -> None:
    done = shell("$H convert 'a game.txt' -o /dev/stdout", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("roll =11234WWW keep:W roll =12455 keep:5 stop\n")
    assert shell("$H convert 'a game.txt' -o /dev/full", folder).stderr == (
        "heckmeck: /dev/full: No space left on device\n"
    )
    assert not Path("/dev/full").is_file()


@pytest.mark.parametrize(
    "command",
    [
        ["solve", "--tiles", "21-27", "--out", "nowhere/x.csv"],
        ["train", "--out", "nowhere/x.npz"],
        ["convert", "game.txt", "-o", "nowhere/x.json"],
    ],
    ids=lambda command: str(command[0]),
)
def test_a_missing_folder_is_said_before_hours_of_work(
    terminal: Terminal, command: list[str]
) -> None:
    Path("game.txt").write_text(FIRST_TURN)
    shown = terminal.run(*command)
    assert shown == (1, "", f"heckmeck: {command[-1]}: No such file or directory\n")


def test_records_that_cannot_be_written_are_said(terminal: Terminal) -> None:
    Path("out").mkdir()
    Path("out/games.jsonl").symlink_to("/dev/full")
    args = ("arena", "--edition", "junior", "--bots", "rooster,chick", "--games", "4")
    shown = terminal.run(*args, "--out", "out", "--force")
    assert shown == (1, "", "heckmeck: out/games.jsonl: No space left on device\n")
