"""Compilation: where the machine code is cached, and a message for the user who has to wait.

Numba compiles a function on the first call and caches it on disk, so this happens once after an
installation and takes some seconds. Commands therefore announce on standard error what is being
compiled, and interfaces can ask whether that is why they have to wait.
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

#: ``tell`` announces what is compiled; anything else is quiet. Child processes inherit it.
VARIABLE: Final = "HECKMECK_COMPILING"
#: What is compiled, by the prefix of the module's name, and how many seconds that takes.
PARTS: Final = {
    "heckmeck.solver.": ("the odds", 10),
    "heckmeck.bots.champion.": ("the champions", 20),
}


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile with Numba on the first call and cache the machine code on disk.

    It is cached next to the source, in the user's cache, in NUMBA_CACHE_DIR if set, or, if none of
    them is writable, in our own folder among the temporary files. Without even that, every process
    compiles for itself.
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
    """Return a folder that only this user can write to, because its contents are executed."""
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
    """Is notified of everything that Numba compiles, but not of what it finds on disk."""

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
            f"heckmeck: compiling {what} (once per installation, about {seconds} seconds)...\n"
        )
        sys.stderr.flush()


def _speaks() -> bool:
    """Whether this process reports for all: workers compile the same functions simultaneously."""
    process = multiprocessing.current_process()
    return multiprocessing.parent_process() is None or process.name.endswith("-1")


_waiting: Final = _Waiting()
event.register("numba:compile", _waiting)  # type: ignore[no-untyped-call]
