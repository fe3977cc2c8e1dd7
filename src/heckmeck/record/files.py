"""Records from and to bytes, in either form."""

from typing import Final

from heckmeck.record.errors import BadRecord
from heckmeck.record.json_text import BadJson, decode, dumps, loads
from heckmeck.record.record import MAX_MOVES, Record
from heckmeck.record.record_json import record_from_json, record_to_json
from heckmeck.record.record_text import record_from_text, record_to_text

#: Enough for the longest possible record, and small enough to read quickly.
MAX_BYTES: Final = 4 * 1024 * 1024


def read_record(data: bytes, most_moves: int = MAX_MOVES) -> Record:
    """Return the record in ``data``, JSON or text; raise `BadRecord` if it is not valid.

    `TooManyMoves` is raised before any move is played.
    """
    if len(data) > MAX_BYTES:
        raise BadRecord(f"{len(data)} bytes are too many; a record has at most {MAX_BYTES}")
    try:
        text = decode(data)
        if text.lstrip().startswith("{"):
            return record_from_json(loads(text), most_moves)
    except BadJson as error:
        raise BadRecord(str(error)) from None
    return record_from_text(text, most_moves)


def write_json(record: Record) -> str:
    """Return the JSON form with one line per top-level key."""
    lines = (f"  {dumps(key)}: {dumps(value)}" for key, value in record_to_json(record).items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_text(record: Record) -> str:
    """Return the text form."""
    return record_to_text(record)
