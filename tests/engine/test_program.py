"""`python -m heckmeck engine` as another program meets it: a real process and its pipes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest

from heckmeck.record import JsonObject, JsonValue
from heckmeck.rules import EDITIONS
from tests.engine.talk import as_line, at, read_answer, text_at

ENGINE = [sys.executable, "-W", "error", "-m", "heckmeck", "engine"]


class Program:
    """An engine at the other end of two pipes."""

    def __init__(self, requests: IO[bytes], answers: IO[bytes]) -> None:
        self._requests = requests
        self._answers = answers

    def ask(self, do: str, **fields: JsonValue) -> JsonObject:
        self._requests.write(as_line({"do": do, **fields}))
        self._requests.flush()
        answer = read_answer(self._answers.readline())
        assert answer["ok"] is True, answer
        return answer


@contextmanager
def program() -> Iterator[Program]:
    """Start an engine; in the end it must leave with status 0, having said nothing else."""
    pipe = subprocess.PIPE
    with subprocess.Popen(ENGINE, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        yield Program(process.stdin, process.stdout)
        rest, errors = process.communicate(timeout=30)
        assert (process.returncode, rest, errors) == (0, b"", b"")


def play_to_the_end(engine: Program, edition: str, seats: int) -> JsonValue:
    """Let the engine throw and choose until nobody is awaited; return the last state."""
    state = at(engine.ask("new", edition=edition, seats=seats, seed=f"{edition} {seats}"), "state")
    while True:
        match at(state, "awaits"):
            case "dice":
                state = engine.ask("throw")["state"]
            case "player":
                move = text_at(engine.ask("choose", bot="random"), "move")
                state = engine.ask("play", moves=[move])["state"]
            case _:
                return state


@pytest.mark.parametrize(("edition", "seats"), [(name, 3) for name in EDITIONS])
def test_a_whole_game_through_pipes(edition: str, seats: int) -> None:
    with program() as engine:
        end = play_to_the_end(engine, edition, seats)
        assert at(end, "over") is True
        record = engine.ask("record")["record"]
        assert engine.ask("new", edition="classic", seats=2)["state"] != end
        assert engine.ask("load", record=record)["state"] == end
        assert engine.ask("record")["record"] == record
    checked = subprocess.run(
        [sys.executable, "-m", "heckmeck", "validate", "-"],
        input=json.dumps(record).encode(),
        capture_output=True,
        check=True,
    )
    assert checked.stdout.startswith(f"-: ok, {edition}, 3 players, ".encode())


def test_quit_ends_the_process_while_its_input_is_still_open() -> None:
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(as_line({"do": "quit"}))
        process.stdin.flush()
        assert process.wait(timeout=30) == 0
        assert process.stdout.read() == b'{"ok": true}\n'


def test_the_end_of_input_ends_the_process_quietly() -> None:
    done = subprocess.run(ENGINE, input=b"", capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_bad_lines_do_not_end_the_process() -> None:
    lines = b"\xff\n\n{\n" + b"x" * (1024 * 1024 + 1) + b"\n" + as_line({"do": "bots", "id": 5})
    done = subprocess.run(ENGINE, input=lines, capture_output=True, timeout=30, check=False)
    answers = [read_answer(line) for line in done.stdout.splitlines()]
    codes = [at(answer, "error", "code") for answer in answers[:-1]]
    assert codes == ["bad_json"] * 4
    assert answers[-1]["id"] == 5
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_reader_that_has_gone_ends_the_process_without_a_traceback() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(ENGINE, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(as_line({"do": "bots"}) * 3)
        process.stdin.close()
        assert process.wait(timeout=30) == 1
        assert process.stderr.read() == b""
