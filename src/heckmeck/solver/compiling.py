"""Compilation: where the machine code is cached, and a message for the user who has to wait.

Numba compiles a function on the first call and caches it on disk, so this happens once after an
installation and takes some seconds. Commands therefore announce on standard error what is being
compiled, and interfaces can ask, without importing Numba, whether that is why they have to wait.

In a page there is no Numba; there, `heckmeck.solver.webassembly` has the same functions, compiled
beforehand.
"""

import multiprocessing
import os
import stat
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from numba.core.event import Event

P = ParamSpec("P")
R = TypeVar("R")

#: ``tell`` announces what is compiled; anything else is quiet. Child processes inherit it.
VARIABLE: Final = "HECKMECK_COMPILING"
#: What is compiled, by the prefix of the module's name, and how many seconds all of it takes. The
#: first prefix that fits counts.
PARTS: Final = {
    "heckmeck.solver.": ("the odds", 10),
    "heckmeck.bulk.machine": ("bulk play", 60),
    "heckmeck.bulk.games": ("bulk play", 60),
    "heckmeck.bulk.observations": ("bulk play", 60),
    "heckmeck.bots.": ("bulk play", 60),
    "heckmeck.bulk.": ("the champions", 30),
    "heckmeck.values.": ("the champions", 30),
}


def in_page() -> bool:
    """Whether this is Python in a page, where one process does everything."""
    return sys.platform == "emscripten"


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile with Numba on the first call and cache the machine code on disk.

    It is cached next to the source, in the user's cache, in NUMBA_CACHE_DIR if set, or, if none of
    them is writable, in our own folder among the temporary files. Without even that, every process
    compiles for itself.
    """
    return _compile(function, {})


def compiled_lean(function: Callable[P, R]) -> Callable[P, R]:
    """Do the same for a function that creates no arrays, only views of those it is given.

    Without counting references to them, small functions are several times faster.
    """
    # Numba's own option for this has an underscore, and there is no other: references are counted
    # for every view that is passed to a function which is not inlined.
    return _compile(function, {"_nrt": False})


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Do the same for a function whose code becomes part of every function that calls it.

    Only for functions with few callers: a batch of games is passed on as 200 numbers, which takes
    longer than most of what is done with it, but code that is copied takes long to compile.
    """
    return _compile(function, {"_nrt": False, "forceinline": True})


def _compile(function: Callable[P, R], options: dict[str, bool]) -> Callable[P, R]:
    try:
        import numba
    except ImportError:  # in a page
        from heckmeck.solver.webassembly import called

        return called(function)
    _listen()
    # The options of `compiled_lean` are not among the annotated ones.
    njit = cast("Callable[..., Callable[[Callable[P, R]], Callable[P, R]]]", numba.njit)
    try:
        return njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:
        folder = _last_resort()
    if folder is None:
        return njit(nogil=True, **options)(function)
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined] # Numba makes them at runtime
    return njit(cache=True, nogil=True, **options)(function)


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


class _Waiting:
    """Is notified of everything that Numba compiles, but not of what it finds on disk."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: set[str] = set()
        self.under_way = 0

    def notify(self, event: "Event") -> None:
        """Note that a compilation has started or finished; Numba calls this."""
        with self._lock:
            self.under_way += 1 if event.is_start else -1
        if event.is_start:
            module: str = event.data["dispatcher"].py_func.__module__
            for what, seconds in [PARTS[part] for part in PARTS if module.startswith(part)][:1]:
                self._say(what, seconds)

    def _say(self, what: str, seconds: int) -> None:
        if what in self._said or os.environ.get(VARIABLE) != "tell" or not _speaks():
            return
        self._said.add(what)
        sys.stderr.write(
            f"heckmeck: compiling {what} (once per installation, about {seconds} seconds)...\n"
        )
        sys.stderr.flush()


def _speaks() -> bool:
    """Whether this process reports for all: workers compile the same functions simultaneously."""
    process = multiprocessing.current_process()
    return multiprocessing.parent_process() is None or process.name.endswith("-1")


_waiting: Final = _Waiting()


@cache
def _listen() -> None:
    from numba.core import event

    event.Listener.register(_Waiting)
    event.register("numba:compile", _waiting)  # type: ignore[no-untyped-call]


def is_compiling() -> bool:
    """Whether something is being compiled in this process."""
    return _waiting.under_way > 0
