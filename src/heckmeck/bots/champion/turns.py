"""Whole turns at many tables at once: solved for the chance to win, and simulated.

From rows (`heckmeck.bots.champion.model`) to the values of turns: the endings of the turns, the
tables after them, the network's chances there, and the solver for the best play in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from heckmeck.bots.champion.model import Bools, Branches, Floats32, Ints, Rows, TableModel
from heckmeck.bots.champion.network import Network
from heckmeck.rules import game
from heckmeck.solver.kernel import (
    Arrays,
    Floats,
    arrays_for,
    compiled,
    solve_turns,
)
from heckmeck.solver.shapes import shape_of
from heckmeck.solver.tables import Tables, TurnShape, is_over, start

Seeds = NDArray[np.uint64]

AT_ONCE: Final = 16
"""Positions solved at once: the fastest number, as measured."""


class EndWorths(NamedTuple):
    """The values of the endings of turns for the player to move, in the solver's format."""

    stop: Floats
    """[table, layer, worm, total]"""
    may_stop: Bools
    """[table, layer, worm, total]"""
    fail: Floats
    """[table, layer]"""


class Worth(NamedTuple):
    """The values of the endings of turns for all players."""

    branches: Branches
    chosen: Ints
    """[ending]: the table after it that the player chooses."""
    values: Floats32
    """[after, player]: the value for each player then, the next player first."""
    ends: EndWorths


class Values(Protocol):
    """Gives the values of tables for their players."""

    @property
    def by_result(self) -> bool:
        """Whether a finished game counts by its result instead of these values."""
        ...

    def of(self, model: TableModel, rows: Rows, seats: int) -> Floats32:
        """Return [table, player]: the value for each of the ``seats`` players."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """The chances to win according to a network."""

    network: Network
    by_result: bool = True

    def of(self, model: TableModel, rows: Rows, seats: int) -> Floats32:
        """Return every player's chance to win."""
        features = model.features(rows, self.network.most_seats)
        return self.network.chances(features, seats)


@dataclass(frozen=True, slots=True)
class Worms:
    """The lead in worms over the others' mean, as counted by `fox`."""

    by_result: bool = False

    def of(self, model: TableModel, rows: Rows, seats: int) -> Floats32:
        """Return every player's lead."""
        wealth = model.standing(rows)[:, :seats]
        others = (wealth.sum(axis=1, keepdims=True) - wealth) / np.float32(seats - 1)
        lead: Floats32 = wealth - others
        return lead


def worth_of(model: TableModel, layers: Rows, seats: int, values: Values) -> Worth:
    """Return the values of the endings of the turns at these tables."""
    totals = shape_of(game(model.edition)).totals
    branches = model.branches(layers, totals)
    after = _values_after(model, branches, seats, values)
    own = after[:, seats - 1].astype(np.float64)
    chosen = _choose(own, branches.first)
    worths = own[chosen][branches.ending]
    size = (*layers.shape[:2], 2, totals)
    may_stop = branches.may_stop
    ends = EndWorths(
        np.ascontiguousarray(worths[..., 1:]).reshape(size),
        np.ones(size, np.bool_) if may_stop is None else may_stop.reshape(size),
        np.ascontiguousarray(worths[..., 0]),
    )
    return Worth(branches, chosen, after, ends)


def _values_after(model: TableModel, branches: Branches, seats: int, values: Values) -> Floats32:
    """Return [after, player]: the values of the tables after the endings."""
    after = values.of(model, branches.rows, seats)
    if values.by_result:
        after[branches.over] = branches.shares[branches.over, :seats]
    return after


def best_layer(model: TableModel, layers: Rows, seats: int, values: Values) -> Ints:
    """Return [table]: the player's best layer among those that a double 1 can lead to.

    It is the best according to ``values`` now: the choice hardly depends on the rest of the turn.
    """
    tables, count, width = layers.shape
    own = values.of(model, layers[:, 1:].reshape(-1, width), seats)[:, 0]
    best: Ints = 1 + own.reshape(tables, count - 1).argmax(axis=1)
    return best


@compiled
def _choose(own: Floats, first: Ints) -> Ints:
    """Return the best table of every ending."""
    chosen = np.empty(len(first) - 1, np.int64)
    for ending in range(len(chosen)):
        best = first[ending]
        for after in range(first[ending] + 1, first[ending + 1]):
            if own[after] > own[best]:
                best = after
        chosen[ending] = best
    return chosen


# ------------------------------------------------------------------------------ playing out


class Steps(NamedTuple):
    """The tables of a turn, laid out for simulation."""

    arrays: Arrays
    keep: Ints
    """[state, the golden die shows it too, face, white dice]: the slot of keeping that, or 0."""
    dice: Ints
    """[state]: white dice in hand."""
    golden: Bools
    """[state]: the golden die is in hand."""
    dead: Ints
    """[state]: the slot of a dead throw."""
    faces: Ints
    """The face of each side of a white die."""
    golden_faces: Ints
    """The face of each side of the golden die."""
    start: int
    golden_start: int
    """-1 if there is no golden die."""


@lru_cache(maxsize=32)
def steps_for(shape: TurnShape, golden: bool, layered: bool) -> Steps:
    """Return the steps of a shape of turns."""
    tables, arrays = arrays_for(shape, golden, layered)
    faces = range(len(shape.faces))
    keep = np.zeros((len(tables.states), 2, len(faces), shape.dice + 1), np.int64)
    for index, state in enumerate(tables.states):
        for face in faces:
            if state.kept >> face & 1:
                continue
            for dice in range(1, state.dice + 1):
                keep[index, 0, face, dice] = tables.kept_slot(state, face, dice, golden=False)
            if state.golden and shape.golden_weights and shape.golden_weights[face]:
                for dice in range(state.dice + 1):
                    keep[index, 1, face, dice] = tables.kept_slot(state, face, dice, golden=True)
    sides = shape.golden_weights or (0,) * len(faces)
    return Steps(
        arrays,
        keep,
        np.array([state.dice for state in tables.states]),
        np.array([state.golden for state in tables.states]),
        np.array([_dead(tables, index) for index in range(len(tables.states))]),
        np.repeat(np.arange(len(faces)), shape.weights),
        np.repeat(np.arange(len(faces)), sides) if any(sides) else np.zeros(1, np.int64),
        tables.index[start(shape)],
        tables.index[start(shape, golden=True)] if golden else -1,
    )


def prepare(edition: str) -> None:
    """Create the steps of all turns of an edition ahead, so that no decision has to wait."""
    shape = shape_of(game(edition))
    for golden in sorted({False, shape.golden_weights is not None}):
        for layered in sorted({False, shape.ones is not None}):
            steps_for(shape, golden, layered)


def _dead(tables: Tables, index: int) -> int:
    state = tables.states[index]
    assert not is_over(tables.shape, state)
    return tables.dead(state)


@compiled
def _draw(seed: Seeds, limit: int) -> int:
    """Draw a number below ``limit``, and advance the seed (SplitMix64)."""
    seed[0] += np.uint64(0x9E3779B97F4A7C15)
    z = seed[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    drawn = np.int64((z >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32))
    return int(drawn)


@compiled
def first_throw(s: Steps, roll: Floats) -> int:
    """Return the state of the best first throw: without the golden die, or with it."""
    last = roll.shape[0] - 1
    if s.golden_start >= 0 and roll[last, 0, s.golden_start] > roll[last, 0, s.start]:
        return s.golden_start
    return s.start


@compiled
def _throw(s: Steps, state: int, worth: Floats, shown: Ints, seed: Seeds) -> int:
    """Throw the dice in hand; return the slot of the best keep."""
    shown[:] = 0
    for _ in range(s.dice[state]):
        shown[s.faces[_draw(seed, len(s.faces))]] += 1
    golden = s.golden_faces[_draw(seed, len(s.golden_faces))] if s.golden[state] else -1
    best = 0
    for face in range(len(shown)):
        slot = s.keep[state, 1 if face == golden else 0, face, shown[face]]
        if slot and (not best or worth[slot] > worth[best]):
            best = slot
    return best or s.dead[state]


@compiled
def _play_turn(s: Steps, worth: Floats, roll: Floats, totals: int, seed: Seeds) -> int:
    """Simulate a turn; return its end as numbered by `TableModel.branches`.

    ``worth`` [copy, layer, slot] and ``roll`` [copy, layer, state] are one position's solution. The
    end is ``layer * (1 + 2 * totals)``, plus 0 for a failed attempt, or 1 + the worm and total.
    """
    t = s.arrays
    ends = 1 + 2 * totals
    copy, layer = worth.shape[0] - 1, 0
    state = first_throw(s, roll)
    shown = np.empty(s.keep.shape[2], np.int64)
    while True:
        slot = _throw(s, state, worth[copy, layer], shown, seed)
        if copy and roll[0, layer, state] > worth[copy, layer, slot]:
            copy = 0
            continue
        if slot >= t.slots:  # a double 1: continue in the best of the other layers
            slot -= t.slots
            layer = 1
            for other in range(2, worth.shape[1]):
                if worth[copy, other, slot] > worth[copy, layer, slot]:
                    layer = other
        if slot == t.fail:
            return layer * ends
        if slot < t.first_stopped:
            return int(layer * ends + 1 + slot - t.first_ended)
        state = slot - t.first_state
        stopped = t.state_stop[state]
        if worth[copy, layer, stopped] >= roll[copy, layer, state]:
            return int(layer * ends + 1 + stopped - t.first_stopped)


@compiled
def _play_turns(
    s: Steps, copies: int, worths: EndWorths, seeds: Seeds, value: Floats, ends: Ints
) -> None:
    """Solve turns, and simulate each as often as ``ends`` has room for."""
    stop, may_stop, fail = worths
    positions, layers, _, totals = stop.shape
    slots = s.arrays.slots * (2 if layers > 1 else 1)
    for first in range(0, positions, AT_ONCE):
        last = min(first + AT_ONCE, positions)
        worth = np.empty((copies, layers, slots, last - first))
        roll = np.empty((copies, layers, len(s.dice), last - first))
        solve_turns(s.arrays, stop[first:last], may_stop[first:last], fail[first:last], worth, roll)
        for i in range(last - first):
            value[first + i] = roll[copies - 1, 0, first_throw(s, roll[:, :, :, i]), i]
            for sample in range(ends.shape[1]):
                ends[first + i, sample] = _play_turn(
                    s,
                    worth[:, :, :, i],
                    roll[:, :, :, i],
                    totals,
                    seeds[first + i : first + i + 1],
                )


class Ended(NamedTuple):
    """Tables after a turn, the next player first."""

    rows: Rows
    """[table, place]"""
    over: Bools
    """[table]: the game is over."""
    shares: Floats32
    """[table, player]: the shares of the win, if it is over."""


class Turns(NamedTuple):
    """Turns at many tables: their values, and their ends when simulated."""

    value: Floats
    """[table]: the exact value of the turn for the player."""
    values: Floats32
    """[table, player]: the mean of the values after the simulated turns, the next player first."""
    ended: Ended
    """The tables after a turn by best play."""
    strayed: Ended
    """The tables after an ending drawn uniformly from all."""


def play_turns(
    model: TableModel,
    rows: Rows,
    seats: int,
    values: Values,
    rng: np.random.Generator,
    samples: int = 1,
    counted: Values | None = None,
) -> Turns:
    """Solve the turns at these tables for ``values`` and simulate each ``samples`` times.

    ``counted``, if given, is used instead of ``values`` for the values after the turns.
    """
    shape = shape_of(game(model.edition))
    value, mean = np.empty(len(rows)), np.empty((len(rows), seats), np.float32)
    ended, strayed = _no_tables(model, len(rows), seats), _no_tables(model, len(rows), seats)
    for kind, places in model.kinds(rows):
        worth = worth_of(model, model.layers(rows[places], kind), seats, values)
        steps = steps_for(shape, kind.golden, kind.layers > 1)
        best = np.empty(len(places))
        ends = np.empty((len(places), samples), np.int64)
        seeds = rng.integers(0, 2**64, len(places), dtype=np.uint64)
        _play_turns(steps, 1 + kind.weasel, worth.ends, seeds, best, ends)
        endings = as_ended(worth.branches).reshape(len(places), -1)
        at = worth.chosen[np.take_along_axis(endings, ends, axis=1)]
        value[places] = best
        after = _values_after(model, worth.branches, seats, counted) if counted else worth.values
        mean[places] = after[at].mean(axis=1)
        _note(ended, places, worth.branches, at[:, 0], seats)
        _note(strayed, places, worth.branches, _any_after(worth.branches, rng), seats)
    return Turns(value, mean, ended, strayed)


def _no_tables(model: TableModel, count: int, seats: int) -> Ended:
    return Ended(
        np.empty((count, model.width), np.int8),
        np.empty(count, np.bool_),
        np.empty((count, seats), np.float32),
    )


def _note(ended: Ended, places: Ints, branches: Branches, at: Ints, seats: int) -> None:
    ended.rows[places] = branches.rows[at]
    ended.over[places] = branches.over[at]
    ended.shares[places] = branches.shares[at, :seats]


def as_ended(branches: Branches) -> Ints:
    """Return the endings; a turn that ends automatically where one may not stop has failed."""
    if branches.may_stop is None:
        return branches.ending
    ended = branches.ending.copy()
    ended[..., 1:] = np.where(branches.may_stop, ended[..., 1:], ended[..., :1])
    return ended


def _any_after(branches: Branches, rng: np.random.Generator) -> Ints:
    """Draw one of the tables that each turn without a double 1 can lead to."""
    first = branches.first[branches.ending[:, 0].min(axis=1)]
    last = branches.first[branches.ending[:, 0].max(axis=1) + 1]
    drawn: Ints = first + (rng.random(len(first)) * (last - first)).astype(np.int64)
    return drawn
