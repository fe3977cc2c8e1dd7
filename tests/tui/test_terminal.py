"""The table in a real terminal: keys, mouse, signals, `kill -9`, and going on after each."""

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from heckmeck.record import Record, read_record
from heckmeck.rules import word
from tests.tui.terminal import PROGRAM, RealTerminal, environment_in, terminal

PLAY = ("play", "classic", "--players", "Ada,Ben", "--first", "0", "--seed", "7")


def games(folder: Path) -> list[Path]:
    return sorted((folder / "data" / "heckmeck" / "games").glob("*"))


def saved(folder: Path) -> Record:
    (path,) = games(folder)
    return read_record(path.read_bytes())


def words(record: Record) -> list[str]:
    return [word(move) for move in record.moves]


def roll_and_keep(shown: RealTerminal) -> None:
    shown.wait_for("Roll 8")
    shown.type("r")
    shown.wait_for("│ W │")
    shown.type("w")
    shown.wait_for(r"= \d+  worm")


def test_keys_and_mouse(tmp_path: Path) -> None:
    with terminal(tmp_path, *PLAY) as shown:
        shown.wait_for("Roll 8")
        shown.click(*shown.place_of("Roll 8"))
        shown.wait_for("│ W │")
        shown.click(*shown.place_of("│ W │"))
        shown.wait_for(r"= \d+  worm")
        shown.type("q")
        assert shown.end() == 0
        assert "The game is saved in" in shown.text()
        assert "heckmeck play --resume" in shown.text()
    assert words(saved(tmp_path))[0] == "roll"
    assert words(saved(tmp_path))[2] == "keep:W"


def press_ctrl_c(shown: RealTerminal) -> None:
    shown.type("\x03")


def terminate(shown: RealTerminal) -> None:
    shown.send(signal.SIGTERM)


def kill(shown: RealTerminal) -> None:
    shown.send(signal.SIGKILL)


@pytest.mark.parametrize(
    ("leave", "status"),
    [
        (press_ctrl_c, 130),
        (terminate, 128 + signal.SIGTERM),
        (RealTerminal.hang_up, 128 + signal.SIGHUP),
        (kill, -signal.SIGKILL),
    ],
    ids=["Ctrl-C", "SIGTERM", "a closed window", "kill -9"],
)
def test_nothing_is_lost_and_the_game_goes_on(
    tmp_path: Path, leave: Callable[[RealTerminal], None], status: int
) -> None:
    with terminal(tmp_path, *PLAY) as shown:
        roll_and_keep(shown)
        leave(shown)
        assert shown.end() == status
    left = words(saved(tmp_path))
    assert [left[0], left[2]] == ["roll", "keep:W"]
    with terminal(tmp_path, "play", "--resume") as shown:
        shown.wait_for(r"= \d+  worm")
        shown.type("r")
        shown.wait_for(r"(?s)Ada rolls.*Ada rolls")
        shown.type("q")
        assert shown.end() == 0
    assert words(saved(tmp_path))[:4] == [*left, "roll"]


def test_no_color_is_obeyed(tmp_path: Path) -> None:
    with terminal(tmp_path, *PLAY, NO_COLOR="1") as shown:
        roll_and_keep(shown)
        shown.type("q")
        assert shown.end() == 0
    styles = re.findall(rb"\x1b\[([0-9;]*)m", shown.written)
    assert styles
    assert not [style for style in styles if re.search(rb"(^|;)(3|4|9|10)[0-8](;|$)", style)]


def test_a_light_terminal_says_so(tmp_path: Path) -> None:
    with terminal(tmp_path, *PLAY, COLORFGBG="") as shown:
        shown.type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;c")
        shown.wait_for("Roll 8")
    assert b"48;2;236;220;189" in shown.written


def test_a_terminal_that_knows_only_lines_gets_lines(tmp_path: Path) -> None:
    with terminal(tmp_path, *PLAY, TERM="dumb") as shown:
        shown.wait_for(r"roll \[r\] >")
        shown.type("q\n")
        assert shown.end() == 0
    assert b"\x1b[" not in shown.written


def test_a_game_is_visible_although_errors_go_elsewhere(tmp_path: Path) -> None:
    """The table is drawn on standard error; where that is a file, lines are printed."""
    with terminal(tmp_path, *PLAY, errors_to=tmp_path / "errors") as shown:
        shown.wait_for(r"roll \[r\] >")
        shown.type("q\n")
        assert shown.end() == 0
    assert (tmp_path / "errors").read_bytes() == b""


def test_german(tmp_path: Path) -> None:
    with terminal(tmp_path, *PLAY, LC_ALL="de_DE.UTF-8") as shown:
        assert "Ada, du bist dran" in shown.wait_for("Mit 8 würfeln")


def test_a_plain_game_in_a_terminal_is_saved_too(tmp_path: Path) -> None:
    with terminal(tmp_path, *PLAY, "--plain") as shown:
        shown.wait_for(r"roll \[r\] >")
        shown.type("r\n")
        shown.wait_for("keep:W")
        shown.type("q\n")
        assert shown.end() == 0
        assert "The game stops here." in shown.text()
    assert words(saved(tmp_path))[0] == "roll"
    with terminal(tmp_path, "play", "--resume", "--plain") as shown:
        shown.wait_for("keep:W")


def test_without_a_terminal_it_is_played_line_by_line_and_nothing_is_kept(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, *PLAY],
        cwd=tmp_path,
        env=environment_in(tmp_path),
        input="roll\nq\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "roll [r] > Ada rolls " in done.stdout
    assert games(tmp_path) == []


#: tmux is a terminal that people use; where it is not installed the tests above have to do.
TMUX = shutil.which("tmux")


def play_in_tmux(tmux: str, tmp_path: Path) -> None:
    socket = ["-S", str(tmp_path / "socket")]
    command = [sys.executable, "-m", "heckmeck", *PLAY]
    environment = environment_in(tmp_path)
    start = [tmux, *socket, "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24"]

    def run(*args: str) -> str:
        done = subprocess.run(
            [tmux, *socket, *args], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def wait_for(text: str) -> str:
        until = time.monotonic() + 60
        while text not in (shown := run("capture-pane", "-p")):
            assert time.monotonic() < until, shown
            time.sleep(0.1)
        return shown

    subprocess.run([*start, *command], env=environment, check=True)
    try:
        assert "Ada, your turn" in wait_for("Roll 8")
        run("send-keys", "r")
        wait_for("Ada rolls")
        run("send-keys", "w")
        assert "worm" in wait_for("U take back")
    finally:
        run("kill-server")
    assert words(saved(tmp_path))[2] == "keep:W"


if TMUX is not None:

    def test_in_tmux(tmp_path: Path) -> None:
        play_in_tmux(str(TMUX), tmp_path)
