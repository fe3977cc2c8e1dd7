"""The secrets of this device's seats, stored in one file."""

import contextlib
import json
import os
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from heckmeck.client.address import TableAddress

_SECRET_BYTES: Final = 24
#: The number of tables remembered; the least recently used are forgotten first.
MOST_TABLES: Final = 100


def new_secret() -> str:
    """Return a secret chosen by this client, so that a lost answer does no harm."""
    return urlsafe_b64encode(os.urandom(_SECRET_BYTES)).decode()


class KnownSeats:
    """The secrets of this device's seats, by table.

    Only the user can read the file. An unreadable file counts as empty: one can play without it.
    """

    def __init__(self, path: Path) -> None:
        """Store secrets in the file ``path``, which need not exist yet."""
        self._path = path

    def secrets(self, table: TableAddress) -> tuple[str, ...]:
        """Return the secrets of this device for a table."""
        return tuple(self._read().get(table.page, ()))

    def add(self, table: TableAddress, secret: str) -> None:
        """Remember a secret; raise `OSError` if the file cannot be written."""
        known = self._read()
        secrets = known.pop(table.page, [])
        known[table.page] = [*(each for each in secrets if each != secret), secret]
        self._write(dict([*known.items()][-MOST_TABLES:]))

    def _read(self) -> dict[str, list[str]]:
        try:
            data: object = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(data, dict):
            return {}
        return {
            str(page): [secret for secret in secrets if isinstance(secret, str)]
            for page, secrets in data.items()
            if isinstance(secrets, list)
        }

    def _write(self, known: Mapping[str, Sequence[str]]) -> None:
        """Write the file atomically, readable only by the user."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_name(f".{self._path.name}.{os.getpid()}.new")
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(known, file, indent=1)
            fresh.replace(self._path)
        except OSError:
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise
