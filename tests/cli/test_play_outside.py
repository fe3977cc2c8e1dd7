"""`heckmeck play` with a bot that is a program of its own."""

from pathlib import Path

from heckmeck.record import final_state, read_record
from heckmeck.rules import outcome
from tests.bots.programs import bot_name
from tests.cli.terminal import Terminal


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
