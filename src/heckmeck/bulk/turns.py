"""Whole turns at many tables at once: solved for a value, weighed over their ends, and played out.

From rows (`heckmeck.bulk.rows`) to the values of turns: the endings of the turns, the tables after
them, their values, and the solver for the best play in between.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from heckmeck.bulk.rows import Branches, Floats32, RowRules, Rows
from heckmeck.dice.arrays import Generator, draw
from heckmeck.rules import AnyGame, game
from heckmeck.rules.components import GOLDEN_DIE
from heckmeck.solver import kernel
from heckmeck.solver.compiling import compiled, in_page
from heckmeck.solver.kernel import Arrays, Bools, Floats, Ints
from heckmeck.solver.positions import TurnKind
from heckmeck.solver.solution import EndValues
from heckmeck.solver.tables import FAIL, FIRST_ENDED, bratworm_faces, start, state_of, totals_of

Seeds = NDArray[np.uint64]

#: Positions solved at once: the fastest number, as measured.
AT_ONCE: Final = 16


class RowValue(Protocol):
    """Gives the values of tables for their players."""

    @property
    def by_result(self) -> bool:
        """Whether a finished game counts by its result instead of these values."""
        ...

    def of(self, rules: RowRules, rows: Rows, seats: int) -> Floats32:
        """Return [table, player]: the value for each of the ``seats`` players."""
        ...


class RowEnds(NamedTuple):
    """The values of the ends of turns for all players."""

    branches: Branches
    chosen: Ints
    """[ending]: the table after it that the player chooses."""
    values: Floats32
    """[after, player]: the value for each player then, the next player first."""
    ends: EndValues
    """The values for the player to move, as the solver needs them."""


def ends_of_turns(rules: RowRules, layers: Rows, seats: int, value: RowValue) -> RowEnds:
    """Return the values of the ends of the turns at these tables."""
    branches = rules.branches(layers, totals_of(game(rules.edition)))
    after = _values_after(rules, branches, seats, value)
    chosen, ends = values_of_ends(branches, after[:, seats - 1].astype(np.float64))
    return RowEnds(branches, chosen, after, ends)


def values_of_ends(
    branches: Branches, own: Floats, tables: Ints | slice = slice(None)
) -> tuple[Ints, EndValues]:
    """Return [ending]: the table that the player chooses, and the values for the solver.

    ``own`` is [after]: the values for the player who moved. Only the ends of the turns at
    ``tables`` are returned.
    """
    chosen = _choose(np.ascontiguousarray(own), branches.first)
    values, may_stop = own[chosen][branches.ending[tables]], branches.may_stop[tables]
    size = (*may_stop.shape[:2], 2, may_stop.shape[2] // 2)
    ends = EndValues.of(values[..., 1:].reshape(size), values[..., 0], may_stop.reshape(size))
    return chosen, ends


def _values_after(rules: RowRules, branches: Branches, seats: int, value: RowValue) -> Floats32:
    """Return [after, player]: the values of the tables after the endings."""
    if not value.by_result or not branches.over.any():
        return value.of(rules, branches.rows, seats)
    after = branches.shares[:, :seats].copy()
    goes_on = ~branches.over
    after[goes_on] = value.of(rules, branches.rows[goes_on], seats)
    return after


def best_layer(rules: RowRules, layers: Rows, seats: int, value: RowValue) -> Ints:
    """Return [table]: the player's best layer among those that a double 1 can lead to.

    It is the best according to ``value`` now: the choice hardly depends on the rest of the turn.
    Among equals it is the one whose row is the lowest, whatever the order of the layers is.
    """
    tables, count, width = layers.shape
    own = value.of(rules, layers[:, 1:].reshape(-1, width), seats)[:, 0].reshape(tables, count - 1)
    best: Ints = own.argmax(axis=1)
    equal = own == own[np.arange(tables), best][:, np.newaxis]
    for table in np.flatnonzero(equal.sum(axis=1) > 1):
        rows = layers[table, 1:]
        best[table] = min(np.flatnonzero(equal[table]), key=lambda layer: rows[layer].tobytes())
    return 1 + best


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


# ------------------------------------------------------------------------------ solving


class Steps(NamedTuple):
    """The tables of a turn, laid out for simulation."""

    arrays: Arrays
    keep: Ints
    """[state, the golden die shows it too, face, white dice]: the slot of keeping that, or 0;
    without states if turns are only solved."""
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
def steps_for(game: AnyGame, golden: bool, layered: bool, *, played: bool = False) -> Steps:
    """Return the steps of a game's turns; ``keep`` is there only if they are to be ``played``."""
    tables, arrays = kernel.arrays_for(game, golden, layered)
    faces = game.dice.faces
    keep = np.zeros((0, 2, len(faces), game.dice.count + 1), np.int64)
    if played:
        keep = np.zeros((len(tables.states), *keep.shape[1:]), np.int64)
        for index, state in enumerate(tables.states):
            for kept in tables.keeps(state):
                keep[index, int(kept.golden), kept.face, kept.dice] = tables.kept_slot(state, kept)
    golden_faces = [faces.index(face) for face in GOLDEN_DIE.faces] if golden else [0, 0]
    return Steps(
        arrays,
        keep,
        np.array([state.dice for state in tables.states]),
        np.array([state.golden for state in tables.states]),
        np.array([tables.dead(state) for state in tables.states]),
        np.repeat(np.arange(len(faces)), game.dice.sides),
        np.repeat(golden_faces, GOLDEN_DIE.sides),
        tables.index[state_of(game, start(game))],
        tables.index[state_of(game, start(game, golden=True))] if golden else -1,
    )


def prepare(edition: str) -> None:
    """Create the steps of all turns of an edition ahead, so that no decision has to wait.

    In a page decisions would have to wait for this, too; there, a turn waits for its own kind only.
    """
    if in_page():
        return
    rules = game(edition)
    for golden in sorted({False, rules.has_golden_die}):
        for layered in sorted({False, bratworm_faces(rules) > 0}):
            steps_for(rules, golden, layered)


@compiled
def _first_throw(s: Steps, roll: Floats) -> int:
    """Return the state of the best first throw: without the golden die, or with it."""
    last = roll.shape[0] - 1
    if s.golden_start >= 0 and roll[last, 0, s.golden_start] > roll[last, 0, s.start]:
        return s.golden_start
    return s.start


@compiled
def solve_some(
    s: Steps, copies: int, ends: EndValues, first: int, last: int
) -> tuple[Floats, Floats]:
    """Return [copy, layer, slot, position] and [copy, layer, state, position] of some positions."""
    layers = ends.fail.shape[1]
    slots = s.arrays.slots * (2 if layers > 1 else 1)
    value = np.empty((copies, layers, slots, last - first))
    roll = np.empty((copies, layers, len(s.dice), last - first))
    kernel.solve_turns(
        s.arrays,
        ends.stop[first:last],
        ends.may_stop[first:last],
        ends.fail[first:last],
        value,
        roll,
    )
    return value, roll


# ------------------------------------------------------------------------------ the ends


@compiled
def _end_chances(s: Steps, value: Floats, roll: Floats, ends: Floats) -> None:
    """Fill in [layer, end]: the chances of the endings of one position's turn by best play."""
    t = s.arrays
    copies, layers, _ = value.shape
    chance, rolling = np.zeros_like(value), np.zeros_like(roll)
    rolling[copies - 1, 0, _first_throw(s, roll)] = 1.0
    kernel.play_best(t, value, roll, chance, rolling)
    totals = t.first_stopped - FIRST_ENDED
    ends[:] = 0.0
    for copy in range(copies):
        for layer in range(layers):
            ends[layer, 0] += chance[copy, layer, FAIL]
            for end in range(totals):
                ends[layer, 1 + end] += (
                    chance[copy, layer, FIRST_ENDED + end]
                    + chance[copy, layer, t.first_stopped + end]
                )


@compiled
def _chances_of_ends(
    s: Steps, copies: int, ends: EndValues, value: Floats, chances: Floats
) -> None:
    """Solve turns; fill in [position]: their values, and [position, layer, end]: their endings."""
    positions = len(value)
    for first in range(0, positions, AT_ONCE):
        last = min(first + AT_ONCE, positions)
        values, roll = solve_some(s, copies, ends, first, last)
        for i in range(last - first):
            one_roll = roll[:, :, :, i].copy()
            value[first + i] = one_roll[copies - 1, 0, _first_throw(s, one_roll)]
            if chances.shape[0]:
                _end_chances(s, values[:, :, :, i].copy(), one_roll, chances[first + i])


def chances_of_ends(
    rules: RowRules, kind: TurnKind, ends: EndValues, *, value_only: bool = False
) -> tuple[Floats, Floats]:
    """Return [table]: the values of turns, and [table, layer, end]: the chances of their ends.

    With ``value_only`` there are no chances.
    """
    steps = steps_for(game(rules.edition), kind.golden, kind.layers > 1)
    tables, layers, worms, totals = ends.stop.shape
    value = np.empty(tables)
    chances = np.empty((0 if value_only else tables, layers, 1 + worms * totals))
    _chances_of_ends(steps, 1 + kind.weasel, ends, value, chances)
    return value, chances


def expected(rules: RowRules, kind: TurnKind, found: RowEnds, seats: int) -> Floats32:
    """Return [table, player]: the expectation of chances to win, the player to move first."""
    # The chances of two players add up to 1, so the chances of the endings are not needed.
    value, chances = chances_of_ends(rules, kind, found.ends, value_only=seats == 2)
    if seats == 2:
        return np.stack([value, 1.0 - value], axis=1).astype(np.float32)
    after = found.chosen[as_ended(found.branches).reshape(len(value), -1)]
    mean = _mean_after(chances.reshape(len(value), -1), after, found.values)
    return np.roll(mean, 1, axis=1).astype(np.float32)


@compiled
def _mean_after(chances: Floats, after: Ints, values: Floats32) -> Floats:
    """Return [table, player]: the mean of ``values`` over the endings of turns, in order."""
    tables, ends = after.shape
    mean = np.zeros((tables, values.shape[1]))
    for table in range(tables):
        for end in range(ends):
            for player in range(values.shape[1]):
                mean[table, player] += chances[table, end] * values[after[table, end], player]
    return mean


def as_ended(branches: Branches) -> Ints:
    """Return the endings; a turn that ends automatically where one may not stop has failed."""
    ended = branches.ending.copy()
    ended[..., 1:] = np.where(branches.may_stop, ended[..., 1:], ended[..., :1])
    return ended


# ------------------------------------------------------------------------------ playing out


_draw = compiled(draw)


@compiled
def _throw(s: Steps, state: int, value: Floats, shown: Ints, seed: Seeds) -> int:
    """Throw the dice in hand; return the slot of the best keep."""
    shown[:] = 0
    for _ in range(s.dice[state]):
        shown[s.faces[_draw(seed, len(s.faces))]] += 1
    golden = s.golden_faces[_draw(seed, len(s.golden_faces))] if s.golden[state] else -1
    best = 0
    for face in range(len(shown)):
        slot = s.keep[state, 1 if face == golden else 0, face, shown[face]]
        if slot and (not best or value[slot] > value[best]):
            best = slot
    return best or s.dead[state]


@compiled
def _play_turn(s: Steps, value: Floats, roll: Floats, totals: int, seed: Seeds) -> int:
    """Simulate a turn; return its end as numbered by `RowRules.branches`.

    ``value`` [copy, layer, slot] and ``roll`` [copy, layer, state] are one position's solution. The
    end is ``layer * (1 + 2 * totals)``, plus 0 for a failed attempt, or 1 + the worm and total.
    """
    t = s.arrays
    ends = 1 + 2 * totals
    copy, layer = value.shape[0] - 1, 0
    state = _first_throw(s, roll)
    shown = np.empty(s.keep.shape[2], np.int64)
    while True:
        slot = _throw(s, state, value[copy, layer], shown, seed)
        if copy and roll[0, layer, state] > value[copy, layer, slot]:
            copy = 0
            continue
        if slot >= t.slots:  # a double 1: continue in the best of the other layers
            slot -= t.slots
            layer = 1
            for other in range(2, value.shape[1]):
                if value[copy, other, slot] > value[copy, layer, slot]:
                    layer = other
        if slot == FAIL:
            return layer * ends
        if slot < t.first_stopped:
            return int(layer * ends + 1 + slot - FIRST_ENDED)
        state = slot - t.first_state
        stopped = t.state_stop[state]
        if value[copy, layer, stopped] >= roll[copy, layer, state]:
            return int(layer * ends + 1 + stopped - t.first_stopped)


@compiled
def _play_turns(
    s: Steps, copies: int, ends: EndValues, seeds: Seeds, value: Floats, played: Ints
) -> None:
    """Solve turns, and simulate each as often as ``played`` has room for."""
    positions, _, _, totals = ends.stop.shape
    for first in range(0, positions, AT_ONCE):
        last = min(first + AT_ONCE, positions)
        values, roll = solve_some(s, copies, ends, first, last)
        for i in range(last - first):
            own, own_roll = values[:, :, :, i], roll[:, :, :, i]
            value[first + i] = own_roll[copies - 1, 0, _first_throw(s, own_roll)]
            for sample in range(played.shape[1]):
                seed = seeds[first + i : first + i + 1]
                played[first + i, sample] = _play_turn(s, own, own_roll, totals, seed)


class Ended(NamedTuple):
    """Tables after a turn, the next player first."""

    rows: Rows
    """[table, place]"""
    over: Bools
    """[table]: the game is over."""
    shares: Floats32
    """[table, player]: the shares of the win, if it is over."""


class PlayedTurns(NamedTuple):
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
    rules: RowRules,
    rows: Rows,
    seats: int,
    value: RowValue,
    rng: Generator,
    samples: int = 1,
    counted: RowValue | None = None,
) -> PlayedTurns:
    """Solve the turns at these tables for ``value`` and simulate each ``samples`` times.

    ``counted``, if given, is used instead of ``value`` for the values after the turns.
    """
    best, mean = np.empty(len(rows)), np.empty((len(rows), seats), np.float32)
    ended, strayed = _no_tables(rules, len(rows), seats), _no_tables(rules, len(rows), seats)
    for kind, places in rules.kinds(rows):
        found = ends_of_turns(rules, rules.layers(rows[places], kind), seats, value)
        steps = steps_for(game(rules.edition), kind.golden, kind.layers > 1, played=True)
        values, played = np.empty(len(places)), np.empty((len(places), samples), np.int64)
        seeds = rng.integers(0, 2**64, len(places), dtype=np.uint64)
        _play_turns(steps, 1 + kind.weasel, found.ends, seeds, values, played)
        endings = as_ended(found.branches).reshape(len(places), -1)
        at = found.chosen[np.take_along_axis(endings, played, axis=1)]
        best[places] = values
        after = _values_after(rules, found.branches, seats, counted) if counted else found.values
        mean[places] = after[at].mean(axis=1)
        _note(ended, places, found.branches, at[:, 0], seats)
        _note(strayed, places, found.branches, _any_after(found.branches, rng), seats)
    return PlayedTurns(best, mean, ended, strayed)


def _no_tables(rules: RowRules, count: int, seats: int) -> Ended:
    return Ended(
        np.empty((count, rules.width), np.int8),
        np.empty(count, np.bool_),
        np.empty((count, seats), np.float32),
    )


def _note(ended: Ended, places: Ints, branches: Branches, at: Ints, seats: int) -> None:
    ended.rows[places] = branches.rows[at]
    ended.over[places] = branches.over[at]
    ended.shares[places] = branches.shares[at, :seats]


def _any_after(branches: Branches, rng: Generator) -> Ints:
    """Draw one of the tables that each turn without a double 1 can lead to."""
    first = branches.first[branches.ending[:, 0].min(axis=1)]
    last = branches.first[branches.ending[:, 0].max(axis=1) + 1]
    drawn: Ints = first + (rng.random(len(first)) * (last - first)).astype(np.int64)
    return drawn
