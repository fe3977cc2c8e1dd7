"""The course of a training: a warm-up with fox's games, then self-play until time is up."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from heckmeck.arena.executors import AHEAD, Executor, Inline
from heckmeck.arena.interrupts import held_interrupts
from heckmeck.arithmetic import cos_pi
from heckmeck.bots.champion.model import Rows, TableModel
from heckmeck.bots.champion.models import model_of
from heckmeck.bots.champion.network import Network, fresh
from heckmeck.rules import Table, new_game
from heckmeck.training.learner import Learner, Memory
from heckmeck.training.self_play import FoxPlay, Round, SelfPlay

#: Lessons per learning step.
BATCH: Final = 1024
#: Lessons remembered from the warm-up games.
WARM_ROOM: Final = 400_000
#: The probability that a turn of a warm-up game ends at random.
WARM_EXPLORE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a training depends on, except for its duration."""

    edition: str
    seats: tuple[int, int]
    """The minimum and maximum number of players of the network."""
    hidden: tuple[int, ...] = (128, 64)
    seed: int = 0
    start: Table | None = None
    """The table at the start of games, if not that of the rules; for one number of players."""
    tables: int = 512
    """Tables played side by side in a round."""
    turns: int = 12
    """Turns at each table in a round."""
    steps: int = 32
    """Learning steps after each round."""
    room: int = 300_000
    """Lessons remembered."""
    explore: float = 0.04
    """The probability that a turn ends at random."""
    back: float = 0.8
    """The initial fraction of a correction that is passed back to the turn before."""
    exact_from: float = 0.4
    """From this fraction of the training on, nothing is passed back: only exact values remain."""
    first_rate: float = 1e-3
    last_rate: float = 2e-5
    warm_turns: int = 200
    """Turns at each table in the warm-up games."""
    warm_steps: int = 1500


def begins(settings: Settings) -> dict[int, Rows]:
    """Return the tables at the start of games, by number of players."""
    model = model_of(settings.edition)
    fewest, most = settings.seats
    if settings.start is not None:
        return {settings.start.seats: model.row(settings.start, 0)}
    return {
        seats: model.row(new_game(settings.edition, seats).table, 0)
        for seats in range(fewest, most + 1)
    }


@dataclass(slots=True)
class Lane:
    """Tables that are played on round by round, all with the same number of players."""

    seats: int
    rows: Rows


class Trainer:
    """A training in progress."""

    def __init__(
        self, settings: Settings, network: Network | None = None, executor: Executor | None = None
    ) -> None:
        """Start with an untrained network, or continue with ``network``."""
        self.settings = settings
        self.model: TableModel = model_of(settings.edition)
        self.rng = np.random.default_rng(settings.seed)
        self.executor: Executor = executor or Inline()
        self.learner = Learner(network or _fresh(settings, self.model), self.model)
        self.memory = Memory(settings.room, self.model.width, settings.seats[1])
        self.begins = begins(settings)
        self.lanes = self._lanes()
        self.positions = 0
        self.loss = 0.0
        self.is_warm = network is not None

    def _lanes(self) -> list[Lane]:
        """Return enough lanes to keep all workers busy, balanced over numbers of players."""
        wanted = AHEAD * self.executor.workers
        copies = -(-wanted // len(self.begins))
        return [
            Lane(seats, np.repeat(begin[np.newaxis], self.settings.tables, axis=0))
            for _ in range(copies)
            for seats, begin in self.begins.items()
        ]

    def warm_up(self) -> None:
        """Learn the results of the warm-up games."""
        s = self.settings
        tables = max(2 * s.tables // len(self.begins), 64)
        games = [
            FoxPlay(s.edition, begin, seats, tables, s.warm_turns, WARM_EXPLORE, self._seed())
            for seats, begin in self.begins.items()
        ]
        memory = Memory(WARM_ROOM, self.model.width, s.seats[1])
        for lessons in self.executor.run(games):
            memory.add(lessons)
        for step in range(s.warm_steps):
            rate = s.first_rate * (1 - 0.8 * step / s.warm_steps)
            self._learn(memory, rate)
        self.is_warm = True

    def course(self, part: Callable[[], float]) -> Iterator[None]:
        """Play rounds and learn from each, until ``part``, the progress of the training, is 1."""
        free = deque(range(len(self.lanes)))

        def work() -> Iterator[SelfPlay]:
            while (now := part()) < 1:
                yield self._round(free.popleft(), now)

        for played in self.executor.run(work()):
            self._take(played, min(part(), 1.0))
            free.append(played.lane)
            yield

    def step(self, part: float) -> None:
        """Play one round on every lane, in this process, and learn from it."""
        for lane in range(len(self.lanes)):
            self._take(self._round(lane, part).run(), part)

    def _round(self, lane: int, part: float) -> SelfPlay:
        s, where = self.settings, self.lanes[lane]
        back = s.back * max(1 - part / s.exact_from, 0.0) if s.exact_from else 0.0
        begin = self.begins[where.seats]
        network = self.learner.network
        return SelfPlay(
            lane, network, where.rows, begin, where.seats, s.turns, s.explore, back, self._seed()
        )

    def _take(self, played: Round, part: float) -> None:
        """Learn from a round; ``part`` is the progress of the training."""
        s = self.settings
        with held_interrupts():
            self.lanes[played.lane].rows = played.rows
            self.memory.add(played.lessons)
            self.positions += len(played.lessons.rows)
        rate = s.last_rate + (s.first_rate - s.last_rate) * 0.5 * (1 + cos_pi(part))
        for _ in range(s.steps):
            self._learn(self.memory, rate)

    def _learn(self, memory: Memory, rate: float) -> None:
        """Take one step; Ctrl-C is deferred, so that the network is always consistent."""
        with held_interrupts():
            self.loss = self.learner.learn(memory.some(BATCH, self.rng), rate)

    def _seed(self) -> int:
        return int(self.rng.integers(0, 2**63))


def _fresh(settings: Settings, model: TableModel) -> Network:
    inputs = model.inputs(settings.seats[1])
    return fresh(settings.edition, settings.seats, inputs, settings.hidden, settings.seed)


def train(
    settings: Settings, part: Callable[[], float], executor: Executor | None = None
) -> Network:
    """Train a network from scratch; ``part`` returns the progress, and 1 ends it."""
    trainer = Trainer(settings, executor=executor)
    trainer.warm_up()
    for _ in trainer.course(part):
        pass
    return trainer.learner.network
