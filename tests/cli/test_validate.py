"""`heckmeck validate`: every bad record is refused with the move's index and the reason."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from heckmeck.record import MAX_BYTES, Record, final_state, write_json, write_text
from heckmeck.rules import EDITIONS, outcome
from tests.bots.games import bot_game
from tests.cli.records import BAD_MOVE, BAD_MOVE_MESSAGE, FIRST_TURN, WITH_EVERYTHING
from tests.cli.terminal import Terminal


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("write", [write_json, write_text], ids=["json", "text"])
def test_a_whole_game_is_good(
    terminal: Terminal, edition: str, write: Callable[[Record], str]
) -> None:
    record = bot_game(edition, seats=3)
    end = outcome(final_state(record))
    assert end is not None
    winners = " and ".join(record.seats[seat] for seat in end.winners)
    Path("game").write_text(write(record))
    assert terminal.run("validate", "game") == (
        0,
        f"game: ok, {edition}, 3 players, {len(record.moves)} moves, won by {winners}\n",
        "",
    )


def test_a_game_that_was_left_is_good_too(terminal: Terminal) -> None:
    shown = terminal.run("validate", "-", typed=WITH_EVERYTHING)
    assert shown == (0, "-: ok, deluxe, 3 players, 15 moves, not finished\n", "")


def test_a_bad_move_is_refused_with_its_index_and_the_reason(terminal: Terminal) -> None:
    Path("game").write_text(BAD_MOVE)
    assert terminal.run("validate", "game") == (1, "", f"game: {BAD_MOVE_MESSAGE}\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "missing key `edition`"),
        ("{", "not JSON: "),
        ("{}", "missing key `heckmeck`"),
        (FIRST_TURN.replace("heckmeck: 1", "heckmeck: 2"), "format 2 is not supported"),
        (FIRST_TURN.replace("classic", "chess"), "There is no edition 'chess'."),
        (FIRST_TURN.replace("Ada, Ben", "Ada"), "classic is for 2 to 7 players, not for 1."),
        (FIRST_TURN.replace("first: 0", "first: 2"), "first must be a seat from 0 to 1, not 2."),
        (FIRST_TURN.replace("first: 0", "first: zero"), "line 4: not JSON: "),
        (FIRST_TURN.replace("first: 0", 'result: {"scores": [2, 0]}'), "there is a result, but "),
        (FIRST_TURN.replace("stop", "fry"), "move 6: 'fry' is not a move."),
        (FIRST_TURN + "stop\n", "move 7: stop is not allowed: nothing is kept yet."),
    ],
)
def test_whatever_is_wrong_is_said(terminal: Terminal, text: str, reason: str) -> None:
    shown = terminal.run("validate", "-", typed=text)
    assert (shown.status, shown.out) == (1, "")
    assert shown.err.startswith(f"-: {reason}")
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe",
        b"\0" * 1000,
        b"[" * 1_000_000,
        b'{"heckmeck": 1, "x": ' + b"[" * 1_000_000,
        b"x" * (MAX_BYTES + 1),
        b"roll " * 500_000,
    ],
    ids=["no UTF-8", "zeros", "nested", "nested inside", "huge", "many words"],
)
def test_any_bytes_can_be_checked(terminal: Terminal, data: bytes) -> None:
    shown = terminal.run("validate", "-", typed=data)
    assert (shown.status, shown.out) == (1, "")
    assert shown.err.count("\n") == 1
    assert len(shown.err) < 500


def test_several_files_are_all_checked(terminal: Terminal) -> None:
    Path("bad").write_text(BAD_MOVE)
    Path("good").write_text(FIRST_TURN)
    shown = terminal.run("validate", "good", "bad", "nowhere", "good")
    assert shown.status == 1
    assert shown.out == "good: ok, classic, 2 players, 7 moves, not finished\n" * 2
    assert shown.err.splitlines() == [
        f"bad: {BAD_MOVE_MESSAGE}",
        "nowhere: No such file or directory",
    ]


def test_several_good_files_are_good(terminal: Terminal) -> None:
    Path("one").write_text(FIRST_TURN)
    Path("two").write_text(WITH_EVERYTHING)
    shown = terminal.run("validate", "one", "two")
    assert (shown.status, shown.err) == (0, "")
    assert [line.split(":")[0] for line in shown.out.splitlines()] == ["one", "two"]


def test_a_directory_is_no_record(terminal: Terminal) -> None:
    Path("games").mkdir()
    assert terminal.run("validate", "games") == (1, "", "games: Is a directory\n")


def test_a_file_is_needed(terminal: Terminal) -> None:
    shown = terminal.run("validate")
    assert shown.status == 2
    assert "Missing argument 'FILE...'" in shown.err


def test_json_reports_every_file(terminal: Terminal) -> None:
    Path("good").write_text(FIRST_TURN)
    Path("bad").write_text(BAD_MOVE)
    Path("broken").write_text("{}")
    shown = terminal.run("validate", "--json", "good", "bad", "broken", "nowhere")
    assert (shown.status, shown.err) == (1, "")
    assert [json.loads(line) for line in shown.out.splitlines()] == [
        {
            "file": "good",
            "ok": True,
            "summary": "ok, classic, 2 players, 7 moves, not finished",
            "moves": 7,
        },
        {"file": "bad", "ok": False, "index": 2, "error": BAD_MOVE_MESSAGE},
        {"file": "broken", "ok": False, "index": None, "error": "missing key `heckmeck`"},
        {"file": "nowhere", "ok": False, "index": None, "error": "No such file or directory"},
    ]


def test_json_of_good_files_ends_with_status_0(terminal: Terminal) -> None:
    shown = terminal.run("validate", "--json", "-", typed=FIRST_TURN)
    assert shown.status == 0
    assert json.loads(shown.out)["ok"] is True
