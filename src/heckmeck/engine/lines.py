"""The transport of the engine protocol: one JSON object per line, for any input."""

import json
from collections.abc import Iterator
from typing import BinaryIO, Final

from heckmeck.engine.engine import Engine
from heckmeck.engine.errors import Code
from heckmeck.record import BadJson, JsonObject
from heckmeck.record.json_text import decode, loads

MAX_LINE: Final = 1024 * 1024


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line of ``requests`` with one on ``answers``, until quit or the end of input."""
    engine = Engine()
    for line in _lines(requests):
        # ASCII: an id may contain text that UTF-8 cannot encode, and must be repeated.
        answers.write(json.dumps(_answer(engine, line)).encode("ascii") + b"\n")
        answers.flush()
        if engine.is_done:
            return


def _answer(engine: Engine, line: bytes | None) -> JsonObject:
    if line is None:
        return _bad_json(f"A line is longer than {MAX_LINE} bytes.")
    try:
        request = loads(decode(line))
    except BadJson as error:
        return _bad_json(f"A request must be one JSON object on one line: {error}.")
    return engine.answer(request)


def _bad_json(message: str) -> JsonObject:
    return {"ok": False, "error": {"code": Code.BAD_JSON, "message": message}}


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield each line without its end; ``None`` for one that is too long, which is dropped."""
    while line := stream.readline(MAX_LINE + 1):
        text = line.removesuffix(b"\n")
        if len(text) <= MAX_LINE:
            yield text
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE)
        yield None
