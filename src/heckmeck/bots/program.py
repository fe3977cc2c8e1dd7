"""A program that answers line by line, within a time limit."""

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from typing import IO, Final

#: The maximum length of a line, as in the engine protocol.
MAX_LINE: Final = 1024 * 1024
#: How much of a program's standard error is remembered: lines, and bytes per line.
COMPLAINT_LINES: Final = 12
COMPLAINT_BYTES: Final = 500
#: How long a program may take to exit once its input is closed.
GRACE_SECONDS: Final = 0.5


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
