"""One server per SQLite file, and how a second one finds the first.

A server's changes reach only the people connected to it, so a file is served by one process at a
time. That process holds a lock on a file next to the database, which contains its address. The
system releases the lock when the process ends, however it ends.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Final, Self

#: How long a server may take to write its address after taking the lock.
PATIENCE_SECONDS: Final = 5.0
_STEP: Final = 0.05
#: Offset of the lock: far beyond the text, because locked bytes cannot be read on Windows.
_FAR: Final = 1 << 30


class AlreadyServed(Exception):
    """Another process serves these tables, at ``url`` (empty if unknown)."""

    def __init__(self, url: str) -> None:
        """Store the address."""
        super().__init__(url)
        self.url = url


class Claim:
    """The right to serve a database, until it is closed."""

    def __init__(self, descriptor: int) -> None:
        """Hold the locked file."""
        self._descriptor = descriptor

    def announce(self, url: str) -> None:
        """Write down the address at which the tables are served."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, json.dumps({"url": url}).encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


def claimed(database: Path) -> Claim:
    """Return the claim on an SQLite file; raise `AlreadyServed` if another process holds it.

    Raise `OSError` if the lock file cannot be written.
    """
    place = database.resolve()
    note = place.with_name(f"{place.name}.server")
    descriptor = os.open(note, os.O_RDWR | os.O_CREAT, 0o600)
    if not try_lock(descriptor):
        os.close(descriptor)
        raise AlreadyServed(_address_in(note))
    claim = Claim(descriptor)
    claim.announce("")
    return claim


def _address_in(note: Path) -> str:
    """Return the address written by the holder of the claim, after waiting briefly for it."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            url: str = json.loads(note.read_text(encoding="utf-8"))["url"]
        except (ValueError, KeyError, TypeError):  # it is being written
            url = ""
        if url or time.monotonic() > until:
            return url
        time.sleep(_STEP)


def try_lock(descriptor: int) -> bool:
    """Lock a file until it is closed; return whether the lock was free."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
