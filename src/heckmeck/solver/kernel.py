"""The dynamic programme over a turn, compiled.

Every state has two values: of throwing, and of choosing between throwing and stopping::

    roll[state]  = sum over throws of chance * max over kept faces of value[state after keeping]
    value[state] = max(stop[worm, total], roll[state])

A dead throw, which allows no keep, has the value of a failed attempt (junior: of ending the turn).
States with fewer dice come first, so one pass over the states is enough. Around that pass:

- **Weasel.** Two copies of everything: 0 without a weasel (or when it is used), 1 while it may
  still be used. In copy 1 throwing the same dice again, ``roll`` of copy 0, is one more choice
  after every throw, dead ones included: the running maximum starts there instead of at minus
  infinity.
- **Layers.** Keeping a double 1 leads from layer 0 to the best of the other layers, which are
  solved first.

The arithmetic runs over **columns**: a lane of the tables (see `heckmeck.solver.tables`) for one
position of the batch. All lanes of a group use the same tree of throws, so the innermost loops are
plain arithmetic over contiguous columns and can be vectorised, for a single position (many lanes)
as well as for a batch (many lanes, many positions). Every column has the same operations in the
same order, without fast-math: the values of a position are the same to the last bit alone, in any
batch and on any machine.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heckmeck.rules import AnyGame
from heckmeck.solver.compiling import compiled, compiled_lean
from heckmeck.solver.tables import FAIL, FIRST_ENDED, IMPOSSIBLE, Group, Tables, tables_for

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Places = NDArray[np.uint32]
Bools = NDArray[np.bool_]
Records = NDArray[np.void]

#: Choices whose values differ by less count as equal; the first in order is then the best.
TIE: Final = 1e-12

#: Positions solved at once: as many as fit into the processor's second-level cache.
BATCH: Final = 64

#: Columns processed at once, unless one lane of a batch needs more.
COLUMNS: Final = 128


def _record(**fields: type[np.generic]) -> np.dtype[np.void]:
    return np.dtype(list(fields.items()), align=True)


#: All states with the same number of dice in hand, and the groups of their lanes.
STAGE: Final = _record(state=np.int64, group=np.int64)

GROUP: Final = _record(
    lane=np.int64,
    end_layered=np.int64,  # the end of the lanes that exist in layers above 0
    slot=np.int64,
    rows=np.int64,  # the number of rows of the tree
    dead=np.float64,  # the chance of a dead throw
    node=np.int64,
)

#: A lane's state, the slot of its dead throw, and the chance of what the golden die shows.
LANE: Final = _record(state=np.int64, dead=np.int64, chance=np.float64)

#: Unsigned, as an index that cannot be negative costs less.
NODE: Final = _record(depth=np.uint16, place=np.uint16, row=np.uint32, chance=np.float64)


class Arrays(NamedTuple):
    """`Tables` in the kernel's format.

    A part with parts of its own (a stage its groups, a group its lanes) holds the number of the
    first one; they extend to the first of the next part, so there is one extra part at the end.
    """

    first_stopped: int
    first_state: int
    slots: int
    max_rows: int
    stages: Records
    groups: Records
    lanes: Records
    nodes: Records
    state_stop: Ints
    """[state]: the slot of stopping there."""
    row_slot: Ints
    """For each group [row, lane]: the slot that the row stands for."""
    lane_face: Ints
    """[lane, place]: the face at a place of the tree."""


class Scratch(NamedTuple):
    """Working memory, a column each."""

    rows: Floats
    """[row, column]: the value of that keep. There is no row 0."""
    best: Floats
    """[depth, column]: the best value among that many faces of the throw, or of a reroll."""
    mean: Floats
    """[column]: the sum over throws so far."""


# ------------------------------------------------------------------------------ solving


@compiled
def solve_turns(
    t: Arrays, stop: Floats, may_stop: Bools, fail: Floats, value: Floats, roll: Floats
) -> bool:
    """Fill `value` [copy, layer, slot, position] and `roll` [copy, layer, state, position].

    The values of the endings are `stop` and `may_stop` [position, layer, worm, total] and `fail`
    [position, layer]. Return False, with nothing solved, if one of them is not finite.
    """
    copies, layers, _, batch = roll.shape
    width = max(COLUMNS, batch)
    scratch = Scratch(
        np.empty((t.max_rows + 1, width)),
        np.empty((t.lane_face.shape[1] + 1, width)),
        np.empty(width),
    )
    for copy in range(copies):
        for layer in range(layers - 1, -1, -1):
            if not _set_ends(
                t, stop[:, layer], may_stop[:, layer], fail[:, layer], value[copy, layer]
            ):
                return False
            if layer == 0 and layers > 1:
                _set_twins(t, value[copy])
            _solve_layer(t, copy, layer, value[copy, layer], roll[:, layer], scratch)
    return True


@compiled
def _set_ends(t: Arrays, stop: Floats, may_stop: Bools, fail: Floats, value: Floats) -> bool:
    """Fill the slots of the ends of a turn; return whether all their values are finite."""
    finite = True
    batch, worms, totals = stop.shape
    for position in range(batch):
        value[IMPOSSIBLE, position] = -np.inf
        value[FAIL, position] = fail[position]
        finite &= np.isfinite(fail[position])
        for worm in range(worms):
            for total in range(totals):
                end = worm * totals + total
                may = may_stop[position, worm, total]
                stopped = stop[position, worm, total]
                finite &= not may or np.isfinite(stopped)
                value[FIRST_ENDED + end, position] = stopped if may else fail[position]
                value[t.first_stopped + end, position] = stopped if may else -np.inf
    return finite


@compiled
def _set_twins(t: Arrays, value: Floats) -> None:
    """Fill the twin slots of layer 0: the best of the other layers."""
    layers, _, batch = value.shape
    for slot in range(t.slots):
        for position in range(batch):
            best = value[1, slot, position]
            for layer in range(2, layers):
                best = max(best, value[layer, slot, position])
            value[0, t.slots + slot, position] = best


@compiled
def _solve_layer(
    t: Arrays, copy: int, layer: int, value: Floats, rolls: Floats, scratch: Scratch
) -> None:
    """Solve all states of one copy and layer, those with fewest dice first.

    `rolls` is [copy, state, position]. In a layer above 0 a 1 is kept: the other states are left
    with a meaningless 0.
    """
    roll = rolls[copy]
    roll[:] = 0.0
    batch = roll.shape[1]
    lanes_at_once = max(1, COLUMNS // batch)
    for stage in range(len(t.stages) - 1):
        for group in range(t.stages[stage]["group"], t.stages[stage + 1]["group"]):
            first = t.groups[group]["lane"]
            end = t.groups[group + 1]["lane"] if layer == 0 else t.groups[group]["end_layered"]
            for lane in range(first, end, lanes_at_once):
                lanes = min(lanes_at_once, end - lane)
                _gather(t, group, lane, lanes, value, scratch.rows)
                _begin(t, group, lane, lanes, value, rolls[:copy], scratch)
                _walk(t, group, lanes * batch, scratch)
                _scatter(t, lane, lanes, scratch.mean, roll)
        for state in range(t.stages[stage]["state"], t.stages[stage + 1]["state"]):
            stopped = t.state_stop[state]
            for position in range(batch):
                value[t.first_state + state, position] = max(
                    value[stopped, position], roll[state, position]
                )


@compiled
def _gather(t: Arrays, group: int, lane: int, lanes: int, value: Floats, rows: Floats) -> None:
    """Set up the columns of some lanes: what can be kept."""
    batch = value.shape[1]
    first_lane = t.groups[group]["lane"]
    stride = t.groups[group + 1]["lane"] - first_lane
    for row in range(t.groups[group]["rows"]):
        first = t.groups[group]["slot"] + row * stride + lane - first_lane
        if batch == 1:  # the loop below without its overhead
            for i in range(lanes):
                rows[row + 1, i] = value[t.row_slot[first + i], 0]
        else:
            for i in range(lanes):
                slot = t.row_slot[first + i]
                for position in range(batch):
                    rows[row + 1, i * batch + position] = value[slot, position]


@compiled
def _begin(
    t: Arrays, group: int, lane: int, lanes: int, value: Floats, rolls: Floats, scratch: Scratch
) -> None:
    """Set up the columns of some lanes: the dead throw, and the reroll in the copy before."""
    copy, _, batch = rolls.shape
    chance = t.groups[group]["dead"]
    for i in range(lanes):
        state = t.lanes[lane + i]["state"]
        dead = t.lanes[lane + i]["dead"]
        for position in range(batch):
            reroll = rolls[copy - 1, state, position] if copy > 0 else -np.inf
            scratch.best[0, i * batch + position] = reroll
            scratch.mean[i * batch + position] = chance * max(reroll, value[dead, position])


@compiled
def _walk(t: Arrays, group: int, columns: int, scratch: Scratch) -> None:
    """Sum over all throws of a group's tree: chance times the best keep."""
    rows, best, mean = scratch
    for node in range(t.groups[group]["node"], t.groups[group + 1]["node"]):
        depth = t.nodes[node]["depth"]
        row = t.nodes[node]["row"]
        chance = t.nodes[node]["chance"]
        for i in range(columns):
            top = max(best[depth - 1, i], rows[row, i])
            best[depth, i] = top
            mean[i] += chance * top


@compiled
def _scatter(t: Arrays, lane: int, lanes: int, mean: Floats, roll: Floats) -> None:
    """Add the lanes' means to their states; only the golden die gives a state several lanes."""
    batch = roll.shape[1]
    for i in range(lanes):
        state = t.lanes[lane + i]["state"]
        chance = t.lanes[lane + i]["chance"]
        for position in range(batch):
            roll[state, position] += chance * mean[i * batch + position]


# ------------------------------------------------------------------------------ best play


class Play(NamedTuple):
    """One copy and layer of a solved position, and the chances of reaching its places."""

    value: Floats
    roll: Floats
    reroll: Floats
    chance: Floats
    """[slot]: the chance to arrive there."""
    rolling: Floats
    """[state]: the chance to throw there."""
    rerolling: Floats
    """[state]: the chance to throw there with the weasel."""


class Throws(NamedTuple):
    """Working memory for the throws of one lane; row 0 stands for throwing again."""

    value: Floats
    """[row]: the value of that keep."""
    chance: Floats
    """[row]: the chance of that keep."""
    node: Places
    """[depth]: the node of the face at that depth of the throw; depth 0 stands for a reroll."""
    best: Floats
    """[depth]: the best value among that many faces of the throw, or of a reroll."""
    chosen: Places
    """[depth]: the row of the one to keep."""


@compiled
def _throws(t: Arrays) -> Throws:
    """Return working memory."""
    rows, depths = t.max_rows + 1, t.lane_face.shape[1] + 1
    return Throws(
        np.empty(rows),
        np.empty(rows),
        np.zeros(depths, np.uint32),
        np.empty(depths),
        np.zeros(depths, np.uint32),
    )


@compiled
def play_best(t: Arrays, value: Floats, roll: Floats, chance: Floats, rolling: Floats) -> None:
    """Continue the turn of one position by best play until it has ended.

    `chance` [copy, layer, slot] and `rolling` [copy, layer, state] come with the start filled in;
    afterwards the slots of the ends hold the chances of the ends. `value` and `roll` are what
    `solve_turns` found, for that position alone.
    """
    copies, layers, states = roll.shape
    no_reroll = np.full(states, -np.inf)
    throws = _throws(t)
    for copy in range(copies - 1, -1, -1):
        for layer in range(layers):
            play = Play(
                value[copy, layer],
                roll[copy, layer],
                roll[copy - 1, layer] if copy > 0 else no_reroll,
                chance[copy, layer],
                rolling[copy, layer],
                rolling[max(copy - 1, 0), layer],  # in copy 0 nothing is rerolled
            )
            for stage in range(len(t.stages) - 2, -1, -1):
                _play_stage(t, stage, play, throws)
            if layer == 0 and layers > 1:
                _choose_layer(t, value[copy], chance[copy])


@compiled_lean
def _play_stage(t: Arrays, stage: int, play: Play, throws: Throws) -> None:
    """Stop or throw in all states with a given number of dice in hand."""
    for state in range(t.stages[stage]["state"], t.stages[stage + 1]["state"]):
        arrived = play.chance[t.first_state + state]
        stopped = t.state_stop[state]
        if play.value[stopped] >= play.roll[state] - TIE:
            play.chance[stopped] += arrived
        else:
            play.rolling[state] += arrived
    for group in range(t.stages[stage]["group"], t.stages[stage + 1]["group"]):
        _play_throws(t, group, play, throws)


@compiled_lean
def _play_throws(t: Arrays, group: int, play: Play, throws: Throws) -> None:
    """Choose the best keep of every throw, for those lanes of a group that the turn reaches."""
    first_lane, rows = t.groups[group]["lane"], t.groups[group]["rows"]
    lanes = t.groups[group + 1]["lane"] - first_lane
    dead_chance = t.groups[group]["dead"]
    for lane in range(first_lane, first_lane + lanes):
        state, dead = t.lanes[lane]["state"], t.lanes[lane]["dead"]
        thrown = play.rolling[state] * t.lanes[lane]["chance"]
        if thrown <= 0.0:
            continue
        first = t.groups[group]["slot"] + lane - first_lane
        for row in range(rows):
            throws.value[row + 1] = play.value[t.row_slot[first + row * lanes]]
        _choose_rows(t, group, lane, play.reroll[state], throws)
        for row in range(rows):
            play.chance[t.row_slot[first + row * lanes]] += thrown * throws.chance[row + 1]
        play.rerolling[state] += thrown * throws.chance[0]
        if play.value[dead] >= play.reroll[state] - TIE:
            play.chance[dead] += thrown * dead_chance
        else:
            play.rerolling[state] += thrown * dead_chance


@compiled_lean
def _choose_rows(t: Arrays, group: int, lane: int, reroll: float, throws: Throws) -> None:
    """Fill in the chances of the keeps of a lane's throws."""
    value, chance, nodes, best, chosen = throws
    for row in range(t.groups[group]["rows"] + 1):
        chance[row] = 0.0
    value[0], best[0], chosen[0] = reroll, reroll, 0
    for node in range(t.groups[group]["node"], t.groups[group + 1]["node"]):
        depth, row = t.nodes[node]["depth"], t.nodes[node]["row"]
        nodes[depth] = node
        before, kept = best[depth - 1], value[row]
        better = kept > before
        best[depth] = kept if better else before
        chosen[depth] = row if better else chosen[depth - 1]
        if not abs(kept - before) > TIE:  # also if both are minus infinity
            chosen[depth] = _first_of_best(t, lane, depth, throws)
        chance[chosen[depth]] += t.nodes[node]["chance"]


@compiled_lean
def _first_of_best(t: Arrays, lane: int, depth: int, throws: Throws) -> int:
    """Return the row of the first in order among the choices within a tie of the best."""
    least = throws.best[depth] - TIE
    row, first = 0, t.lane_face.shape[1]
    for node in throws.node[1 : depth + 1]:
        face = t.lane_face[lane, t.nodes[node]["place"]]
        if throws.value[t.nodes[node]["row"]] >= least and face < first:
            row, first = t.nodes[node]["row"], face
    return row


@compiled
def _choose_layer(t: Arrays, value: Floats, chance: Floats) -> None:
    """After a double 1, go from the twin slots of layer 0 to the best of the other layers."""
    for slot in range(t.slots):
        twin = t.slots + slot
        if chance[0, twin] > 0.0:
            chance[_best_layer(t, value, slot), slot] += chance[0, twin]


# ------------------------------------------------------------------------------ all seats


class Shares(NamedTuple):
    """What the places of solved positions are worth to every seat, by the player's best play.

    There is a column for each seat and position: first those of seat 0.
    """

    value: Floats
    """[copy, layer, slot, column]"""
    roll: Floats
    """[copy, layer, state, column]"""


class LayerShares(NamedTuple):
    """One copy and layer of solved positions, and its shares."""

    value: Floats
    """[slot, position]"""
    roll: Floats
    """[state, position]"""
    reroll: Floats
    """[state, position]: the roll of the copy before, which the weasel leads to."""
    own: Floats
    """[slot, column]: the shares of the values,"""
    thrown: Floats
    """[state, column]: of the rolls,"""
    again: Floats
    """[state, column]: and of the rerolls."""


class Choosing(NamedTuple):
    """Working memory for the throws of one lane."""

    best: Floats
    """[depth, position]: the best value among that many faces of the throw, or of a reroll."""
    face: Floats
    """[depth, position]: the face to keep; beyond all faces: throw again."""
    share: Floats
    """[depth, column]: what that is worth."""
    taken: Floats
    """[column]: 1 if the last face is the one to keep, otherwise 0."""
    mean: Floats
    """[column]: the sum over throws so far."""


@compiled
def share_turns(t: Arrays, value: Floats, roll: Floats, ends: Floats, shares: Shares) -> None:
    """Fill in the shares of positions whose ends are worth ``ends`` [layer, end, column].

    The ends are a failed attempt, then each total without a worm, then each with one. ``value`` and
    ``roll`` are what `solve_turns` found; the shares come filled with 0. Every choice is the one
    that `play_best` makes.
    """
    copies, layers, _, batch = roll.shape
    depths, columns = t.lane_face.shape[1] + 1, ends.shape[2]
    work = Choosing(
        np.empty((depths, batch)),
        np.empty((depths, batch)),
        np.empty((depths, columns)),
        np.empty(columns),
        np.empty(columns),
    )
    no_reroll = np.full(roll.shape[2:], -np.inf)
    for copy in range(copies):
        for layer in range(layers - 1, -1, -1):
            _share_ends(t, value[copy, layer], ends[layer], shares.value[copy, layer])
            if layer == 0 and layers > 1:
                _share_twins(t, value[copy], shares.value[copy])
            some = LayerShares(
                value[copy, layer],
                roll[copy, layer],
                roll[copy - 1, layer] if copy > 0 else no_reroll,
                shares.value[copy, layer],
                shares.roll[copy, layer],
                shares.roll[max(copy - 1, 0), layer],  # in copy 0 nothing is rerolled
            )
            for stage in range(len(t.stages) - 1):
                _share_stage(t, stage, layer, some, work)


@compiled
def _share_ends(t: Arrays, value: Floats, ends: Floats, shares: Floats) -> None:
    """Fill in the slots of the ends of a turn."""
    batch = value.shape[1]
    shares[FAIL] = ends[0]
    for end in range(len(ends) - 1):
        shares[t.first_stopped + end] = ends[1 + end]
        for column in range(ends.shape[1]):
            may_stop = value[t.first_stopped + end, column % batch] > -np.inf
            shares[FIRST_ENDED + end, column] = ends[1 + end if may_stop else 0, column]


@compiled
def _share_twins(t: Arrays, value: Floats, shares: Floats) -> None:
    """Fill in the twin slots of layer 0."""
    batch = value.shape[2]
    for slot in range(t.slots):
        for column in range(shares.shape[2]):
            layer = _best_layer(t, value[:, :, column % batch], slot)
            shares[0, t.slots + slot, column] = shares[layer, slot, column]


@compiled
def _best_layer(t: Arrays, value: Floats, slot: int) -> int:
    """Return the first of the best layers that a double 1 can lead to."""
    layer = 1
    while value[layer, slot] < value[0, t.slots + slot] - TIE:
        layer += 1
    return layer


@compiled
def _share_stage(t: Arrays, stage: int, layer: int, some: LayerShares, work: Choosing) -> None:
    """Fill in all states with a given number of dice in hand; those with fewer are known."""
    first, end = t.stages[stage]["state"], t.stages[stage + 1]["state"]
    for group in range(t.stages[stage]["group"], t.stages[stage + 1]["group"]):
        last = t.groups[group + 1]["lane"] if layer == 0 else t.groups[group]["end_layered"]
        for lane in range(t.groups[group]["lane"], last):
            _begin_shares(t, group, lane, some, work)
            _walk_shares(t, group, lane, some, work)
            some.thrown[t.lanes[lane]["state"]] += t.lanes[lane]["chance"] * work.mean
    batch, columns = some.value.shape[1], len(work.mean)
    for state in range(first, end):
        stopped = t.state_stop[state]
        for column in range(columns):
            i = column % batch
            stops = some.value[stopped, i] >= some.roll[state, i] - TIE
            stop, roll = some.own[stopped, column], some.thrown[state, column]
            some.own[t.first_state + state, column] = stop if stops else roll


@compiled
def _begin_shares(t: Arrays, group: int, lane: int, some: LayerShares, work: Choosing) -> None:
    """Begin with the dead throw, and with the reroll in the copy before."""
    state, dead = t.lanes[lane]["state"], t.lanes[lane]["dead"]
    chance, batch = t.groups[group]["dead"], some.value.shape[1]
    for i in range(batch):
        work.best[0, i] = some.reroll[state, i]
        work.face[0, i] = t.lane_face.shape[1]
    for column in range(len(work.mean)):
        i = column % batch
        again = some.again[state, column]
        stays = some.value[dead, i] >= some.reroll[state, i] - TIE
        work.share[0, column] = again
        work.mean[column] = chance * (some.own[dead, column] if stays else again)


@compiled
def _walk_shares(t: Arrays, group: int, lane: int, some: LayerShares, work: Choosing) -> None:
    """Add all throws of a lane to the mean: chance times what the best keep is worth.

    There are no branches in the inner loops, so that many columns are computed at once.
    """
    best, kept, share, taken, mean = work
    first_lane = t.groups[group]["lane"]
    lanes = t.groups[group + 1]["lane"] - first_lane
    first = t.groups[group]["slot"] + lane - first_lane
    columns, batch = len(mean), some.value.shape[1]
    for node in range(t.groups[group]["node"], t.groups[group + 1]["node"]):
        depth, chance = t.nodes[node]["depth"], t.nodes[node]["chance"]
        face = float(t.lane_face[lane, t.nodes[node]["place"]])
        slot = t.row_slot[first + (t.nodes[node]["row"] - 1) * lanes]
        for i in range(batch):
            worth, before, earlier = some.value[slot, i], best[depth - 1, i], kept[depth - 1, i]
            first_of_equals = (worth >= before - TIE) & (face < earlier)
            take = 1.0 if (worth > before + TIE) | first_of_equals else 0.0
            taken[i] = take
            best[depth, i] = max(worth, before)
            kept[depth, i] = take * face + (1.0 - take) * earlier
        for start in range(batch, columns, batch):
            taken[start : start + batch] = taken[:batch]
        for column in range(columns):
            take = taken[column]
            now = take * some.own[slot, column] + (1.0 - take) * share[depth - 1, column]
            share[depth, column] = now
            mean[column] += chance * now


# ------------------------------------------------------------------------------ tables as arrays


@lru_cache(maxsize=32)
def arrays_for(game: AnyGame, golden: bool, layered: bool) -> tuple[Tables, Arrays]:
    """The tables of a game, and the same as arrays."""
    tables = tables_for(game, golden, layered)
    groups = [group for stage in tables.stages for group in stage]
    lanes = [lane for group in groups for lane in group.lanes]
    nodes = [node for group in groups for node in group.tree.nodes]
    faces = len(game.dice.faces)
    return tables, Arrays(
        first_stopped=tables.first_stopped,
        first_state=tables.first_state,
        slots=tables.slots,
        max_rows=max(group.tree.kind.rows for group in groups),
        stages=_stage_records(tables),
        groups=_group_records(groups),
        lanes=np.array(
            [(tables.index[lane.state], tables.dead(lane.state), lane.chance) for lane in lanes],
            dtype=LANE,
        ),
        nodes=np.array(nodes, dtype=NODE),
        state_stop=_ints(map(tables.stopped, tables.states)),
        row_slot=np.concatenate([_row_slots(tables, group) for group in groups]),
        lane_face=_ints(lane.places + (faces,) * (faces - len(lane.places)) for lane in lanes),
    )


def _stage_records(tables: Tables) -> Records:
    states = Counter(state.dice + state.golden for state in tables.states)
    records = np.empty(len(tables.stages) + 1, dtype=STAGE)
    records["state"] = _starts(states[dice] for dice in sorted(states))
    records["group"] = _starts(map(len, tables.stages))
    return records


def _group_records(groups: Sequence[Group]) -> Records:
    records = np.zeros(len(groups) + 1, dtype=GROUP)
    records["lane"] = _starts(len(group.lanes) for group in groups)
    records["slot"] = _starts(len(group.lanes) * group.tree.kind.rows for group in groups)
    records["node"] = _starts(len(group.tree.nodes) for group in groups)
    for record, group in zip(records, groups, strict=False):
        record["end_layered"] = record["lane"] + group.with_bratworm
        record["rows"] = group.tree.kind.rows
        record["dead"] = group.tree.dead
    return records


def _row_slots(tables: Tables, group: Group) -> Ints:
    slots = _ints(map(tables.row_slots, group.lanes))
    return np.ascontiguousarray(slots.T).reshape(-1)


def _ints(numbers: Iterable[int] | Iterable[Sequence[int]]) -> Ints:
    return np.array(list(numbers), dtype=np.int64)


def _starts(sizes: Iterable[int]) -> Ints:
    """The offsets of parts of these sizes laid end to end, and the end of the last one."""
    return _ints(itertools.accumulate(sizes, initial=0))
