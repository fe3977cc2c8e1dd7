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
from threading import Lock
from typing import Final, Self

from heckmeck.server.store.errors import StoreError

#: How long a server may take to write its address after taking the lock.
PATIENCE_SECONDS: Final = 5.0
_STEP: Final = 0.05
#: Offset of the lock: far beyond the text, because locked bytes cannot be read on Windows.
_FAR: Final = 1 << 30


class AlreadyServed(StoreError):
    """Another process serves the tables, at ``url`` (empty if unknown)."""

    def __init__(self, database: Path, url: str) -> None:
        """Store the address."""
        self.url = url
        super().__init__(
            f"The tables in {database} are already being served{f' at {url}' if url else ''}. Use "
            "that server, stop it first, or choose other tables with --db."
        )


class Claim:
    """The right to serve a database, until every holder in this process has closed it."""

    def __init__(self, place: Path, descriptor: int) -> None:
        """Hold the locked file."""
        self._place = place
        self._descriptor = descriptor
        self._holders = 1

    def announce(self, url: str) -> None:
        """Record the address at which the tables are served."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, json.dumps({"url": url}).encode())

    def share(self) -> Self:
        """Add a holder."""
        self._holders += 1
        return self

    def close(self) -> None:
        """Remove a holder; the last one releases the lock."""
        with _lock:
            self._holders -= 1
            if not self._holders:
                del _held[self._place]
                os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


#: The claims of this process, and the lock that guards them.
_held: Final[dict[Path, Claim]] = {}
_lock: Final = Lock()


def claimed(database: Path) -> Claim:
    """Return the claim on an SQLite file; raise `AlreadyServed` if another process holds it.

    Raise `OSError` if the lock file cannot be written.
    """
    with _lock:
        return _claimed(database)


def shared(database: Path) -> Claim:
    """Return the claim as `claimed` does, or share the one that this process already holds."""
    with _lock:
        claim = _held.get(database.resolve())
        return _claimed(database) if claim is None else claim.share()


def _claimed(database: Path) -> Claim:
    place = database.resolve()
    note = _note(place)
    descriptor = os.open(note, os.O_RDWR | os.O_CREAT, 0o600)
    if not try_lock(descriptor):
        os.close(descriptor)
        raise AlreadyServed(database, _address_in(note))
    claim = _held[place] = Claim(place, descriptor)
    claim.announce("")
    return claim


def _note(place: Path) -> Path:
    return place.with_name(f"{place.name}.server")


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
