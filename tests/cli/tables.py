"""`heckmeck` as a real process at a server's table, and answers for its questions."""

import asyncio
import codecs
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.client import create
from tests.server.serving import Server

#: A program that takes longer hangs, and is ended.
SECONDS = 90


def make_table(server: Server, edition: str = "classic", *bots: str, seats: int = 2) -> str:
    """Make a table whose bots take no time; return its link."""
    made = asyncio.run(create(server.url, edition, bots, seats=seats, pace=0, first=0))
    return f"{server.url}{made['path']}"


class Program:
    """A running `heckmeck` that is read and answered."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self.shown = ""
        self._typed = process.stdin
        self._shown = codecs.getreader("utf-8")(process.stdout)

    def questions(self) -> Iterator[list[str]]:
        """Yield the words that each question offers, until the output ends."""
        line = ""
        while letter := self._letter():
            line = "" if letter == "\n" else line + letter
            if line.endswith(" > "):
                yield [word.split()[0] for word in line[:-3].split(", ")]
                line = ""

    def read_until(self, text: str) -> None:
        """Read until ``text`` was shown."""
        while text not in self.shown:
            assert self._letter(), f"the output ended: {self.shown}"

    def _letter(self) -> str:
        """Return the next letter, and remember it; none at the end."""
        byte = self._shown.read(1, 1)
        self.shown += byte
        return byte

    def type(self, answer: str) -> None:
        self._typed.write(f"{answer}\n".encode())
        self._typed.flush()

    def wait(self) -> int:
        """Read to the end; return the exit status."""
        self._typed.close()
        self.shown += self._shown.read()
        return self.process.wait(60)


@contextmanager
def heckmeck(home: Path, *args: str) -> Iterator[Program]:
    """Run `heckmeck *args` with pipes, for somebody who lives in ``home``."""
    environment = {**os.environ, "HOME": str(home), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
    environment.pop("XDG_DATA_HOME", None)
    with subprocess.Popen(
        [sys.executable, "-m", "heckmeck", *args],
        cwd=home,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        patience = threading.Timer(SECONDS, process.kill)
        patience.start()
        try:
            yield Program(process)
        finally:
            patience.cancel()
            process.kill()


def choose(offered: list[str]) -> str:
    """Return an answer; games of such answers come to an end soon."""
    for word in ("start", "stop", "keep:W", "keep:5", "keep:6", "keep:B"):
        if word in offered:
            return word
    return offered[-1]
