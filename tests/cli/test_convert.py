"""`heckmeck convert`: between the two forms, without loss, and never over another file."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from heckmeck.record import Record, read_record, write_json, write_text
from heckmeck.rules import EDITIONS
from tests.bots.games import bot_game
from tests.cli.records import BAD_MOVE, BAD_MOVE_MESSAGE, FIRST_TURN, WITH_EVERYTHING, read
from tests.cli.terminal import Terminal, files_here


@pytest.mark.parametrize("text", [FIRST_TURN, WITH_EVERYTHING])
def test_there_and_back_again_is_the_same(terminal: Terminal, text: str) -> None:
    there = terminal.run("convert", "-", "--to", "json", typed=text)
    assert there == (0, write_json(read(text)), "")
    assert json.loads(there.out)["seats"][0] == "Ada"
    back = terminal.run("convert", "-", "--to", "text", typed=there.out)
    assert back == (0, text, "")


@pytest.mark.parametrize("edition", EDITIONS)
def test_whole_games_lose_nothing(terminal: Terminal, edition: str) -> None:
    record = bot_game(edition)
    text = terminal.run("convert", "-", "--to", "text", typed=write_json(record)).out
    assert text == write_text(record)
    assert terminal.run("convert", "-", "--to", "json", typed=text).out == write_json(record)


@pytest.mark.parametrize("form", ["json", "text"])
def test_converting_into_the_same_form_tidies_up(terminal: Terminal, form: str) -> None:
    untidy = FIRST_TURN.replace("=11234WWW", "=W1W4W123  # a good start\n ")
    once = terminal.run("convert", "-", "--to", form, typed=untidy).out
    assert terminal.run("convert", "-", "--to", form, typed=once).out == once
    assert read(once) == read(FIRST_TURN)


def test_the_result_is_printed_as_text_unless_told(terminal: Terminal) -> None:
    Path("game.heckmeck.json").write_text(write_json(read(FIRST_TURN)))
    assert terminal.run("convert", "game.heckmeck.json") == (0, FIRST_TURN, "")


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("game.heckmeck.json", [], write_json),
        ("game.heckmeck.txt", [], write_text),
        ("game", [], write_text),
        ("game.heckmeck.json", ["--to", "text"], write_text),
        ("game.heckmeck.txt", ["--to", "json"], write_json),
    ],
)
def test_the_name_of_the_output_says_the_form_unless_told(
    terminal: Terminal, name: str, options: list[str], expected: Callable[[Record], str]
) -> None:
    shown = terminal.run("convert", "-", "-o", name, *options, typed=FIRST_TURN)
    assert shown == (0, "", "")
    assert Path(name).read_text() == expected(read(FIRST_TURN))
    assert files_here() == [name]


def test_names_in_any_language_survive(terminal: Terminal) -> None:
    text = FIRST_TURN.replace("Ada", "Ädä 🐛")
    terminal.run("convert", "-", "--output", "game.json", typed=text)
    assert "Ädä 🐛" in Path("game.json").read_text(encoding="utf-8")
    assert terminal.run("convert", "game.json").out == text


def test_lines_end_alike_on_every_machine(terminal: Terminal) -> None:
    terminal.run("convert", "-", "-o", "game.txt", typed=FIRST_TURN)
    assert Path("game.txt").read_bytes() == FIRST_TURN.encode()


# --- a file that already exists -------------------------------------------------------------------


def test_a_file_that_is_there_is_left_alone(terminal: Terminal) -> None:
    Path("game.txt").write_text("my only game")
    shown = terminal.run("convert", "-", "-o", "game.txt", typed=FIRST_TURN)
    assert shown == (
        1,
        "",
        "heckmeck: game.txt already exists. Choose another name, or add --force.\n",
    )
    assert Path("game.txt").read_text() == "my only game"
    assert files_here() == ["game.txt"]


def test_force_replaces_it(terminal: Terminal) -> None:
    Path("game.txt").write_text("my only game")
    assert terminal.run("convert", "-", "-o", "game.txt", "--force", typed=FIRST_TURN).status == 0
    assert Path("game.txt").read_text() == FIRST_TURN


def test_force_writes_a_new_file_too(terminal: Terminal) -> None:
    assert terminal.run("convert", "-", "-o", "game.txt", "--force", typed=FIRST_TURN).status == 0
    assert Path("game.txt").read_text() == FIRST_TURN


def test_a_file_can_be_converted_onto_itself(terminal: Terminal) -> None:
    Path("game").write_text(FIRST_TURN)
    assert terminal.run("convert", "game", "-o", "game", "--to", "json", "--force").status == 0
    assert read_record(Path("game").read_bytes()) == read(FIRST_TURN)


def test_a_bad_record_writes_nothing(terminal: Terminal) -> None:
    Path("game.txt").write_text("my only game")
    for name in ("game.txt", "new.txt"):
        shown = terminal.run("convert", "-", "-o", name, "--force", typed=BAD_MOVE)
        assert shown == (1, "", f"heckmeck: -: {BAD_MOVE_MESSAGE}\n")
    assert Path("game.txt").read_text() == "my only game"
    assert files_here() == ["game.txt"]


def test_a_new_file_has_the_rights_that_new_files_have(terminal: Terminal) -> None:
    Path("other").touch()
    terminal.run("convert", "-", "-o", "game.txt", typed=FIRST_TURN)
    assert Path("game.txt").stat().st_mode == Path("other").stat().st_mode


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """`ulimit -f 0` lets no file grow, as if there were no room left."""
    (tmp_path / "game.txt").write_text("my only game")
    command = f'ulimit -f 0; exec "{sys.executable}" -m heckmeck convert - -o game.txt --force'
    done = subprocess.run(
        ["sh", "-c", command],
        input=FIRST_TURN,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "heckmeck: game.txt: File too large\n"
    assert (tmp_path / "game.txt").read_text() == "my only game"
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (["nowhere"], 1, "heckmeck: nowhere: No such file or directory\n"),
        (["-", "-o", "no/where.txt"], 1, "heckmeck: no/where.txt: No such file or directory\n"),
        (["-", "-o", "."], 2, "File '.' is a directory."),
        (["-", "--to", "pdf"], 2, "'pdf' is not one of 'json', 'text'."),
        ([], 2, "Missing argument 'FILE'."),
    ],
)
def test_mistakes_are_explained(
    terminal: Terminal, args: list[str], status: int, message: str
) -> None:
    shown = terminal.run("convert", *args, typed=FIRST_TURN)
    assert (shown.status, shown.out) == (status, "")
    assert message in shown.err
