"""Compiling what a server's bots need in the background: once, at low priority."""

import hashlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from heckmeck.arena.interrupts import deaf_to_ctrl_c
from heckmeck.record.folders import data_folder
from heckmeck.server.orphans import when_parent_ends
from heckmeck.server.store.claim import try_lock

#: The packages that contain compiled functions.
_SOURCES: Final = ("solver", "bots")
_LOWEST: Final = 19


def is_prepared() -> bool:
    """Whether everything is compiled for this installation and unchanged since."""
    try:
        return _note().read_bytes() == _fingerprint().encode()
    except OSError:  # never written, or unreadable
        return False


def remember_prepared() -> None:
    """Note that everything is compiled; if the note cannot be written, it is done again."""
    note = _note()
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(_fingerprint(), encoding="utf-8")
    except OSError:
        return


def start_preparing() -> BaseProcess | None:
    """Start compiling in a process that ends with this one; return None if already done."""
    if is_prepared():
        return None
    process = multiprocessing.get_context("spawn").Process(
        target=_prepare, name="heckmeck prepare", daemon=True
    )
    with deaf_to_ctrl_c():
        process.start()
    return process


def _prepare() -> None:
    """Compile everything, unless another process is doing so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    when_parent_ends(lambda: os._exit(0))
    _give_way()
    with _alone() as alone:
        if alone and not is_prepared():
            from heckmeck.coach import preparing

            for part in preparing.parts():
                preparing.prepare(part)
            remember_prepared()


def _give_way() -> None:
    """Lower the priority of this process."""
    if sys.platform == "win32":
        import ctypes

        below_normal = 0x4000
        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), below_normal)
    else:
        os.nice(_LOWEST)


@contextmanager
def _alone() -> Iterator[bool]:
    """Yield whether this is the user's only preparing process, and lock out others."""
    note = _note()
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(note.with_name("prepare.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # nowhere to write a lock, for any process
        yield True
        return
    try:
        yield try_lock(descriptor)
    finally:
        os.close(descriptor)


def _note() -> Path:
    return data_folder() / "prepared"


def _fingerprint() -> str:
    """Return a digest that changes whenever something has to be compiled again."""
    package = Path(__file__).parent.parent
    facts = [sys.version, metadata.version("numba"), str(package)]
    for folder in _SOURCES:
        for path in sorted((package / folder).rglob("*.py")):
            found = path.stat()
            facts.append(f"{path.name} {found.st_mtime_ns} {found.st_size}")
    return hashlib.sha256("\n".join(facts).encode(errors="surrogateescape")).hexdigest()
