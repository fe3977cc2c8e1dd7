"""Learning from lessons: Adam on random lessons from the recent past.

A step is the same to the last bit on every processor: matrix products and elementary functions are
our own (`heckmeck.bots.champion.layers`, `heckmeck.arithmetic`), and NumPy is used only for
element-wise operations.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np

from heckmeck import arithmetic
from heckmeck.arithmetic import power
from heckmeck.bots.champion.layers import find_active, layer, softmax
from heckmeck.bots.champion.model import Floats32, Rows, TableModel
from heckmeck.bots.champion.network import Network
from heckmeck.solver.kernel import compiled
from heckmeck.training.self_play import Lessons

BETA_1: Final = 0.9
BETA_2: Final = 0.999
TINY: Final = 1e-8
LEAST: Final = 1e-9
"""Smaller chances are clipped to this in the loss."""

_log = compiled(arithmetic.log)


class Memory:
    """The latest lessons, up to a maximum number."""

    def __init__(self, room: int, width: int, seats: int) -> None:
        """Start empty."""
        self._rows: Rows = np.zeros((room, width), np.int8)
        self._targets: Floats32 = np.zeros((room, seats), np.float32)
        self._next = 0
        self.size = 0

    def add(self, lessons: Lessons) -> None:
        """Remember lessons; the oldest ones are forgotten."""
        count, seats = lessons.targets.shape
        at = (self._next + np.arange(count)) % len(self._rows)
        self._rows[at] = lessons.rows
        self._targets[at] = np.nan
        self._targets[at, :seats] = lessons.targets
        self._next = (self._next + count) % len(self._rows)
        self.size = min(self.size + count, len(self._rows))

    def some(self, count: int, rng: np.random.Generator) -> Lessons:
        """Return lessons drawn at random; the target of an absent player is NaN."""
        at = rng.integers(0, self.size, count)
        return Lessons(self._rows[at], self._targets[at])


class Learner:
    """A network that learns, and its moving average, which plays."""

    def __init__(self, network: Network, model: TableModel, calm: float = 0.99) -> None:
        """Continue from ``network``; the average keeps the fraction ``calm`` in every step."""
        self._model = model
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
        features = self._model.features(lessons.rows, self._like.most_seats)
        gradients, loss = self._gradients(features, lessons.targets)
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

    def _gradients(self, features: Floats32, targets: Floats32) -> tuple[list[Floats32], float]:
        layers = len(self._like.weights)
        weights, biases = self.parameters[:layers], self.parameters[layers:]
        hidden = [features]
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
