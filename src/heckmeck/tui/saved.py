"""Saved games: where they are, how they are written, and which one to resume.

A game is saved after every word, atomically, so that neither Ctrl-C nor a closed window nor
`kill -9` loses any of it. The file is a record like any other; the players and the seed of the dice
are in its key ``play``, which other programs ignore.
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

#: The record's top-level key with what is needed to resume.
KEY: Final = "play"
SUFFIX: Final = ".heckmeck.json"


class CannotSave(Exception):
    """A game cannot be saved; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Seated:
    """The players: a name for each seat as in ``--players``, and the seed of the dice."""

    players: tuple[str, ...]
    seed: str

    def to_json(self) -> JsonObject:
        """Return the data stored in the record."""
        return {"players": [*self.players], "seed": self.seed}


def seated_in(record: Record) -> Seated | None:
    """Return the players of the record, if it was saved by this program."""
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
    """Save the record atomically; raise `CannotSave` if it cannot be saved."""
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
    """Create the folder if need be, and return the path of a new file in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotSave(f"{folder}: {error.strerror}") from error
    stem = f"{now:%Y-%m-%d-%H%M%S}-{edition}"
    names = (f"{stem}{f'-{number}' if number else ''}{SUFFIX}" for number in range(1000))
    return next(path for path in (folder / name for name in names) if not path.exists())


def latest_unfinished(folder: Path) -> Path | None:
    """Return the latest unfinished game; broken files are ignored."""
    return next((path for path in _newest_first(folder) if _goes_on(path)), None)


def _newest_first(folder: Path) -> Sequence[Path]:
    files = [path for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith(".")]
    return sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)


def _goes_on(path: Path) -> bool:
    try:
        return outcome(final_state(read_record(path.read_bytes()))) is None
    except (BadRecord, OSError):
        return False
