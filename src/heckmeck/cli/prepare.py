"""`heckmeck prepare`: compiling what bots need, now or in the background of a server."""

import hashlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import metadata
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

import click

from heckmeck.cli.printing import counted_progress
from heckmeck.installation import data_folder
from heckmeck.interrupts import deaf_to_ctrl_c
from heckmeck.server.store.sqlite_file import try_lock
from heckmeck.server.thinking import when_parent_ends

#: The packages that contain compiled functions.
_SOURCES: Final = ("bots", "bulk", "solver", "training", "values")
_LOWEST: Final = 19


@click.command()
@click.option("--quiet", is_flag=True, help="Print nothing.")
def prepare(quiet: bool) -> None:
    """Precompile what the bots and the coach need, so that nobody has to wait at the table.

    Takes about two minutes, once per installation; what is already compiled is kept. Without it,
    the champion's first move and the first hint take a few seconds longer. A server does this by
    itself, in the background.

    \b
    Example:
      $ heckmeck prepare
    """
    from heckmeck.coach import preparing

    os.environ["HECKMECK_COMPILING"] = "quiet"  # the progress bar shows it
    began = time.perf_counter()
    parts = preparing.parts()
    with counted_progress("Compiling", len(parts), hidden=quiet) as advance:
        for part in parts:
            preparing.prepare(part)
            advance(1)
    remember_prepared()
    if not quiet:
        click.echo(f"The bots and the coach are ready ({time.perf_counter() - began:.0f} s).")


# --- in the background ----------------------------------------------------------------------------


def is_prepared() -> bool:
    """Whether everything is compiled for this installation and unchanged since."""
    try:
        return _note().read_bytes() == _fingerprint().encode()
    except OSError:  # never written, or unreadable
        return False


def remember_prepared() -> None:
    """Note that everything is compiled; if the note cannot be written, it is done again."""
    note = _note()
    with suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(_fingerprint(), encoding="utf-8")


def start_preparing() -> BaseProcess | None:
    """Start compiling in a process that ends with this one; return None if already done."""
    import multiprocessing

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
