"""Files of many games: JSON Lines, a record in its JSON form on each line, as the arena writes it.

Such a file may be larger than memory, so it is read a line at a time.
"""

from collections.abc import Iterator
from functools import partial
from typing import IO, Final

from heckmeck.record.files import MAX_BYTES

_MARK: Final = b"\xef\xbb\xbf"  # with which some editors begin a file


def split_games(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of each record: a file in one of the two forms is one, JSON Lines are many.

    What is not a record either is handed on as well, for `read_record` to refuse. No more than
    `MAX_BYTES` and one are kept of any record.
    """
    lines = _lines(file)
    start = _up_to_text(lines)
    if not _could_be_a_record(start):
        yield start + file.read(max(MAX_BYTES + 1 - len(start), 0))
        return
    second = _up_to_text(lines)
    if not second.lstrip().startswith(b"{"):  # two objects after each other are never one
        start += second
        yield start + file.read(max(MAX_BYTES + 1 - len(start), 0))
        return
    yield start
    yield second
    yield from filter(bytes.strip, lines)


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines; of one that is too long only its beginning."""
    for line in iter(partial(file.readline, MAX_BYTES + 1), b""):
        yield line
        rest = line
        while len(rest) > MAX_BYTES and not rest.endswith(b"\n"):
            rest = file.readline(MAX_BYTES + 1)


def _up_to_text(lines: Iterator[bytes]) -> bytes:
    """Return the next line with text on it, with the empty ones before it."""
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
