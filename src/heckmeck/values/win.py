"""Values as chances to win: according to a network, or by looking ahead from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from math import inf
from typing import Final, NamedTuple

import numpy as np

from heckmeck.bulk.barbecue import COUNT, SINGLE, SPOTS
from heckmeck.bulk.barbecue import WORMS as SPOT_WORMS
from heckmeck.bulk.rows import Floats32, RowRules, Rows, row_rules
from heckmeck.bulk.tiles import APPLE, HELD, SPECIALISTS, WHERE
from heckmeck.bulk.turns import RowEnds, RowValue, best_layer, ends_of_turns
from heckmeck.rules import NO_HOUSE_RULES, AnyState, Move, Table, apply, outcome
from heckmeck.rules.components import APPLE_WORMS
from heckmeck.solver.kernel import Floats
from heckmeck.solver.positions import Position, SeatValue
from heckmeck.solver.solution import EndValues, in_groups
from heckmeck.values.ahead import Deeper, Endgames
from heckmeck.values.features import features
from heckmeck.values.network import Network, hash_of, load
from heckmeck.values.worms import PLATE_AT_RISK, PRICES
from heckmeck.wire.coach import Unit

# ------------------------------------------------------------------------------ values of rows


@dataclass(frozen=True, slots=True, eq=False)
class NetworkChances:
    """The chances to win according to a network."""

    network: Network
    by_result: bool = True

    def of(self, rules: RowRules, rows: Rows, seats: int) -> Floats32:
        """Return every player's chance to win."""
        return self.network.chances(features(rules.edition, rows, self.network.most_seats), seats)


@dataclass(frozen=True, slots=True)
class WormLead:
    """The lead in worms over the others' mean: what `fox` plays for, but in junior for two only."""

    by_result: bool = False

    def of(self, rules: RowRules, rows: Rows, seats: int) -> Floats32:
        """Return every player's lead."""
        wealth = wealth_of(rules, rows)[:, :seats]
        others = (wealth.sum(axis=1, keepdims=True) - wealth) / np.float32(seats - 1)
        lead: Floats32 = wealth - others
        return lead


def wealth_of(rules: RowRules, rows: Rows) -> Floats32:
    """Return [table, player]: wealth in worms as `heckmeck.values.worms` counts it."""
    wealth = rules.scores(rows).astype(np.float32)
    if rules.edition == "barbecue":
        spots = rows[:, SPOTS : SPOTS + COUNT]
        for player in range(wealth.shape[1]):
            single = (SPOT_WORMS * (spots == SINGLE + player)).sum(axis=1)
            wealth[:, player] -= np.float32(PLATE_AT_RISK) * single.astype(np.float32)
    if rules.edition == "deluxe":
        for number, specialist in enumerate(SPECIALISTS):
            holder = rows[:, WHERE + number].astype(np.int64) - HELD
            (held,) = np.nonzero(holder >= 0)
            scored = APPLE_WORMS if number == APPLE else 0
            price = np.float32(PRICES.get(specialist, 0.0) - scored)
            wealth[held, holder[held]] += price
    return wealth


# ------------------------------------------------------------------------------ turns at tables

#: Tables with so few tiles left are looked at more closely: there networks are wrong most often.
ENDGAME: Final = 2


class Sight(NamedTuple):
    """How many turns further the champions of an edition look at the end of a game.

    It is as far as their time allows: in junior for two to the end, because a tile never returns
    to the grill. In the others it does, and too many positions can follow. A turn has more endings
    in deluxe and barbecue, and the chances of more than two players take longer.
    """

    champion: float
    """The champion in a game for two; in others it does not look further."""
    for_two: float
    """The grandmaster in a game for two, beyond the turn that it always looks ahead."""
    for_more: float
    """The grandmaster in other games, likewise."""


SIGHTS: Final = {
    "classic": Sight(1, 4, 1),
    "deluxe": Sight(1, 2, 0),
    "barbecue": Sight(1, 2, 1),
    "junior": Sight(inf, inf, 1),
}


def chances_by(network: Network, seats: int, *, deeper: bool = False) -> RowValue:
    """Return what the champion plays for, or the grandmaster if ``deeper``."""
    sight, value = SIGHTS[network.edition], NetworkChances(network)
    if not deeper:
        return Endgames(value, ENDGAME, sight.champion) if seats == 2 else value
    turns = sight.for_two if seats == 2 else sight.for_more
    return Deeper(Endgames(value, ENDGAME, turns) if turns else value)


class WinChance(SeatValue):
    """The value of an ending is the chance to win after it."""

    unit: Unit = "win"
    total = 1.0

    def __init__(self, networks: Sequence[Network], *, deeper: bool = False) -> None:
        """Use the networks of an edition; if ``deeper``, look one turn further ahead."""
        self._rules = row_rules(networks[0].edition)
        self._values = {
            seats: chances_by(network, seats, deeper=deeper)
            for network in networks
            for seats in range(network.seats[0], network.seats[1] + 1)
        }
        self._nearer = WinChance(networks) if deeper else self
        self.name = f"{self._rules.edition} {hash_of(networks)}"
        if deeper:
            self.name += ", one turn deeper"

    def covers(self, table: Table) -> bool:
        """Whether such tables were learned: with this number of players and no house rules."""
        return table.seats in self._values and table.house == NO_HOUSE_RULES

    def of_rows(self, seats: int) -> RowValue:
        """Return the same for rows of tables with this number of players."""
        return self._values[seats]

    def chances(self, states: Sequence[AnyState]) -> Floats:
        """Return [state, seat]: the chances to win, at the start of a turn or at the end.

        All states must have the same number of players.
        """
        if not states:
            return np.empty((0, 0))
        seats = states[0].table.seats
        rows = np.stack([self._rules.row(state.table, state.seat) for state in states])
        rotated = self._values[seats].of(self._rules, rows, seats)
        chances = np.empty(rotated.shape)
        for number, state in enumerate(states):
            result = outcome(state)
            chances[number] = (
                np.roll(rotated[number], state.seat) if result is None else result.shares
            )
        return chances

    def ends(self, positions: Sequence[Position]) -> EndValues:
        """Return the chances to win after the ends of turns; see `Value`."""
        return self._ends(positions).ends

    def answer(self, state: AnyState, move: Move) -> float:
        """Return the chance to win after answering a question this way; see `Value`."""
        return float(self.chances([apply(state, move).state])[0, state.seat])

    def answers(self, asked: Sequence[tuple[AnyState, Move]]) -> list[float]:
        """Return the chances to win after many answers; see `Value`."""
        return in_groups(
            asked,
            lambda each: each[0].table.seats,
            lambda alike: [
                float(chances[state.seat])
                for (state, _), chances in zip(
                    alike,
                    self.chances([apply(state, move).state for state, move in alike]),
                    strict=True,
                )
            ],
        )

    @property
    def nearer(self) -> WinChance:
        """The same without looking deeper; see `Value`."""
        return self._nearer

    def narrowed(self, positions: Sequence[Position]) -> Sequence[Position]:
        """When looking deeper, rob only the player that the network prefers; see `best_layer`."""
        if self._nearer is self or len(positions[0].tables) <= 2:
            return positions
        seats = positions[0].start.seats
        best = best_layer(self._rules, self._layers(positions), seats, self._nearer.of_rows(seats))
        return [
            replace(each, tables=(each.tables[0], each.tables[layer]))
            for each, layer in zip(positions, best, strict=True)
        ]

    def ends_by_seat(self, positions: Sequence[Position]) -> Floats:
        """Return the chances to win after the ends of turns, for every seat; see `Value`."""
        found = self._ends(positions)
        after = found.values[found.chosen[found.branches.ending]].astype(np.float64)
        by_seat = np.empty_like(after)
        movers = np.array([position.seat for position in positions])
        for seat in np.unique(movers).tolist():
            chances = np.roll(after[movers == seat], seat + 1, axis=-1)
            by_seat[movers == seat] = summing_to_1(chances, seat)
        return by_seat

    def answer_by_seat(self, state: AnyState, move: Move) -> Floats:
        """Return the chances to win after an answer, for every seat; see `Value`."""
        return summing_to_1(self.chances([apply(state, move).state])[0], state.seat)

    def _ends(self, positions: Sequence[Position]) -> RowEnds:
        seats = positions[0].start.seats
        return ends_of_turns(self._rules, self._layers(positions), seats, self._values[seats])

    def _layers(self, positions: Sequence[Position]) -> Rows:
        return np.stack(
            [[self._rules.row(table, each.seat) for table in each.tables] for each in positions]
        )


def summing_to_1(chances: Floats, seat: int) -> Floats:
    """Return [..., seat]: chances that sum to 1; that of ``seat`` stays as it is.

    A network has single precision, so its chances sum to 1 only nearly.
    """
    own, others = chances[..., seat], chances.copy()
    others[..., seat] = 0.0
    total = others.sum(axis=-1)
    equal = (1.0 - own) / (chances.shape[-1] - 1)
    scale = np.divide(1.0 - own, total, out=np.zeros_like(total), where=total > 0.0)
    rest = np.where(total > 0.0, 0.0, equal)
    exact: Floats = others * scale[..., np.newaxis] + rest[..., np.newaxis]
    exact[..., seat] = own
    return exact


@cache
def networks_of(edition: str) -> tuple[Network, ...]:
    """Return the networks for an edition that are part of this package, if any."""
    file = resources.files("heckmeck.values") / "weights" / f"{edition}.npz"
    if not file.is_file():
        return ()
    with file.open("rb") as data:
        return tuple(load(data, edition))


@cache
def win_chance(edition: str, *, deeper: bool = False) -> WinChance | None:
    """Return the chance to win by the networks of an edition, if there are any."""
    networks = networks_of(edition)
    return WinChance(networks, deeper=deeper) if networks else None
