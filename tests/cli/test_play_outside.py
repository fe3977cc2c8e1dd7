"""`heckmeck play` with a bot that is a program of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heckmeck.record import final_state, read_record
from heckmeck.rules import outcome
from tests.bots.programs import bot_name
from tests.cli.terminal import Terminal

ROOT = Path(__file__).parents[2]


def test_it_plays_to_the_end(terminal: Terminal, tmp_path: Path) -> None:
    name = bot_name(tmp_path)
    args = ("play", "junior", "--players", f"{name},chick", "--seed", "1", "--record", "game")
    shown = terminal.run(*args)
    assert (shown.status, shown.err) == (0, "")
    record = read_record(Path("game").read_bytes())
    assert record.seats == (name, "chick")
    assert outcome(final_state(record)) is not None


def test_one_that_misbehaves_ends_the_game_which_is_kept(
    terminal: Terminal, tmp_path: Path
) -> None:
    name = bot_name(tmp_path, "say(id=question['id'], move=legal[0] if number < 5 else 'hop')")
    args = ("play", "junior", "--players", f"{name},chick", "--first", "0", "--record", "game")
    shown = terminal.run(*args)
    assert shown.status == 1
    assert shown.err.startswith(f"heckmeck: {name} chose 'hop', which is not a move: ")
    record = read_record(Path("game").read_bytes())
    assert record.moves
    assert outcome(final_state(record)) is None


def test_one_that_is_not_there_is_said(terminal: Terminal) -> None:
    shown = terminal.run("play", "--players", "Ada,exec:./nobody")
    assert (shown.status, shown.out) == (1, "")
    assert shown.err.startswith("heckmeck: There is no program './nobody' to run.")


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch) -> str:
    """Where bots in Python are; the terminal of a test is in a folder of its own."""
    monkeypatch.syspath_prepend(ROOT)
    return "py:tests.server.guests:"


@pytest.mark.parametrize("name", ["First", "AtOnce"])
def test_one_in_python_plays_to_the_end(terminal: Terminal, guests: str, name: str) -> None:
    players = f"{guests}{name},chick"
    shown = terminal.run("play", "junior", "--players", players, "--seed", "1", "--record", "game")
    assert (shown.status, shown.err) == (0, "")
    assert outcome(final_state(read_record(Path("game").read_bytes()))) is not None


@pytest.mark.parametrize(
    ("name", "says"), [("Breaks", "ZeroDivisionError: at seat 0"), ("Cheats", "which is not legal")]
)
def test_one_in_python_that_misbehaves_ends_the_game_which_is_kept(
    terminal: Terminal, guests: str, name: str, says: str
) -> None:
    args = ("--players", f"{guests}{name},chick", "--first", "0", "--record", "game")
    shown = terminal.run("play", "junior", *args)
    assert shown.status == 1
    assert shown.err.startswith(f"heckmeck: {guests}{name} ")
    assert says in shown.err
    assert outcome(final_state(read_record(Path("game").read_bytes()))) is None


@pytest.mark.parametrize(
    "line",
    [
        "play junior --plain --players {guests}Hangs,chick --first 0 --record game",
        "arena --edition junior --bots {guests}Hangs,chick --games 2 --workers 1",
    ],
)
def test_ctrl_c_ends_one_in_python_that_hangs(guests: str, line: str, tmp_path: Path) -> None:
    args = line.format(guests=guests).split()
    with subprocess.Popen(
        [sys.executable, "-m", "heckmeck", *args],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "GUEST_HANGS": str(tmp_path / "hangs")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        deadline = time.monotonic() + 60
        while not (tmp_path / "hangs").exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
