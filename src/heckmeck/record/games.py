"""Files of many games: JSON Lines, with one record per line, as written by the arena.

Such a file may be larger than memory, so it is read a line at a time.
"""

from collections.abc import Iterator
from functools import partial
from typing import IO, Final

from heckmeck.record.files import MAX_BYTES

_MARK: Final = b"\xef\xbb\xbf"  # some editors begin a file with it


def split_games(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of each record: one for a single record, many for JSON Lines.

    Anything else is passed on for `read_record` to refuse. At most `MAX_BYTES` plus one byte are
    read of any record.
    """
    lines = _lines(file)
    start = _up_to_text(lines)
    if not _could_be_a_record(start):
        yield start + file.read(max(MAX_BYTES + 1 - len(start), 0))
        return
    second = _up_to_text(lines)
    if not second.lstrip().startswith(b"{"):  # two objects in a row are never one record
        start += second
        yield start + file.read(max(MAX_BYTES + 1 - len(start), 0))
        return
    yield start
    yield second
    yield from filter(bytes.strip, lines)


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines; only the beginning of one that is too long."""
    for line in iter(partial(file.readline, MAX_BYTES + 1), b""):
        yield line
        rest = line
        while len(rest) > MAX_BYTES and not rest.endswith(b"\n"):
            rest = file.readline(MAX_BYTES + 1)


def _up_to_text(lines: Iterator[bytes]) -> bytes:
    """Return the next line that is not empty, preceded by the empty ones."""
    start = bytearray()
    for line in lines:
        start += line
        if line.strip() or len(start) > MAX_BYTES:
            break
    return bytes(start)


def _could_be_a_record(line: bytes) -> bool:
    """Whether a record may begin and end on this line."""
    text = line.strip().removeprefix(_MARK)
    return text.startswith(b"{") and text.endswith(b"}")
