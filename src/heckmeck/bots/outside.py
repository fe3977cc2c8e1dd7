"""A bot that is a separate program, in any language: the engine protocol in reverse.

We send a state, one JSON object per line, and the program answers with its move::

    {"do": "choose", "state": {...}, "seat": 0, "id": 1}
    {"id": 1, "move": "keep:4"}

Its name is ``exec:`` plus the command that starts it. ``docs/bots.md`` shows how to write one.
"""

import atexit
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from functools import cache
from queue import Empty, SimpleQueue
from typing import IO, Final

from heckmeck.dice import Luck
from heckmeck.record import BadJson, JsonValue, state_to_json
from heckmeck.record.json_text import decode, dumps, loads
from heckmeck.rules import AnyState, MalformedMove, Move, legal, parse, word

PREFIX: Final = "exec:"
#: The default time limit per move.
MOVE_SECONDS: Final = 5.0
#: Extra time for the first answer: the program has to start first.
START_SECONDS: Final = 10.0
#: The maximum length of a line, as in the engine protocol.
MAX_LINE: Final = 1024 * 1024
#: How much of a program's standard error is remembered: lines, and bytes per line.
COMPLAINT_LINES: Final = 12
COMPLAINT_BYTES: Final = 500
#: How long a program may take to exit once its input is closed.
GRACE_SECONDS: Final = 0.5


class UnknownBot(LookupError):
    """There is no bot of that name."""


class BotMisbehaved(RuntimeError):
    """An outside bot violated the protocol or the rules."""


class OutsidePlayer:
    """Asks a program for every move. The program is started for the first one and kept running."""

    def __init__(self, name: str, seconds: float = MOVE_SECONDS) -> None:
        """Use the program in the bot's name, with this time limit per move."""
        self._name = name
        self._command = command_of(name)
        self._seconds = seconds
        self._program: Program | None = None
        self._asked = 0

    def choose(self, state: AnyState, _: Luck) -> Move:
        """Ask the program; end it and raise `BotMisbehaved` if the answer is not a legal move."""
        try:
            return self._read(state, self._ask(state))
        except ProgramFailed as error:
            complaints = self.close()
            said = f" It wrote on standard error:\n{complaints}" if complaints else ""
            raise BotMisbehaved(f"{self._name} {error}.{said}") from error
        except KeyboardInterrupt:
            self.close()  # its late answer would be taken for the answer to the next question
            raise

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Ask for one table after the other."""
        return [self.choose(state, luck) for state, luck in zip(states, lucks, strict=True)]

    def close(self) -> str:
        """End the program, if it is running; return the last lines of its standard error."""
        if self._program is None:
            return ""
        program, self._program = self._program, None
        program.close()
        return program.complaints()

    def _ask(self, state: AnyState) -> bytes:
        seconds = self._seconds
        if self._program is None:
            self._program = Program(self._command)
            seconds += START_SECONDS
        self._asked += 1
        question = dumps(
            {"do": "choose", "state": state_to_json(state), "seat": state.seat, "id": self._asked}
        )
        return self._program.ask(question.encode(), seconds)

    def _read(self, state: AnyState, line: bytes) -> Move:
        """Return the move in the answer, which must be to the last question."""
        try:
            answer = loads(decode(line))
        except BadJson as error:
            raise ProgramFailed(f"answered {_short(line)}: {error}") from error
        if not isinstance(answer, dict):
            raise ProgramFailed(f"answered {_short(line)}, which is not a JSON object")
        if type(answer.get("id")) is not int or answer["id"] != self._asked:
            raise ProgramFailed(f"answered {_short(line)}, but the question's id was {self._asked}")
        return _legal_move(state, answer.get("move"), line)


def _legal_move(state: AnyState, text: JsonValue, line: bytes) -> Move:
    if not isinstance(text, str):
        raise ProgramFailed(f"answered {_short(line)}, whose move is not text")
    moves = legal(state)
    try:
        move = parse(text)
    except MalformedMove as error:
        raise ProgramFailed(f"chose {text!r:.40}, which is not a move: {error}") from error
    if move not in moves:
        instead = ", ".join(map(word, moves))
        raise ProgramFailed(f"chose {text!r:.40}, which is not legal here; legal are {instead}")
    return move


def _short(line: bytes) -> str:
    text = line.decode(errors="replace")
    return repr(text if len(text) <= 80 else f"{text[:80]}...")


def is_outside(name: str) -> bool:
    """Whether this is the name of an outside bot."""
    return name.startswith(PREFIX)


def command_of(name: str) -> list[str]:
    """Return program and arguments of an outside bot; raise `UnknownBot` if it cannot be run."""
    text = name.removeprefix(PREFIX)
    if os.name == "nt":
        text = text.replace("\\", "\\\\")  # they separate folders and do not escape anything
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise UnknownBot(f"{name!r:.80} is not a command: {error}.") from error
    if not command:
        raise UnknownBot(f"{PREFIX} needs a program, such as {PREFIX}./mybot.")
    if shutil.which(command[0]) is None:
        raise UnknownBot(
            f"There is no program {command[0]!r:.80} to run. Check its path and permissions."
        )
    return command


@cache
def outside_player(name: str, seconds: float) -> OutsidePlayer:
    """Return the player of that name, created once per process and ended with it."""
    player = OutsidePlayer(name, seconds)
    _PLAYERS.append(player)
    return player


def close_outside_players() -> None:
    """End all programs now; they are started again when needed."""
    for player in _PLAYERS:
        player.close()


_PLAYERS: Final[list[OutsidePlayer]] = []
atexit.register(close_outside_players)


# --- a program that answers line by line, within a time limit -------------------------------------


class ProgramFailed(RuntimeError):
    """The program did not answer properly; the message completes a sentence about it."""


class Program:
    """A running program: one line in, one line out.

    It runs in its own session, so that Ctrl-C in our terminal does not reach it. Its answers are
    read in a thread and only when requested: endless output fills its pipe, not our memory.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start the program; raise `ProgramFailed` if it cannot be started."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user named the program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramFailed(f"does not start: {error.strerror}") from error
        self._said: deque[bytes] = deque(maxlen=COMPLAINT_LINES)
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._is_asked = False
        self._talker = threading.Thread(target=self._talk, daemon=True)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._talker.start()
        self._listener.start()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the answer, without line ends; raise `ProgramFailed` otherwise.

        After a failure, only `close` may be called.
        """
        self._is_asked = True
        self._questions.put(line + b"\n")
        try:
            answer = self._answers.get(timeout=seconds)
        except Empty:
            raise ProgramFailed(f"did not answer within {seconds:g} s") from None
        if not answer:
            raise ProgramFailed(self._how_it_ended())
        if len(answer) > MAX_LINE:
            raise ProgramFailed(f"answered with a line of more than {MAX_LINE} bytes")
        self._is_asked = False
        return answer.rstrip(b"\r\n")

    def complaints(self) -> str:
        """Return the last lines of its standard error; complete after `close`."""
        return b"".join(self._said).decode(errors="replace").strip()

    def close(self) -> None:
        """End the program: by closing its input, or by force if it does not exit."""
        self._questions.put(None)
        if not self._is_asked:
            self._talker.join(GRACE_SECONDS)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_SECONDS)
        if self._process.poll() is None:
            self._kill()
        self._process.wait()
        for thread, streams in (
            (self._talker, (self._process.stdin, self._process.stdout)),
            (self._listener, (self._process.stderr,)),
        ):
            thread.join(GRACE_SECONDS)
            if not thread.is_alive():  # otherwise a child of the program still holds the other end
                for stream in streams:
                    _close(stream)

    def _kill(self) -> None:
        """Kill the program and its children."""
        if hasattr(os, "killpg"):
            os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def _talk(self) -> None:
        """Send each question and read its answer; an empty answer means the output has ended."""
        while (question := self._questions.get()) is not None:
            self._answers.put(self._exchange(question))
        _close(self._process.stdin)

    def _exchange(self, question: bytes) -> bytes:
        assert self._process.stdin
        assert self._process.stdout
        with contextlib.suppress(OSError):  # it ended; it may have answered before
            self._process.stdin.write(question)
            self._process.stdin.flush()
        return self._process.stdout.readline(MAX_LINE + 1)

    def _listen(self) -> None:
        assert self._process.stderr
        while line := self._process.stderr.readline(COMPLAINT_BYTES):
            self._said.append(line)

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        if status < 0:
            return f"was ended by {signal.Signals(-status).name} instead of answering"
        return f"ended with exit status {status} instead of answering"


def _close(stream: IO[bytes] | None) -> None:
    """Close one end of a pipe; data that could not be sent to a dead program is dropped."""
    with contextlib.suppress(OSError):
        if stream is not None:
            stream.close()
