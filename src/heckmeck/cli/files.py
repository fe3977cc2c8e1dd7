"""Reading and writing records for the commands."""

import os
import sys
from pathlib import Path

from heckmeck.cli.errors import UserError
from heckmeck.record import MAX_BYTES, BadRecord, Record, read_record

STANDARD_INPUT = "-"


def load(name: str) -> Record:
    """Return the record in the file called ``name`` (``-``: standard input), or a `UserError`."""
    try:
        return read_record(_bytes(name))
    except BadRecord as error:
        raise UserError(f"{name}: {error}") from error


def _bytes(name: str) -> bytes:
    """Return the file's bytes, one more than a record may have at most."""
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"{name}: {error.strerror}") from error


def save(path: Path, text: str, *, replace: bool) -> None:
    """Write ``text`` to ``path`` whole or not at all; keep what is there unless ``replace``."""
    if path.exists() and not replace:
        raise UserError(f"{path} is there already. Choose another name, or add --force.")
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise UserError(f"{path}: {error.strerror}") from error
