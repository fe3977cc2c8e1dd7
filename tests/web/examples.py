"""The examples of the learn pages, played: what the pages show of each without asking a server.

``python -m tests.web.examples`` writes the file after a change to the examples or to states.
"""

import json
from typing import Any, Final

import msgspec

from hatch_build import WEB
from heckmeck.record import JsonObject, Record
from heckmeck.record.forms import parse_moves
from heckmeck.wire.states import moments

_LEARN: Final = WEB / "src" / "learn"
PLAYED: Final = _LEARN / "moments.json"


def read_learn(name: str) -> dict[str, dict[str, Any]]:
    """Return a file of the learn pages."""
    found: dict[str, dict[str, Any]] = json.loads((_LEARN / name).read_text(encoding="utf-8"))
    return found


def played(example: dict[str, Any], seats: int) -> list[JsonObject]:
    """Return the moments of an example, from the one on in which the reader is to roll."""
    before = example["before"].split()
    moves = parse_moves([*before, *example["moves"].split()])
    names = tuple(map(str, range(seats)))
    record = Record(example["edition"], names, example["first"], moves=moves)
    return [msgspec.to_builtins(each) for each in moments(record, len(before))]


def all_played() -> str:
    """Return the text of the file: an example a line."""
    seats = {name: len(text["names"]) for name, text in read_learn("en.json")["examples"].items()}
    lines = (
        f'"{name}":{json.dumps(played(example, seats[name]), separators=(",", ":"))}'
        for name, example in read_learn("examples.json").items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    PLAYED.write_text(all_played(), encoding="utf-8")
