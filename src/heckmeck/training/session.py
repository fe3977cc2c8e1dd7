"""A complete training with its files: weights, checkpoint, learning curve."""

from __future__ import annotations

import io
import json
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np

from heckmeck.executors import Executor
from heckmeck.interrupts import held_interrupts
from heckmeck.rules import game
from heckmeck.training.exams import Exam, Point, draw, point, read_points, write_points
from heckmeck.training.trainer import Memory, Settings, Trainer, going_on
from heckmeck.values.network import Network, load, save

OPPONENTS: Final = ("fox", "chick")
#: When each network takes an exam, as fractions of its training: often at first.
EXAMS: Final = (0.0, 1 / 64, 1 / 32, 1 / 16, *(each / 8 for each in range(1, 9)))
#: Seconds between two checkpoints.
CHECKPOINT_SECONDS: Final = 60.0
#: Warm-up steps per minute of training.
STEPS_A_MINUTE: Final = 300
#: The approximate number of positions learned from per minute, on one core.
POSITIONS_A_MINUTE: Final = 600_000
#: The fraction of the training for the two-player network; the other one has more to learn.
FOR_TWO: Final = 0.4

#: The format version of checkpoints, and what they hold of a learner.
CHECKPOINT_FORMAT: Final = 2
GROUPS: Final = ("parameters", "mean", "first", "second")


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train, for how long, and where to save it."""

    edition: str
    minutes: float
    out: Path
    seed: int = 0
    exam_games: int = 400
    positions: int | None = None
    """Number of positions to learn from, instead of minutes: a slower machine takes longer, but
    learns the same."""
    players: int | None = None
    """Train only the network for this number of players."""
    further: Path | None = None
    """Weights to go on from, instead of untrained networks."""

    @property
    def parts(self) -> list[tuple[tuple[int, int], float]]:
        """The networks to train: their numbers of players, and fractions of the training.

        The fractions add up to 1.
        """
        most = game(self.edition).players[-1]
        if self.players is not None:
            return [((2, 2) if self.players == 2 else (3, most), 1.0)]
        return [((2, 2), FOR_TWO), ((3, most), 1 - FOR_TWO)]

    def networks(self) -> dict[tuple[int, int], Network]:
        """Return the networks to go on from, by their numbers of players."""
        if self.further is None:
            return {}
        return {each.seats: each for each in load(self.further, self.edition)}

    @property
    def checkpoint(self) -> Path:
        """The file of the checkpoint."""
        return self.out.with_suffix(".checkpoint")

    @property
    def curve(self) -> Path:
        """The file of the learning curve."""
        return self.out.with_suffix(".csv")

    @property
    def picture(self) -> Path:
        """The picture of the learning curve."""
        return self.out.with_suffix(".svg")


@dataclass(frozen=True, slots=True)
class Status:
    """The progress of a training."""

    seats: tuple[int, int]
    done: float
    """From 0 to 1, of all networks."""
    positions: int
    loss: float
    points: tuple[Point, ...] = ()
    """New points of the learning curve."""


class Session:
    """One run of a training. `run` proceeds step by step; `save` saves the current state.

    Ctrl-C may end `run` at any moment: a learning step is taken whole or not at all, and unfinished
    games are dropped, so the state is always consistent.
    """

    def __init__(self, plan: Plan, executor: Executor) -> None:
        """Prepare to train; nothing is written yet."""
        self._plan = plan
        self._executor = executor
        self._before_it = plan.networks()
        #: The networks that are not trained now stay as they are.
        trained = [seats for seats, _ in plan.parts]
        self._finished = [each for each in self._before_it.values() if each.seats not in trained]
        self._points: list[Point] = []
        self._trainer: Trainer | None = None
        self._before = 0.0
        self._began = 0.0

    def run(self, *, resume: bool = False) -> Iterator[Status]:
        """Train the networks one after the other; with ``resume``, continue from the checkpoint."""
        parts = self._plan.parts
        first = 0
        if resume:
            at = seats_of(self._plan.checkpoint)
            if at not in dict(parts):
                raise BadCheckpoint(
                    f"{self._plan.checkpoint} is of the network for {at[0]} to {at[1]} players. "
                    "Use the same --players, or start again without --resume."
                )
            first = [seats for seats, _ in parts].index(at)
            self._points = read_points(self._plan.curve)
            if self._plan.out.exists():
                earlier = [seats for seats, _ in parts[:first]]
                networks = load(self._plan.out, self._plan.edition)
                self._finished += [each for each in networks if each.seats in earlier]
        for number, (seats, part) in enumerate(parts[first:], start=first):
            behind = sum(each for _, each in parts[:number])
            resumed = resume and number == first
            yield from self._train(seats, part, behind, resume=resumed)
        self._plan.checkpoint.unlink(missing_ok=True)

    def save(self) -> None:
        """Write weights, learning curve and, while a network is learning, the checkpoint.

        Files without content yet are not written.
        """
        if self._trainer is not None:
            write_checkpoint(self._trainer, self._minutes, self._plan.checkpoint)
        self._save_weights()
        if self._points:
            write_points(self._points, self._plan.curve)

    def draw(self) -> None:
        """Draw the learning curve; needs the extra ``heckmeck[plots]``."""
        draw(self._points, f"Learning curve: {self._plan.edition}", self._plan.picture)

    def _train(
        self, seats: tuple[int, int], part: float, behind: float, *, resume: bool
    ) -> Iterator[Status]:
        settings, network = _settings(self._plan, seats, part), self._before_it.get(seats)
        if network is not None:
            settings = going_on(settings, network)
        trainer = self._prepare(settings, network, resume=resume)
        if not trainer.is_warm:
            trainer.warm_up()
        self._began = time.monotonic()

        def so_far() -> float:
            if self._plan.positions is not None:
                return trainer.positions / (self._plan.positions * part)
            return self._minutes / (self._plan.minutes * part)

        def status(*points: Point) -> Status:
            done = behind + part * min(so_far(), 1.0)
            return Status(seats, done, trainer.positions, trainer.loss, points)

        saved = self._began
        exams = deque(each for each in EXAMS if each > so_far() or not resume)
        for _ in chain([None], trainer.course(so_far)):
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
            if exams and so_far() >= exams[0]:
                yield status(*self._examine())
                while exams and so_far() >= exams[0]:
                    exams.popleft()
            yield status()
        if exams:  # time ran out before the last one
            yield status(*self._examine())
        with held_interrupts():
            self._finished.append(trainer.learner.network)
            self._trainer = None
            self.save()

    def _prepare(self, settings: Settings, network: Network | None, *, resume: bool) -> Trainer:
        """Return the trainer of a network, restored from the checkpoint if there is one."""
        with held_interrupts():
            trainer = Trainer(settings, self._executor, network)
            self._before, self._began = 0.0, time.monotonic()
            if resume:
                self._before = read_checkpoint(trainer, self._plan.checkpoint)
            self._trainer = trainer
        return trainer

    @property
    def _minutes(self) -> float:
        """How long the current network has been learning."""
        if self._trainer is None or not self._trainer.is_warm:
            return 0.0
        return self._before + (time.monotonic() - self._began) / 60

    def _examine(self) -> list[Point]:
        """Let the network play against other bots; this time is not counted."""
        trainer = self._trainer
        assert trainer is not None, "an exam needs a network in training"
        began, minutes = time.monotonic(), self._minutes
        network = trainer.learner.network
        games = self._plan.exam_games
        exams = [
            Exam(network, opponent, seats, -(-games // seats) * seats, self._plan.seed)
            for seats in dict.fromkeys(network.seats)
            for opponent in OPPONENTS
        ]
        try:
            # Exams end in any order; the curve is sorted by players and opponents.
            marks = sorted(self._executor.run(exams), key=lambda mark: (mark.seats, mark.opponent))
        finally:
            self._began += time.monotonic() - began
        points = [point(minutes, trainer.positions, trainer.loss, mark) for mark in marks]
        self._points += points
        return points

    def _save_weights(self) -> None:
        networks = list(self._finished)
        if self._trainer is not None and self._trainer.is_warm:
            networks.append(self._trainer.learner.network)
        if not networks:
            return
        networks.sort(key=lambda network: network.seats)
        part = self._plan.out.with_name(self._plan.out.name + ".part")
        with part.open("wb") as file:
            save(networks, file)
        part.replace(self._plan.out)


def _settings(plan: Plan, seats: tuple[int, int], part: float) -> Settings:
    """Return the settings of a network; a short training has a short warm-up."""
    usual = Settings(plan.edition, seats, seed=plan.seed)
    minutes = plan.minutes
    if plan.positions is not None:
        minutes = plan.positions / POSITIONS_A_MINUTE
    steps = int(min(max(STEPS_A_MINUTE * minutes * part, 10), usual.warm_steps))
    turns = usual.warm_turns if minutes * part > 1 else 60
    return replace(usual, warm_steps=steps, warm_turns=turns)


# ------------------------------------------------------------------------------ checkpoints
#
# To continue a training after Ctrl-C or a loss of power. A checkpoint holds everything, including
# the memory of past rounds: from one written between two rounds, a training with one worker gives
# the same weights as without an interruption.


class BadCheckpoint(ValueError):
    """Not a checkpoint, or one of another training."""


def write_checkpoint(trainer: Trainer, minutes: float, path: Path) -> None:
    """Save the training; the file is replaced atomically.

    Progress within the warm-up is not saved: it is short, and starts again from the beginning.
    """
    learner = trainer.learner
    about = {
        "format": CHECKPOINT_FORMAT,
        "settings": _plain(trainer.settings),
        "minutes": minutes,
        "positions": trainer.positions,
        "warm": trainer.is_warm,
        "steps": learner.steps,
        "rng": trainer.rng.bit_generator.state,
        "waiting": list(trainer.waiting),
        "next": trainer.memory.next,
    }
    arrays = {
        f"{group}_{number}": array
        for group in GROUPS
        for number, array in enumerate(getattr(learner, group))
    }
    arrays |= {f"lane_{number}": lane.rows for number, lane in enumerate(trainer.lanes)}
    size = trainer.memory.size
    arrays |= {"rows": trainer.memory.rows[:size], "targets": trainer.memory.targets[:size]}
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        np.savez(file, allow_pickle=False, about=np.array(json.dumps(about)), **arrays)
    part.replace(path)


def read_checkpoint(trainer: Trainer, path: Path) -> float:
    """Restore ``trainer`` and return the minutes so far in the training of its network.

    Raise `BadCheckpoint` if the checkpoint is of another training.
    """
    with _opened(path) as arrays:
        about = json.loads(str(arrays["about"]))
        if about["format"] != CHECKPOINT_FORMAT or about["settings"] != _plain(trainer.settings):
            raise BadCheckpoint(
                f"{path} is of a training with other settings: {about['settings']}. "
                "Use the same settings, or start again without --resume."
            )
        if not about.get("warm", True):
            return 0.0
        _restore(trainer, arrays)
        _remember(trainer.memory, arrays, about["next"])
    trainer.is_warm = True
    # A different number of workers means different lanes; what was being played is played first.
    known = [lane for lane in about["waiting"] if lane < len(trainer.lanes)]
    under_way = [lane for lane in range(len(trainer.lanes)) if lane not in known]
    trainer.waiting = deque([*under_way, *known])
    trainer.positions = about["positions"]
    trainer.learner.steps = about["steps"]
    trainer.rng.bit_generator.state = about["rng"]
    return float(about["minutes"])


def _restore(trainer: Trainer, arrays: np.lib.npyio.NpzFile) -> None:
    learner = trainer.learner
    for group in GROUPS:
        for number, array in enumerate(getattr(learner, group)):
            array[...] = arrays[f"{group}_{number}"]
    for number, lane in enumerate(trainer.lanes):
        # A different number of workers means different lanes; new ones begin with new games.
        if f"lane_{number}" in arrays.files:
            lane.rows = arrays[f"lane_{number}"]


def _remember(memory: Memory, arrays: np.lib.npyio.NpzFile, at: int) -> None:
    rows = arrays["rows"]
    memory.rows[: len(rows)] = rows
    memory.targets[: len(rows)] = arrays["targets"]
    memory.size, memory.next = len(rows), at


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
