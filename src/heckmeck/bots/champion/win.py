"""Values as chances to win: the champion's evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from heckmeck.bots.champion.deeper import Deeper
from heckmeck.bots.champion.model import Rows
from heckmeck.bots.champion.models import model_of
from heckmeck.bots.champion.network import Network, load
from heckmeck.bots.champion.turns import Chances, Values, best_layer, worth_of
from heckmeck.rules import (
    NO_HOUSE_RULES,
    AnyState,
    Ending,
    Move,
    Table,
    apply,
    game_at,
    outcome,
)
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.solver.positions import Position, after
from heckmeck.solver.solution import Worths, solve_batch
from heckmeck.solver.solved import SolvedTurn

WEIGHTS: Final = "weights"


class WinChance:
    """An `Evaluator` for the solver: the value of an ending is the chance to win after it."""

    unit = "win"

    def __init__(self, networks: Sequence[Network], *, deeper: bool = False) -> None:
        """Use the networks of an edition; if ``deeper``, look one turn further ahead."""
        self._model = model_of(networks[0].edition)
        self._near: dict[int, Values] = {
            seats: Chances(network)
            for network in networks
            for seats in range(network.seats[0], network.seats[1] + 1)
        }
        self._values = self._near
        if deeper:
            self._values = {seats: Deeper(values) for seats, values in self._near.items()}

    def covers(self, table: Table) -> bool:
        """Whether such tables were learned: with this number of players and no house rules."""
        house = table.house if isinstance(table, ClassicTable | DeluxeTable) else NO_HOUSE_RULES
        return table.seats in self._values and house == NO_HOUSE_RULES

    def chances(self, states: Sequence[AnyState]) -> NDArray[np.float64]:
        """Return [state, seat]: the chances to win, at the start of a turn or at the end.

        All states must have the same number of players.
        """
        if not states:
            return np.empty((0, 0))
        seats = states[0].table.seats
        rows = np.stack([self._model.row(state.table, state.seat) for state in states])
        rotated = self._values[seats].of(self._model, rows, seats)
        chances = np.empty(rotated.shape)
        for number, state in enumerate(states):
            chances[number] = np.roll(rotated[number], state.seat)
            result = outcome(state)
            if result is not None:
                chances[number] = 0.0
                chances[number, list(result.winners)] = 1.0 / len(result.winners)
        return chances

    def endings(
        self, start: Table, table: Table, seat: int, endings: Sequence[Ending]
    ) -> list[float]:
        """Return the chance to win after each end of the turn; see `Evaluator`."""
        different = list(dict.fromkeys(endings))
        states = [after(game_at(table), table, seat, ending) for ending in different]
        every = [state for choice in states for state in choice]
        chances = iter(self.chances(every)[:, seat])
        best = {
            ending: max(float(next(chances)) for _ in choice)
            for ending, choice in zip(different, states, strict=True)
        }
        return [best[ending] for ending in endings]

    def answer(self, state: AnyState, move: Move) -> float:
        """Return the chance to win after answering a question this way; see `Evaluator`."""
        return float(self.chances([apply(state, move).state])[0, state.seat])

    def solve(self, positions: Sequence[Position], *, near: bool = False) -> list[SolvedTurn]:
        """Solve many turns: the same as `solve_all` with this evaluator, but many times faster.

        With ``near``, look no further than the ends of these turns, even if this evaluator looks
        deeper. If it does, a double 1 robs the player that the network prefers: see `best_layer`.
        """
        groups: dict[tuple[int, int, bool, bool], list[int]] = {}
        for index, each in enumerate(positions):
            kind = (each.start.seats, len(each.tables), each.weasel, each.golden)
            groups.setdefault(kind, []).append(index)
        solved: dict[int, SolvedTurn] = {}
        for indices in groups.values():
            alike = [positions[index] for index in indices]
            solved.update(zip(indices, self._solve_alike(alike, near), strict=True))
        return [solved[index] for index in range(len(positions))]

    def _solve_alike(self, positions: Sequence[Position], near: bool) -> list[SolvedTurn]:
        first = positions[0]
        seats = first.start.seats
        values = (self._near if near else self._values)[seats]
        if values is not self._near[seats] and len(first.tables) > 2:
            positions = self._without_worse_layers(positions)
        worth = worth_of(self._model, self._layers(positions), seats, values)
        solutions = solve_batch(
            first.shape,
            Worths(worth.ends.stop, worth.ends.fail, worth.ends.may_stop),
            weasel=first.weasel,
            golden=first.golden,
        )
        return [
            SolvedTurn(position, solution)
            for position, solution in zip(positions, solutions, strict=True)
        ]

    def _layers(self, positions: Sequence[Position]) -> Rows:
        return np.stack(
            [[self._model.row(table, each.seat) for table in each.tables] for each in positions]
        )

    def _without_worse_layers(self, positions: Sequence[Position]) -> list[Position]:
        seats = positions[0].start.seats
        best = best_layer(self._model, self._layers(positions), seats, self._near[seats])
        return [
            replace(each, tables=(each.tables[0], each.tables[layer]))
            for each, layer in zip(positions, best, strict=True)
        ]


@cache
def networks_of(edition: str) -> tuple[Network, ...]:
    """Return the networks for an edition that are part of this package, if any."""
    file = resources.files("heckmeck.bots.champion") / WEIGHTS / f"{edition}.npz"
    if not file.is_file():
        return ()
    with file.open("rb") as data:
        return tuple(load(data, edition))


@cache
def win_chance(edition: str) -> WinChance | None:
    """Return the champion's evaluator of an edition, if there is one."""
    networks = networks_of(edition)
    return WinChance(networks) if networks else None
