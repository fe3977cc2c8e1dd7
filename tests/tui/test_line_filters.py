"""The table on terminals that do not have all of its signs."""

import io
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from heckmeck.tui.line_filters import stand_in, stand_ins_for
from tests.tui.terminal import terminal
from tests.tui.test_screens import SCREENS

PLAY = ("play", "deluxe", "--players", "Zoë,Ben", "--first", "0", "--seed", "7")


@pytest.mark.parametrize("path", sorted(SCREENS.iterdir()), ids=lambda path: path.stem)
def test_every_screen_can_be_written_in_ascii(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        shown = stand_in(line, "ascii")
        assert shown.isascii(), (shown, line)
        assert cell_len(shown) == cell_len(line)
        assert shown.count("?") == line.count("?"), (shown, line)


def test_what_has_no_stand_in_keeps_its_width() -> None:
    assert stand_in("für Ödön: 漢字 ✓", "ascii") == "fur Odon: ???? ?"
    assert stand_in("für Ödön ▸", "latin-1") == "für Ödön >"
    assert stand_in("╭─╮ ▸25◂ …", "linux") == "┌─┐ ►25◄ ."


@pytest.mark.parametrize(
    ("encoding", "term", "expected"),
    [
        ("utf-8", "xterm-256color", None),
        ("utf-8", "linux", "linux"),
        ("ascii", "linux", "ascii"),
        ("iso8859-1", "xterm", "iso8859-1"),
    ],
)
def test_where_signs_have_to_stand_in(encoding: str, term: str, expected: str | None) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert stand_ins_for(stream, {"TERM": term}) == expected


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_table_in_ascii(tmp_path: Path, language: str) -> None:
    with terminal(tmp_path, *PLAY, "--language", language, PYTHONIOENCODING="ascii") as shown:
        shown.wait_for("Roll 8|Mit 8 w.+rfeln")
        shown.type("r")
        shown.wait_for(r"\| W \|")
        shown.type("q")
        assert shown.end() == 0
    assert re.sub(rb"\x1b[^a-zA-Z]*[a-zA-Z]", b"", shown.written).isascii()
    assert b"\\u2" not in shown.written
    assert b"\\xe" not in shown.written


def test_a_table_on_the_console_of_linux(tmp_path: Path) -> None:
    with terminal(tmp_path, *PLAY, TERM="linux") as shown:
        shown.wait_for("Roll 8")
        shown.type("r")
        shown.wait_for("┌───┐")
        shown.type("q")
        assert shown.end() == 0
