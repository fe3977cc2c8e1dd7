"""A turn deeper: the chances at a table, from those after the next player's best turn.

The next turn is solved as if it were played, and every way it can end is weighed by its exact
chance. That makes values out of values, so one can look as many turns ahead as time allows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heckmeck.bots.champion.model import Floats32, Kind, Rows, TableModel
from heckmeck.bots.champion.turns import (
    AT_ONCE,
    EndWorths,
    Steps,
    Values,
    Worth,
    as_ended,
    first_throw,
    steps_for,
    worth_of,
)
from heckmeck.rules import game
from heckmeck.solver.kernel import Floats, compiled, solve_turns
from heckmeck.solver.shapes import shape_of


@compiled
def _throw(
    s: Steps, group: int, lane: int, thrown: float, reroll: float, worth: Floats, chance: Floats
) -> float:
    """Make the best of every throw of a lane that is thrown with the chance ``thrown``.

    Add to ``chance`` [slot] where the throws lead; return the chance that they are thrown again.
    """
    t = s.arrays
    again = 0.0
    dead = t.lanes[lane]["dead"]
    if reroll > worth[dead]:
        again += thrown * t.groups[group]["dead"]
    else:
        chance[dead] += thrown * t.groups[group]["dead"]
    depths = t.lane_face.shape[1] + 1
    best, slots = np.empty(depths), np.empty(depths, np.int64)
    best[0], slots[0] = reroll, -1
    lanes = t.groups[group + 1]["lane"] - t.groups[group]["lane"]
    row_0 = t.groups[group]["slot"] + lane - t.groups[group]["lane"] - lanes
    for number in range(t.groups[group]["node"], t.groups[group + 1]["node"]):
        depth = t.nodes[number]["depth"]
        slot = t.row_slot[row_0 + t.nodes[number]["row"] * lanes]
        best[depth], slots[depth] = best[depth - 1], slots[depth - 1]
        if worth[slot] > best[depth]:
            best[depth], slots[depth] = worth[slot], slot
        if slots[depth] < 0:
            again += thrown * t.nodes[number]["chance"]
        else:
            chance[slots[depth]] += thrown * t.nodes[number]["chance"]
    return again


@compiled
def _play_layer(
    s: Steps, copy: int, layer: int, worth: Floats, roll: Floats, chance: Floats, rolling: Floats
) -> None:
    """Stop or throw in all states of a copy and layer, those with most dice first."""
    t = s.arrays
    for stage in range(len(t.stages) - 2, -1, -1):
        for state in range(t.stages[stage]["state"], t.stages[stage + 1]["state"]):
            arrived = chance[copy, layer, t.first_state + state]
            stopped = t.state_stop[state]
            if worth[copy, layer, stopped] >= roll[copy, layer, state]:
                chance[copy, layer, stopped] += arrived
            else:
                rolling[copy, layer, state] += arrived
        for group in range(t.stages[stage]["group"], t.stages[stage + 1]["group"]):
            for lane in range(t.groups[group]["lane"], t.groups[group + 1]["lane"]):
                state = t.lanes[lane]["state"]
                thrown = rolling[copy, layer, state] * t.lanes[lane]["chance"]
                if thrown > 0.0:
                    reroll = roll[0, layer, state] if copy else -np.inf
                    again = _throw(
                        s, group, lane, thrown, reroll, worth[copy, layer], chance[copy, layer]
                    )
                    if copy:
                        rolling[0, layer, state] += again


@compiled
def _choose_layer(s: Steps, worth: Floats, chance: Floats) -> None:
    """After a double 1, go on in the best of the other layers: [layer, slot] of one copy."""
    slots = s.arrays.slots
    for slot in range(slots):
        if chance[0, slots + slot] > 0.0:
            layer = 1
            for other in range(2, len(worth)):
                if worth[other, slot] > worth[layer, slot]:
                    layer = other
            chance[layer, slot] += chance[0, slots + slot]


@compiled
def _end_chances(s: Steps, worth: Floats, roll: Floats, ends: Floats) -> None:
    """Fill in [layer, end]: the chances of the ends of one position's turn by best play."""
    t = s.arrays
    copies, layers, _ = worth.shape
    chance, rolling = np.zeros_like(worth), np.zeros_like(roll)
    rolling[copies - 1, 0, first_throw(s, roll)] = 1.0
    for copy in range(copies - 1, -1, -1):
        for layer in range(layers):
            _play_layer(s, copy, layer, worth, roll, chance, rolling)
            if layer == 0 and layers > 1:
                _choose_layer(s, worth[copy], chance[copy])
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
    """Solve turns; fill in [position]: their worth, and [position, layer, end]: their ends."""
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
    """The chances to win, one turn deeper than ``values`` sees them."""

    values: Values
    by_result: bool = True

    def of(self, model: TableModel, rows: Rows, seats: int) -> Floats32:
        """Return everybody's chance to win, by the next player's best turn."""
        chances = np.empty((len(rows), seats), np.float32)
        for kind, places in model.kinds(rows):
            worth = worth_of(model, model.layers(rows[places], kind), seats, self.values)
            chances[places] = _expected(model.edition, kind, worth, seats)
        return chances


def _expected(edition: str, kind: Kind, worth: Worth, seats: int) -> Floats32:
    """Return [table, player]: what everybody can expect of turns, the player to move first."""
    steps = steps_for(shape_of(game(edition)), kind.golden, kind.layers > 1)
    count = len(worth.branches.ending)
    # Of two players one has what the other has not, so the chances of the ends are not needed.
    size = worth.branches.ending.shape if seats > 2 else (0, *worth.branches.ending.shape[1:])
    value, ends = np.empty(count), np.empty(size)
    chances_of_ends(steps, 1 + kind.weasel, worth.ends, value, ends)
    if seats == 2:
        return np.stack([value, 1.0 - value], axis=1).astype(np.float32)
    after = worth.values[worth.chosen[as_ended(worth.branches).reshape(count, -1)]]
    expected: Floats = np.einsum("te,tep->tp", ends.reshape(count, -1), after)
    return np.roll(expected, 1, axis=1).astype(np.float32)
