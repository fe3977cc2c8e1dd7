"""Ctrl-C, once and again and again: status 130, nothing lost that there was, no traceback."""

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from heckmeck.interrupts import one_interrupt
from tests.cli.records import FIRST_TURN
from tests.cli.terminal import Terminal

#: Each command with a function in which it spends its time.
COMMANDS = {
    "odds": ("heckmeck.coach.advice.odds", "odds"),
    "advise": ("heckmeck.coach.advice.advise", "advise game.txt"),
    "solve": ("heckmeck.solver.small_boards.solve_board", "solve --tiles 21-23"),
    "prepare": ("heckmeck.coach.preparing.prepare", "prepare"),
    "replay": ("heckmeck.cli.records.notation.replay", "replay game.txt"),
    "validate": ("heckmeck.cli.records.final_state", "validate game.txt"),
    "verify": ("heckmeck.cli.records.check_dice", "verify game.txt"),
    "convert": ("heckmeck.cli.records.load", "convert game.txt"),
    "bots": ("heckmeck.cli.info.narration.News", "bots"),
    "rules": ("heckmeck.cli.info.rulebook", "rules"),
}


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def press_thrice(*_: object, **__: object) -> None:
    """Press Ctrl-C, and again while what was under way is cleaned up."""
    try:
        press()
    finally:
        press()
        press()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_ends_with_130(
    terminal: Terminal, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("game.txt").write_text(FIRST_TURN)
    target, line = COMMANDS[name]
    monkeypatch.setattr(target, press_thrice)
    shown = terminal.run(*line.split())
    assert shown.status == 130
    assert shown.err.strip() == ""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_only_the_first_one_counts() -> None:
    done = []

    def work() -> None:
        try:
            press()
        finally:
            press()
            done.append("saved")
            press()

    with pytest.raises(KeyboardInterrupt), one_interrupt():
        work()
    assert done == ["saved"]
    press()  # until the process has ended
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_without_ctrl_c_everything_is_as_before() -> None:
    before = (signal.getsignal(signal.SIGINT), sys.unraisablehook)
    with one_interrupt():
        assert signal.getsignal(signal.SIGINT) is not before[0]
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == before


def test_who_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    """As behind `nohup`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with one_interrupt():
            press()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Callback:
    """Ctrl-C comes where Python can only print an exception: in a destructor."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._then = then

    def __del__(self) -> None:
        self._then()


def test_a_ctrl_c_in_a_destructor_is_not_lost(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        Callback(press)
        gc.collect()
        for _ in range(3000):
            time.sleep(0.01)
        raise AssertionError("it was lost")

    with pytest.raises(KeyboardInterrupt), one_interrupt():
        work()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    assert capsys.readouterr().err == ""


def test_other_errors_in_destructors_are_shown_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda ignored: seen.append(ignored.exc_type))

    def fail() -> None:
        raise ValueError("a bug")

    with one_interrupt():
        Callback(fail)
        gc.collect()
    assert seen == [ValueError]


def test_a_server_is_ended_by_ctrl_c_however_often(tmp_path: Path) -> None:
    """That is how people stop it, so it is done then: status 0."""
    command = [sys.executable, "-m", "heckmeck", "serve", "--port", "0", "--no-prepare"]
    command += ["--db", "x.sqlite3"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
    ) as process:
        assert process.stdout
        process.stdout.readline()
        process.stdout.close()
        _serves(tmp_path)
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        assert process.stderr
        assert (process.returncode, process.stderr.read()) == (0, "")


def _serves(folder: Path) -> None:
    """Wait until the tables are open: the server hears signals by then."""
    end = time.monotonic() + 60
    while not (folder / "x.sqlite3-wal").exists():
        assert time.monotonic() < end
        time.sleep(0.02)
