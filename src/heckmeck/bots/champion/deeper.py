"""One turn deeper: the chances at a table, from those after the next player's best turn.

The next turn is solved, and each of its endings is weighted by its exact probability. That makes
values out of values, so it can be repeated to look as many turns ahead as time allows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heckmeck.bots.champion.model import Floats32, Ints, Kind, Rows, TableModel
from heckmeck.bots.champion.turns import (
    AT_ONCE,
    EndWorths,
    Steps,
    Values,
    Worth,
    as_ended,
    best_layer,
    first_throw,
    steps_for,
    worth_of,
)
from heckmeck.rules import game
from heckmeck.solver.kernel import Floats, compiled, play_best, solve_turns
from heckmeck.solver.shapes import shape_of


@compiled
def _end_chances(s: Steps, worth: Floats, roll: Floats, ends: Floats) -> None:
    """Fill in [layer, end]: the chances of the endings of one position's turn by best play."""
    t = s.arrays
    copies, layers, _ = worth.shape
    chance, rolling = np.zeros_like(worth), np.zeros_like(roll)
    rolling[copies - 1, 0, first_throw(s, roll)] = 1.0
    play_best(t, worth, roll, chance, rolling)
    totals = t.first_stopped - t.first_ended
    ends[:] = 0.0
    for copy in range(copies):
        for layer in range(layers):
            ends[layer, 0] += chance[copy, layer, t.fail]
            for end in range(totals):
                ends[layer, 1 + end] += (
                    chance[copy, layer, t.first_ended + end]
                    + chance[copy, layer, t.first_stopped + end]
                )


@compiled
def chances_of_ends(s: Steps, copies: int, worths: EndWorths, value: Floats, ends: Floats) -> None:
    """Solve turns; fill in [position]: their values, and [position, layer, end]: their endings."""
    stop, may_stop, fail = worths
    positions, layers, _, _ = stop.shape
    slots = s.arrays.slots * (2 if layers > 1 else 1)
    for first in range(0, positions, AT_ONCE):
        last = min(first + AT_ONCE, positions)
        worth = np.empty((copies, layers, slots, last - first))
        roll = np.empty((copies, layers, len(s.dice), last - first))
        solve_turns(s.arrays, stop[first:last], may_stop[first:last], fail[first:last], worth, roll)
        for i in range(last - first):
            one_roll = roll[:, :, :, i].copy()
            value[first + i] = one_roll[copies - 1, 0, first_throw(s, one_roll)]
            if ends.shape[0]:
                _end_chances(s, worth[:, :, :, i].copy(), one_roll, ends[first + i])


@dataclass(frozen=True, slots=True, eq=False)
class Deeper:
    """The chances to win, one turn deeper than ``values``."""

    values: Values
    by_result: bool = True

    def of(self, model: TableModel, rows: Rows, seats: int) -> Floats32:
        """Return every player's chance to win, by the next player's best turn."""
        chances = np.empty((len(rows), seats), np.float32)
        for kind, places in model.kinds(rows):
            layers = model.layers(rows[places], kind)
            if kind.layers > 2:  # seven for each of many tables would take too long
                best = best_layer(model, layers, seats, self.values)
                layers = np.stack([layers[:, 0], layers[np.arange(len(best)), best]], axis=1)
            worth = worth_of(model, layers, seats, self.values)
            chances[places] = _expected(model.edition, kind, worth, seats)
        return chances


def _expected(edition: str, kind: Kind, worth: Worth, seats: int) -> Floats32:
    """Return [table, player]: the expectation of turns, the player to move first."""
    steps = steps_for(shape_of(game(edition)), kind.golden, kind.layers > 1)
    count = len(worth.branches.ending)
    # The chances of two players add up to 1, so the chances of the endings are not needed.
    size = worth.branches.ending.shape if seats > 2 else (0, *worth.branches.ending.shape[1:])
    value, ends = np.empty(count), np.empty(size)
    chances_of_ends(steps, 1 + kind.weasel, worth.ends, value, ends)
    if seats == 2:
        return np.stack([value, 1.0 - value], axis=1).astype(np.float32)
    after = worth.chosen[as_ended(worth.branches).reshape(count, -1)]
    expected = _mean_after(ends.reshape(count, -1), after, worth.values)
    return np.roll(expected, 1, axis=1).astype(np.float32)


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
