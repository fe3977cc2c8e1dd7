"""Learning: from lessons (Adam), and the course of a training.

A step is the same to the last bit on every processor: matrix products and elementary functions are
our own (`heckmeck.values.network`, `heckmeck.arithmetic`), and NumPy is used only for
element-wise operations. A training is a warm-up with fox's games, then self-play until time is up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

import numpy as np

from heckmeck import arithmetic, executors, interrupts
from heckmeck.arithmetic import cos_pi, power
from heckmeck.bulk.rows import Floats32, RowRules, Rows, row_rules
from heckmeck.dice.arrays import Generator, generator
from heckmeck.rules import Table, new_game
from heckmeck.solver.compiling import compiled
from heckmeck.training.self_play import FoxPlay, Lessons, Round, SelfPlay
from heckmeck.values.features import count_features, features
from heckmeck.values.network import Network, find_active, fresh, hash_of, layer, softmax

BETA_1: Final = 0.9
BETA_2: Final = 0.999
TINY: Final = 1e-8
#: Smaller chances are clipped to this in the loss.
LEAST: Final = 1e-9

_log = compiled(arithmetic.log)


class Memory:
    """The latest lessons, up to a maximum number."""

    def __init__(self, room: int, width: int, seats: int) -> None:
        """Start empty."""
        self.rows: Rows = np.zeros((room, width), np.int8)
        self.targets: Floats32 = np.zeros((room, seats), np.float32)
        self.next = 0
        self.size = 0

    def add(self, lessons: Lessons) -> None:
        """Remember lessons; the oldest ones are forgotten."""
        count, seats = lessons.targets.shape
        at = (self.next + np.arange(count)) % len(self.rows)
        self.rows[at] = lessons.rows
        self.targets[at] = np.nan
        self.targets[at, :seats] = lessons.targets
        self.next = (self.next + count) % len(self.rows)
        self.size = min(self.size + count, len(self.rows))

    def some(self, count: int, rng: Generator) -> Lessons:
        """Return lessons drawn at random; the target of an absent player is NaN."""
        at = rng.integers(0, self.size, count)
        return Lessons(self.rows[at], self.targets[at])


class Learner:
    """A network that learns, and its moving average, which plays."""

    def __init__(self, network: Network, calm: float = 0.99) -> None:
        """Continue from ``network``; the average keeps the fraction ``calm`` in every step."""
        self._like = network
        self._calm = calm
        self.parameters = [each.copy() for each in (*network.weights, *network.biases)]
        self.mean = [each.copy() for each in self.parameters]
        self.first = [np.zeros_like(each) for each in self.parameters]
        self.second = [np.zeros_like(each) for each in self.parameters]
        self.steps = 0

    @property
    def network(self) -> Network:
        """The current average network."""
        layers = len(self._like.weights)
        mean = tuple(each.copy() for each in self.mean)
        return Network(self._like.edition, self._like.seats, mean[:layers], mean[layers:])

    def learn(self, lessons: Lessons, rate: float) -> float:
        """Take one step; return the loss in nats."""
        inputs = features(self._like.edition, lessons.rows, self._like.most_seats)
        gradients, loss = self._gradients(inputs, lessons.targets)
        self.steps += 1
        step = rate * sqrt(1 - power(BETA_2, self.steps)) / (1 - power(BETA_1, self.steps))
        for number, gradient in enumerate(gradients):
            first, second = self.first[number], self.second[number]
            first += (1 - BETA_1) * (gradient - first)
            second += (1 - BETA_2) * (gradient * gradient - second)
            self.parameters[number] -= np.float32(step) * first / (np.sqrt(second) + TINY)
            self.mean[number] += np.float32(1 - self._calm) * (
                self.parameters[number] - self.mean[number]
            )
        return loss

    def _gradients(self, inputs: Floats32, targets: Floats32) -> tuple[list[Floats32], float]:
        layers = len(self._like.weights)
        weights, biases = self.parameters[:layers], self.parameters[layers:]
        hidden = [inputs]
        for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
            hidden.append(layer(hidden[-1], weight, bias, True))
        logits = layer(hidden[-1], weights[-1], biases[-1], False)
        logits[np.isnan(targets)] = -np.inf  # no player there
        chances = softmax(logits, logits.shape[1])
        wanted = np.nan_to_num(targets)
        loss = _distance(wanted, chances)

        error = (chances - wanted) / np.float32(len(targets))
        of_weights: list[Floats32] = []
        of_biases: list[Floats32] = []
        for number in range(layers - 1, -1, -1):
            of_weight, of_bias = _slopes(hidden[number], error)
            of_weights.append(of_weight)
            of_biases.append(of_bias)
            if number:
                back = np.ascontiguousarray(weights[number].T)
                error = layer(error, back, np.zeros(len(weights[number]), np.float32), False)
                error *= hidden[number] > 0
        return [*reversed(of_weights), *reversed(of_biases)], loss


@compiled
def _slopes(inputs: Floats32, error: Floats32) -> tuple[Floats32, Floats32]:
    """Return the gradients of a layer's weights, ``inputs.T @ error``, and of its biases.

    Row by row, so that every sum is in the order of the rows.
    """
    rows, width = inputs.shape
    outputs = error.shape[1]
    of_weight = np.zeros((width, outputs), np.float32)
    of_bias = np.zeros(outputs, np.float32)
    active = np.empty(width + 1, np.int64)
    for row in range(rows):
        for i in range(outputs):
            of_bias[i] += error[row, i]
        for at in range(find_active(inputs[row], active)):
            place = active[at]
            by = inputs[row, place]
            for i in range(outputs):
                of_weight[place, i] += by * error[row, i]
    return of_weight, of_bias


@compiled
def _distance(targets: Floats32, chances: Floats32) -> float:
    """Return the mean Kullback-Leibler divergence of the chances from the targets."""
    total = 0.0
    rows, players = targets.shape
    for row in range(rows):
        for player in range(players):
            wanted, found = float(targets[row, player]), float(chances[row, player])
            if wanted > 0.0:
                total += wanted * _log(max(wanted, LEAST) / max(found, LEAST))
    return float(total / rows)


# --- the course of a training ---------------------------------------------------------------------


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
    further: str = ""
    """The hash of the network to go on from, which needs no warm-up; an untrained one if empty."""


def going_on(settings: Settings, network: Network) -> Settings:
    """Return the settings for training a trained network further: it has less to learn.

    Errors shared by all tables are gone, so nothing is passed back; and each position is learned
    from twice as often, because the targets change little.
    """
    return replace(
        settings,
        hidden=tuple(len(bias) for bias in network.biases[:-1]),
        steps=2 * settings.steps,
        back=0.0,
        first_rate=settings.first_rate / 3,
        further=hash_of([network]),
    )


def begins(settings: Settings) -> dict[int, Rows]:
    """Return the tables at the start of games, by number of players."""
    rules = row_rules(settings.edition)
    fewest, most = settings.seats
    if settings.start is not None:
        return {settings.start.seats: rules.row(settings.start, 0)}
    return {
        seats: rules.row(new_game(settings.edition, seats).table, 0)
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
        self,
        settings: Settings,
        executor: executors.Executor | None = None,
        network: Network | None = None,
    ) -> None:
        """Start with ``network``, or with an untrained one."""
        self.settings = settings
        self.rules: RowRules = row_rules(settings.edition)
        self.rng = generator(settings.seed)
        self.executor: executors.Executor = executor or executors.Inline()
        self.learner = Learner(network or _fresh(settings))
        self.memory = Memory(settings.room, self.rules.width, settings.seats[1])
        self.begins = begins(settings)
        self.lanes = self._lanes()
        self.waiting = deque(range(len(self.lanes)))
        """The lanes whose next round has not begun, in the order in which they will be played."""
        self.positions = 0
        self.loss = 0.0
        self.is_warm = network is not None

    def _lanes(self) -> list[Lane]:
        """Return enough lanes to keep all workers busy, balanced over numbers of players."""
        wanted = executors.AHEAD * self.executor.workers
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
        memory = Memory(WARM_ROOM, self.rules.width, s.seats[1])
        for lessons in self.executor.run(games):
            memory.add(lessons)
        for step in range(s.warm_steps):
            rate = s.first_rate * (1 - 0.8 * step / s.warm_steps)
            self._learn(memory, rate)
        self.is_warm = True

    def course(self, part: Callable[[], float]) -> Iterator[None]:
        """Play rounds and learn from each, until ``part``, the progress of the training, is 1."""

        def work() -> Iterator[SelfPlay]:
            while (now := part()) < 1:
                yield self._round(self.waiting.popleft(), now)

        for played in self.executor.run(work()):
            self._take(played, min(part(), 1.0))
            self.waiting.append(played.lane)
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
        with interrupts.held_interrupts():
            self.lanes[played.lane].rows = played.rows
            self.memory.add(played.lessons)
            self.positions += len(played.lessons.rows)
        rate = s.last_rate + (s.first_rate - s.last_rate) * 0.5 * (1 + cos_pi(part))
        for _ in range(s.steps):
            self._learn(self.memory, rate)

    def _learn(self, memory: Memory, rate: float) -> None:
        """Take one step; Ctrl-C is deferred, so that the network is always consistent."""
        with interrupts.held_interrupts():
            self.loss = self.learner.learn(memory.some(BATCH, self.rng), rate)

    def _seed(self) -> int:
        return int(self.rng.integers(0, 2**63))


def _fresh(settings: Settings) -> Network:
    inputs = count_features(settings.edition, settings.seats[1])
    return fresh(settings.edition, settings.seats, inputs, settings.hidden, settings.seed)
