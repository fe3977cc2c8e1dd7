"""A terminal of our own: runs `heckmeck` in this process, types for it and reads its screen."""

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from heckmeck.cli import main

#: Chooses one of the words a question offers.
Chooser = Callable[[list[str]], str]


class Shown(NamedTuple):
    """How a command ended, and what it wrote."""

    status: int
    out: str
    err: str


def files_here() -> list[str]:
    """The names of all files in the current directory."""
    return sorted(path.name for path in Path.cwd().iterdir())


class Screen(io.TextIOWrapper):
    """Standard output or error, as strict about its letters as a real one."""

    def __init__(self) -> None:
        self.written = io.BytesIO()
        super().__init__(self.written, encoding="utf-8", errors="strict", write_through=True)

    def text(self, start: int = 0) -> str:
        return self.written.getvalue()[start:].decode()


class Person(io.TextIOBase):
    """Reads each question on the screen and types one of the words it offers."""

    def __init__(self, screen: Screen, choose: Chooser) -> None:
        self._screen = screen
        self._choose = choose
        self._read = 0

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        new = self._screen.text(self._read)
        self._read = self._screen.written.tell()
        *_, question = new.splitlines()
        assert question.endswith(" > "), f"no question: {question!r}"
        offered = re.sub(r" \[.\]", "", question.removesuffix(" > ")).split(", ")
        return self._choose(offered) + "\n"


class Terminal:
    """Runs commands; what they read and write is ours."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def run(self, *args: str, typed: str | bytes = b"") -> Shown:
        """Run ``heckmeck *args`` with ``typed`` on standard input."""
        data = typed.encode() if isinstance(typed, str) else typed
        return self._run(args, Screen(), io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))

    def sit_down(self, *args: str, choose: Chooser) -> Shown:
        """Run ``heckmeck *args`` and answer each of its questions."""
        screen = Screen()
        return self._run(args, screen, Person(screen, choose))

    def _run(self, args: tuple[str, ...], out: Screen, typed: io.TextIOBase) -> Shown:
        err = Screen()
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", typed)
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = main(args)
        return Shown(status, out.text(), err.text())
