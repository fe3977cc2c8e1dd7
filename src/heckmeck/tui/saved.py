"""Games on disk: where they are, how they are written, and which one to go on with.

A game is written after every word, whole or not at all, so that neither Ctrl-C nor a closed
window nor `kill -9` loses any of it. The file is a record like any other; who plays which seat
and the seed of the dice are in its key ``play``, which other programs ignore.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from heckmeck.record import BadRecord, JsonObject, Record, final_state, read_record, write_json
from heckmeck.record.folders import data_folder
from heckmeck.rules import outcome

#: The record's top-level key that says how to go on.
KEY: Final = "play"
SUFFIX: Final = ".heckmeck.json"


class CannotSave(Exception):
    """A game cannot be written; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Who plays: a name for each seat as ``--players`` has it, and the seed of the dice."""

    players: tuple[str, ...]
    seed: str

    def to_json(self) -> JsonObject:
        """Return it as the record holds it."""
        return {"players": [*self.players], "seed": self.seed}


def seated_in(record: Record) -> Seated | None:
    """Return who plays the record's seats, if it was written here and says so."""
    data = record.extra.get(KEY)
    if not isinstance(data, dict):
        return None
    players, seed = data.get("players"), data.get("seed")
    if not isinstance(players, list) or not isinstance(seed, str):
        return None
    if len(players) != len(record.seats) or not all(isinstance(name, str) for name in players):
        return None
    return Seated(tuple(map(str, players)), seed)


def write(path: Path, record: Record) -> None:
    """Write the record whole or not at all; raise `CannotSave` if that cannot be done."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        fresh.write_text(write_json(record), encoding="utf-8", newline="\n")
        fresh.replace(path)
    except OSError as error:
        raise CannotSave(f"{path}: {error.strerror}") from error
    finally:
        fresh.unlink(missing_ok=True)


def games_folder() -> Path:
    """Return the folder of the games played here."""
    return data_folder() / "games"


def new_path(folder: Path, edition: str, now: datetime) -> Path:
    """Make the folder if need be, and return a file in it that is not there yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotSave(f"{folder}: {error.strerror}") from error
    stem = f"{now:%Y-%m-%d-%H%M%S}-{edition}"
    names = (f"{stem}{f'-{number}' if number else ''}{SUFFIX}" for number in range(1000))
    return next(path for path in (folder / name for name in names) if not path.exists())


def latest_unfinished(folder: Path) -> Path | None:
    """Return the game that was played last and is not over; broken files are passed over."""
    return next((path for path in _newest_first(folder) if _goes_on(path)), None)


def _newest_first(folder: Path) -> Sequence[Path]:
    files = [path for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith(".")]
    return sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)


def _goes_on(path: Path) -> bool:
    try:
        return outcome(final_state(read_record(path.read_bytes()))) is None
    except (BadRecord, OSError):
        return False
