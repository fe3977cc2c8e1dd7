"""`heckmeck play` as a real process: pipes, Ctrl-C, and a reader that goes away."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from heckmeck.record import final_state, read_record
from heckmeck.rules import outcome

#: A shell that runs the tests in the background tells its children to ignore Ctrl-C; this does not.
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from heckmeck.cli import main
sys.exit(main())
"""
SECONDS = 30


class Table:
    """A game in another process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self._typed = process.stdin
        self._shown = process.stdout

    def read_until(self, end: bytes) -> str:
        """Read what is shown up to ``end``."""
        shown = b""
        while not shown.endswith(end):
            letter = self._shown.read(1)
            assert letter, f"the output ended: {shown!r}"
            shown += letter
        return shown.decode()

    def questions(self) -> Iterator[list[str]]:
        """Yield the words that each question offers, until the output ends."""
        shown = b""
        while letter := self._shown.read(1):
            shown += letter
            if shown.endswith(b" > "):
                *_, question = shown.decode().removesuffix(" > ").splitlines()
                yield [word.split()[0] for word in question.split(", ")]
                shown = b""

    def type(self, answer: str) -> None:
        self._typed.write(f"{answer}\n".encode())
        self._typed.flush()

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def rest(self) -> tuple[int, str, str]:
        """Let it end by itself; return status, the rest of the output, and the errors."""
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out.decode(), err.decode()


@contextmanager
def table(directory: Path, *args: str) -> Iterator[Table]:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PROGRAM, "play", *args],
        cwd=directory,
        bufsize=0,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    ) as process:
        try:
            yield Table(process)
        finally:
            process.kill()


def test_a_whole_game_through_pipes(tmp_path: Path) -> None:
    with table(tmp_path, "junior", "--players", "Ada,random", "--seed", "2", "--record", "g") as t:
        for offered in t.questions():
            t.type(offered[-1])
        status, _, errors = t.rest()
    assert (status, errors) == (0, "")
    assert outcome(final_state(read_record((tmp_path / "g").read_bytes()))) is not None


@pytest.mark.parametrize("answers", [[], ["roll"]], ids=["before the first word", "in mid-turn"])
def test_ctrl_c_at_a_question_leaves_the_game_with_its_record(
    tmp_path: Path, answers: list[str]
) -> None:
    with table(tmp_path, "--players", "Ada,Ben", "--record", "game") as t:
        t.read_until(b" > ")
        for answer in answers:
            t.type(answer)
            t.read_until(b" > ")
        t.interrupt()
        status, shown, errors = t.rest()
    assert status == 130
    assert shown.endswith("The game stops here.\nThe record is in game.\n")
    assert errors == ""
    record = read_record((tmp_path / "game").read_bytes())
    assert len(record.moves) == 2 * len(answers)


def test_ctrl_c_while_bots_play_leaves_the_game_with_its_record(tmp_path: Path) -> None:
    """They show more than a pipe can hold, so that they are still at it."""
    with table(tmp_path, "--players", "random,random", "--seed", "1", "--record", "game") as t:
        for _ in range(5):
            t.read_until(b"The dice go to")
        t.interrupt()
        status, shown, errors = t.rest()
    assert (status, errors) == (130, "")
    assert shown.endswith("The record is in game.\n")
    record = read_record((tmp_path / "game").read_bytes())
    assert len(record.moves) > 10
    assert outcome(final_state(record)) is None


def test_ctrl_c_without_a_record_is_quiet_too(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "random,random", "--seed", "1") as t:
        t.read_until(b"The dice go to")
        t.interrupt()
        status, _, errors = t.rest()
    assert (status, errors) == (130, "")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_has_gone_ends_the_game_without_a_traceback(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "random,random", "--seed", "1") as t:
        t.read_until(b"\n")
        assert t.process.stdout
        assert t.process.stderr
        t.process.stdout.close()
        assert t.process.wait(timeout=SECONDS) == 1
        assert t.process.stderr.read() == b""


def test_the_end_of_input_leaves_the_game(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heckmeck", "play", "--players", "Ada,Ben", "--record", "game"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\nThe game stops here.\nThe record is in game.\n")
    assert read_record((tmp_path / "game").read_bytes()).moves == ()
