"""Looking ahead: values of tables by the turns that follow, a few turns deep or to the end.

Near the end of a game the positions that can still be reached form a graph, with cycles where tiles
are taken from one another. Where it is small, all of it is solved, and values are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Final, NamedTuple

import numpy as np

from heckmeck.bulk.rows import Bools, Branches, Floats32, RowRules, Rows
from heckmeck.bulk.turns import (
    RowValue,
    best_layer,
    chances_of_ends,
    ends_of_turns,
    expected,
    values_of_ends,
)
from heckmeck.rules import game
from heckmeck.solver.kernel import Floats, Ints
from heckmeck.solver.positions import TurnKind
from heckmeck.solver.tables import totals_of

#: Changes of a chance below this are not passed on to the positions before.
SETTLED: Final = 1e-6
#: Turns are solved again up to this many times; after that even endless games have settled.
MOST_SWEEPS: Final = 1000
#: The graph of a node that is the end of a game.
OVER: Final = -1
#: Graphs solved at once: enough for batches of the solver, few enough for any machine.
AT_ONCE: Final = 256


@dataclass(frozen=True, slots=True, eq=False)
class Deeper:
    """The chances to win, one turn deeper than ``near``.

    The next player's turn is solved, and each of its endings is weighted by its exact probability.
    That makes values out of values, so it can be repeated to look as many turns ahead as time
    allows.
    """

    near: RowValue
    by_result: bool = True

    def of(self, rules: RowRules, rows: Rows, seats: int) -> Floats32:
        """Return every player's chance to win, by the next player's best turn."""
        chances = np.empty((len(rows), seats), np.float32)
        for kind, places in rules.kinds(rows):
            layers = rules.layers(rows[places], kind)
            if kind.layers > 2:  # seven for each of many tables would take too long
                best = best_layer(rules, layers, seats, self.near)
                layers = np.stack([layers[:, 0], layers[np.arange(len(best)), best]], axis=1)
            found = ends_of_turns(rules, layers, seats, self.near)
            chances[places] = expected(rules, kind, found, seats)
        return chances


@dataclass(frozen=True, slots=True, eq=False)
class Endgames:
    """The chances to win according to ``near``, but looking ahead near the end of a game.

    At a table with few tiles left, ``turns`` more turns are solved, like `Deeper`, unless the
    game ends or the grill fills up again; or all turns that can follow, if ``turns`` is infinite:
    see `Graphs`. The result depends on nothing but the table.
    """

    near: RowValue
    few: int
    """The number of tiles left up to which it looks ahead; see `RowRules.left`."""
    turns: float
    by_result: bool = True

    def of(self, rules: RowRules, rows: Rows, seats: int) -> Floats32:
        """Return every player's chance to win."""
        left = rules.left(rows)
        ending = (left > 0) & (left <= self.few)
        chances = np.empty((len(rows), seats), np.float32)
        chances[~ending] = self.near.of(rules, rows[~ending], seats)
        if ending.any():
            tables, places = _distinct(rows[ending])
            chances[ending] = self._ahead(rules, tables, seats)[places]
        return chances

    def _ahead(self, rules: RowRules, rows: Rows, seats: int) -> Floats32:
        if self.turns < inf:
            near = replace(self, turns=self.turns - 1) if self.turns > 1 else self.near
            return Deeper(near).of(rules, rows, seats)
        assert seats == 2, "with more players too many positions can follow"
        parts = range(0, len(rows), AT_ONCE)
        own = np.concatenate([Graphs(rules, rows[at : at + AT_ONCE]).solve() for at in parts])
        return np.stack([own, 1.0 - own], axis=1).astype(np.float32)


def _distinct(rows: Rows) -> tuple[Rows, Ints]:
    """Return the different ones of some rows, and the place of each row among them."""
    seen: dict[bytes, int] = {}
    places = [seen.setdefault(row.tobytes(), len(seen)) for row in rows]
    first = {place: number for number, place in reversed(list(enumerate(places)))}
    return rows[[first[place] for place in range(len(seen))]], np.array(places)


# ------------------------------------------------------------------------------ to the end


class _Turns(NamedTuple):
    """Turns of one kind that were found together."""

    kind: TurnKind
    nodes: Ints
    """[turn]: the node at which it is played."""
    branches: Branches
    after: Ints
    """[after]: the node of that table."""
    waits: Bools
    """[turn]: a value after it has changed since it was solved."""


class Graphs:
    """All positions that can follow some tables for two players, and their values.

    Each table has a graph of its own, so that its value does not depend on the others to the last
    bit. A node is a table in a graph, or the end of a game.
    """

    def __init__(self, rules: RowRules, rows: Rows) -> None:
        """Find all positions; there must not be too many."""
        self._rules, self._totals = rules, totals_of(game(rules.edition))
        self._count = len(rows)
        self._rows = rows
        self._graphs = list(range(len(rows)))
        self._numbers = {(graph, row.tobytes()): graph for graph, row in enumerate(rows)}
        self._lost: Floats = np.full(len(rows), 0.5)
        """[node]: the chance of the player who is not to move there."""
        self._before: list[list[tuple[_Turns, int]]] = [[] for _ in rows]
        """[node]: the turns that lead there."""
        self._turns: list[_Turns] = []
        nodes = list(self._graphs)
        while nodes:
            known = len(self._graphs)
            self._look_at(np.array(nodes))
            nodes = [each for each in range(known, len(self._graphs)) if self._graphs[each] != OVER]

    def solve(self) -> Floats:
        """Return [table]: the chance to win of the player to move, by best play of both."""
        for _ in range(MOST_SWEEPS):
            if not any(turns.waits.any() for turns in self._turns):
                break
            for turns in reversed(self._turns):  # those furthest ahead first
                # Asked only now, so that other graphs do not change when a turn is solved again.
                if turns.waits.any():
                    self._solve(turns)
        chances: Floats = 1.0 - self._lost[: self._count]
        return chances

    def _look_at(self, nodes: Ints) -> None:
        """Add the turns at these nodes, and the nodes that they lead to."""
        for kind, places in self._rules.kinds(self._rows[nodes]):
            own = nodes[places]
            layers = self._rules.layers(self._rows[own], kind)
            branches = self._rules.branches(layers, self._totals)
            after, waits = np.zeros(len(branches.rows), np.int64), np.ones(len(own), np.bool_)
            turns = _Turns(kind, own, branches, after, waits)
            self._turns.append(turns)
            self._place(turns)

    def _place(self, turns: _Turns) -> None:
        """Fill in the nodes of the tables after the endings; those not yet known are new."""
        branches, new = turns.branches, list[int]()
        over = branches.over.tolist()
        first = branches.first[branches.ending[:, 0, 0]].tolist()  # a failed attempt is the first
        last = [*first[1:], len(over)]
        for turn, node in enumerate(turns.nodes.tolist()):
            for number in range(first[turn], last[turn]):
                graph = OVER if over[number] else self._graphs[node]
                after = fresh = len(self._graphs)
                if graph != OVER:
                    key = (graph, branches.rows[number].tobytes())
                    after = self._numbers.setdefault(key, fresh)
                if after == fresh:
                    new.append(number)
                    self._graphs.append(graph)
                    self._before.append([])
                self._before[after].append((turns, turn))
                turns.after[number] = after
        if new:
            lost = np.where(branches.over[new], branches.shares[new, 1], 0.5)
            self._rows = np.concatenate([self._rows, branches.rows[new]])
            self._lost = np.concatenate([self._lost, lost])

    def _solve(self, turns: _Turns) -> None:
        """Solve those turns that wait; those before them wait if values change."""
        some = np.flatnonzero(turns.waits)
        turns.waits[some] = False
        _, ends = values_of_ends(turns.branches, self._lost[turns.after], some)
        value, _ = chances_of_ends(self._rules, turns.kind, ends, value_only=True)
        for node, lost in zip(turns.nodes[some].tolist(), (1.0 - value).tolist(), strict=True):
            if abs(lost - self._lost[node]) > SETTLED:
                self._lost[node] = lost
                for before, turn in self._before[node]:
                    before.waits[turn] = True
