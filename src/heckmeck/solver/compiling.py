"""Compiling: where the machine code is kept, and a word to the person who has to wait for it.

Numba compiles a function when it is first called and keeps it on disk, so this happens once after
an installation. Until then nothing moves for some seconds; a command therefore says on standard
error what is being compiled, and interfaces can ask whether that is why they wait.
"""

import multiprocessing
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from numba import config, njit
from numba.core import event

from heckmeck.solver import under_way

P = ParamSpec("P")
R = TypeVar("R")

#: ``tell``: say what is compiled; anything else: be quiet. Processes inherit it.
VARIABLE: Final = "HECKMECK_COMPILING"
#: What is compiled, by the beginning of its module's name, and about how long that takes.
PARTS: Final = {
    "heckmeck.solver.": ("the odds", 10),
    "heckmeck.bots.champion.": ("the champions", 20),
}


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile with Numba at the first call and keep the machine code on disk.

    It is kept beside the source, in the user's cache, in NUMBA_CACHE_DIR if that is set, or, where
    none of them can be written, in a folder of ours among the temporary files. Without even that
    every process compiles for itself.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:
        folder = _last_resort()
    if folder is None:
        return njit(nogil=True)(function)
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined] # Numba makes them at runtime
    return njit(cache=True, nogil=True)(function)


def _last_resort() -> Path | None:
    """Return a folder that nobody but this user can write to: what is kept there is executed."""
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir(), f"heckmeck-compiled-{owner}")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    ours = not hasattr(os, "getuid") or found.st_uid == owner
    alone = not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or os.name == "nt"
    return folder if ours and alone and stat.S_ISDIR(found.st_mode) else None


# --- a word to the person who waits ---------------------------------------------------------------


class _Waiting(event.Listener):
    """Hears of everything that Numba compiles; what it finds on disk is not compiled."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def on_start(self, event: event.Event) -> None:
        under_way.begin()
        module: str = event.data["dispatcher"].py_func.__module__
        for beginning in PARTS:
            if module.startswith(beginning):
                self._say(beginning)

    def on_end(self, event: event.Event) -> None:
        under_way.end()

    def _say(self, part: str) -> None:
        if part in self._said or os.environ.get(VARIABLE) != "tell" or not _speaks():
            return
        self._said.add(part)
        what, seconds = PARTS[part]
        sys.stderr.write(
            f"heckmeck: compiling {what}, once after an installation: about {seconds} seconds ...\n"
        )
        sys.stderr.flush()


def _speaks() -> bool:
    """Whether this process speaks for all: workers compile the same things at the same time."""
    process = multiprocessing.current_process()
    return multiprocessing.parent_process() is None or process.name.endswith("-1")


_waiting: Final = _Waiting()
event.register("numba:compile", _waiting)  # type: ignore[no-untyped-call]
