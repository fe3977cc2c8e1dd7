"""Where only ASCII can be written something readable stands in, never an escape or a traceback."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import heckmeck.narration
from heckmeck.cli.printing import stand_in
from heckmeck.narration import languages

ROOT = Path(__file__).parents[2]
LETTERS = {chr(code) for code in range(128)}
COMMANDS = (
    *(["rules", "deluxe", "--language", language] for language in languages()),
    ["bots", "--language", "fr"],
    ["replay", "game.txt", "--language", "de"],
    ["validate", "game.txt", "bad.txt", "Jürgen.txt"],
    ["odds", "--kept", "44W"],
    ["arena", "--bots", "rooster,chick", "--games", "4", "--edition", "junior"],
    ["--help"],
)
GAME = """\
edition: classic
seats: Jürgen, Đorđe, Ελένη

roll =11234WWW keep:W roll =12455 keep:5 stop
"""
RUN_ALL = """
import json, os, sys
from heckmeck.cli import main
for command in json.loads(sys.argv[1]):
    main([os.fsdecode(part.encode()) for part in command])
"""
#: Ways to say that a terminal, or whatever reads a pipe, knows nothing but ASCII.
ASCII = {
    "LANG": {"LANG": "C"},
    "LC_ALL": {"LC_ALL": "C"},
    "POSIX": {"LC_ALL": "POSIX"},
    "no UTF-8 mode": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "PYTHONIOENCODING": {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "ascii"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.txt").write_text(GAME, encoding="utf-8")
    (tmp_path / "bad.txt").write_text(GAME.replace("keep:5", "keep:6"), encoding="utf-8")
    return tmp_path


def environment(settings: dict[str, str]) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **settings}


def run(commands: object, folder: Path, settings: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALL, json.dumps(commands)],
        cwd=folder,
        env=environment(settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=True,
    )
    return done.stdout.decode("utf-8")


@pytest.mark.parametrize("how", ASCII)
def test_ascii_is_ascii(folder: Path, how: str) -> None:
    written = run(COMMANDS, folder, ASCII[how])
    assert written.isascii()
    assert not re.search(r"\\[ux]|Traceback", written)
    assert re.search(r"^ 21 +[\d.]+% +#+ +[\d.]+% +#+ *$", written, re.MULTILINE)
    assert re.search(r"^rooster +\d+ \+- \d+", written, re.MULTILINE)
    assert "wuerfelst du weiter" in written
    assert "de cote" in written
    assert "racion" in written
    assert "Juergen.txt: No such file or directory" in written
    assert "Juergen beginnt." in written


def test_what_can_be_written_is_written(folder: Path) -> None:
    written = run(COMMANDS, folder, {"LC_ALL": "C.UTF-8"})
    assert "Jürgen beginnt." in written
    assert "█" in written
    assert "Đorđe" in written


def test_nobody_said_anything_about_letters(folder: Path) -> None:
    """As in most containers: Python writes UTF-8 there, and so do we."""
    assert "Du würfelst" in run([["rules", "--language", "de"]], folder, {})


def test_a_record_is_utf8_wherever_it_goes(folder: Path) -> None:
    assert "Ελένη" in run([["convert", "game.txt"]], folder, ASCII["no UTF-8 mode"])


def test_a_terminal_for_ascii_without_colours(folder: Path) -> None:
    ours, theirs = pty.openpty()
    settings = {**ASCII["LC_ALL"], "NO_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "60"}
    with subprocess.Popen(
        [sys.executable, "-m", "heckmeck", "odds"],
        cwd=folder,
        env=environment(settings),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 4096):
                seen += part
        except OSError:  # how a terminal ends
            pass
        finally:
            os.close(ours)
    assert process.returncode == 0
    text = seen.decode("ascii")
    assert "###" in text
    assert "1.6%" in text
    assert not re.search(r"\x1b\[[\d;]*(3|9|4|10)\d[;m]", text)


def texts() -> str:
    folder = Path(heckmeck.narration.__file__).parent
    return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.json")))


def test_every_letter_of_every_language_has_a_stand_in() -> None:
    for letter in sorted(set(texts()) - LETTERS):
        written, end = stand_in(UnicodeEncodeError("ascii", letter, 0, 1, "not ASCII"))
        assert end == 1
        assert set(written) <= LETTERS
        assert written != "?", letter
        assert written or letter in "¿¡", letter


def test_other_errors_are_not_handled() -> None:
    with pytest.raises(UnicodeDecodeError):
        stand_in(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"))
