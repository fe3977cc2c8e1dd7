"""Checkpoints, to continue a training after Ctrl-C.

The memory of past rounds is not saved: it fills again within seconds.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np

from heckmeck.training.trainer import Settings, Trainer

FORMAT: Final = 1
GROUPS: Final = ("parameters", "mean", "first", "second")


class BadCheckpoint(ValueError):
    """Not a checkpoint, or one of another training."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a training."""

    minutes: float
    """In the training of this network."""
    positions: int


def write_checkpoint(trainer: Trainer, minutes: float, path: Path) -> None:
    """Save the training; the file is replaced atomically.

    Progress within the warm-up is not saved: it is short, and starts again from the beginning.
    """
    learner = trainer.learner
    about = {
        "format": FORMAT,
        "settings": _plain(trainer.settings),
        "minutes": minutes,
        "positions": trainer.positions,
        "warm": trainer.is_warm,
        "steps": learner.steps,
        "rng": trainer.rng.bit_generator.state,
    }
    arrays = {
        f"{group}_{number}": array
        for group in GROUPS
        for number, array in enumerate(getattr(learner, group))
    }
    arrays |= {f"lane_{number}": lane.rows for number, lane in enumerate(trainer.lanes)}
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        np.savez(file, allow_pickle=False, about=np.array(json.dumps(about)), **arrays)
    part.replace(path)


def read_checkpoint(trainer: Trainer, path: Path) -> Progress:
    """Restore ``trainer``; raise `BadCheckpoint` if the checkpoint is of another training."""
    with _opened(path) as arrays:
        about = json.loads(str(arrays["about"]))
        if about["format"] != FORMAT or about["settings"] != _plain(trainer.settings):
            raise BadCheckpoint(
                f"{path} is of a training with other settings: {about['settings']}. "
                "Use the same settings, or start again without --resume."
            )
        if not about.get("warm", True):
            return Progress(0.0, 0)
        _restore(trainer, arrays)
    trainer.is_warm = True
    trainer.positions = about["positions"]
    trainer.learner.steps = about["steps"]
    trainer.rng.bit_generator.state = about["rng"]
    return Progress(about["minutes"], about["positions"])


def _restore(trainer: Trainer, arrays: np.lib.npyio.NpzFile) -> None:
    learner = trainer.learner
    for group in GROUPS:
        for number, array in enumerate(getattr(learner, group)):
            array[...] = arrays[f"{group}_{number}"]
    for number, lane in enumerate(trainer.lanes):
        # A different number of workers means different lanes; new ones begin with new games.
        if f"lane_{number}" in arrays.files:
            lane.rows = arrays[f"lane_{number}"]


def _plain(settings: Settings) -> dict[str, object]:
    """Return the settings as JSON data."""
    plain: dict[str, object] = json.loads(json.dumps(asdict(settings)))
    return plain


def seats_of(path: Path) -> tuple[int, int]:
    """Return the numbers of players of the network in a checkpoint."""
    fewest, most = _setting(path, "seats")
    return int(fewest), int(most)


def seed_of(path: Path) -> int:
    """Return the seed of the training in a checkpoint."""
    (seed,) = _setting(path, "seed")
    return int(seed)


def _setting(path: Path, name: str) -> list[int]:
    with _opened(path) as arrays:
        found = json.loads(str(arrays["about"]))["settings"][name]
    return found if isinstance(found, list) else [found]


@contextmanager
def _opened(path: Path) -> Iterator[np.lib.npyio.NpzFile]:
    """Open a checkpoint; raise `BadCheckpoint` if the file is not one."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            yield arrays
    except BadCheckpoint:
        raise
    except (BadZipFile, KeyError, EOFError, ValueError) as error:
        raise BadCheckpoint(f"{path} is not a checkpoint of a training.") from error
