"""Values in worms: what a turn moves between the player and the others.

A worm of the player counts 1; a worm of another player counts against the player by its share:
the fewer opponents, the more a theft is worth. In junior with three or more players, only the
player's own worms count: tiles change hands so often there that a theft is worth no more than any
other tile, and `fox` wins more games this way. Pieces that score only at the end, or help later,
have a price in worms.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING, Final, assert_never

from heckmeck.rules import AnyState, Ending, Move, Specialist, Table, apply, components, game_at
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.endings import StealTile, TakeTile
from heckmeck.rules.grill import top
from heckmeck.rules.junior import JuniorTable
from heckmeck.solver.positions import EndingValue, Position, SeatValue, after, ends_of
from heckmeck.wire.coach import Unit

if TYPE_CHECKING:
    from heckmeck.solver.kernel import Floats

#: The values of Specialists in worms.
PRICES: Final = {
    Specialist.APPLE: float(components.APPLE_WORMS),
    Specialist.CANNED: 0.4,
    Specialist.GOLDEN: 2.0,
    Specialist.HEN: 1.0,
    Specialist.WEASEL: 1.5,
}
#: The expected fraction of a single plate's worms that another player will steal.
PLATE_AT_RISK: Final = 0.25


class WormSwing(EndingValue, SeatValue):
    """The value of an ending is the worms it moves."""

    unit: Unit = "worms"
    name = "worms"
    total = 0.0

    def endings(
        self, start: Table, table: Table, seat: int, endings: Sequence[Ending]
    ) -> list[float]:
        """Return the gain of each ending; see `EndingValue`."""
        if isinstance(table, ClassicTable):
            return _classic_endings(table, seat, endings)
        earlier = 0.0 if table is start else self.standing(table, seat) - self.standing(start, seat)
        gains: dict[int, float] = {}
        for ending in endings:
            if id(ending) not in gains:
                gains[id(ending)] = earlier + self._ending(table, seat, ending)
        return [gains[id(ending)] for ending in endings]

    def answer(self, state: AnyState, move: Move) -> float:
        """Return the gain of answering a question this way; see `Value`."""
        then = apply(state, move).state
        return self.standing(then.table, state.seat) - self.standing(state.table, state.seat)

    def ends_by_seat(self, positions: Sequence[Position]) -> Floats:
        """Return the gains of the ends of turns, for every seat; see `Value`."""
        import numpy as np

        return np.array(
            [[self._gains(each, layer) for layer in range(len(each.tables))] for each in positions]
        )

    def answer_by_seat(self, state: AnyState, move: Move) -> Floats:
        """Return the gains of an answer, for every seat; see `Value`."""
        import numpy as np

        return np.array(self._moved(state.table, apply(state, move).state.table))

    def _gains(self, position: Position, layer: int) -> list[list[float]]:
        """Return [end, seat]: what the ends of a turn move between the seats."""
        table, seat = position.tables[layer], position.seat
        gains: dict[int, list[float]] = {}
        endings = ends_of(position, layer)
        for ending in endings:
            if id(ending) not in gains:
                states = after(position.game, table, seat, ending)
                best = max(states, key=lambda state: self.standing(state.table, seat))
                gains[id(ending)] = self._moved(position.start, best.table)
        return [gains[id(ending)] for ending in endings]

    def _moved(self, start: Table, then: Table) -> list[float]:
        """Return the gain of every seat between two tables."""
        seats = range(start.seats)
        return [self.standing(then, seat) - self.standing(start, seat) for seat in seats]

    def standing(self, table: Table, seat: int) -> float:
        """Return the lead of ``seat`` over the others' average, or what it has itself."""
        if not counts_others(game_at(table).edition, table.seats):
            return self._wealth(table, seat)
        wealth = [self._wealth(table, each) for each in range(table.seats)]
        return wealth[seat] - (fsum(wealth) - wealth[seat]) / (table.seats - 1)

    def _ending(self, table: Table, seat: int, ending: Ending) -> float:
        """Return the gain of an ending: carry it out, make the best choice, and count."""
        states = after(game_at(table), table, seat, ending)
        best = max(self.standing(state.table, seat) for state in states)
        return best - self.standing(table, seat)

    def _wealth(self, table: Table, seat: int) -> float:
        match table:
            case ClassicTable():
                return sum(components.CLASSIC_TILES[tile] for tile in table.stacks[seat])
            case JuniorTable():
                return sum(components.JUNIOR_TILES[tile] for tile in table.stacks[seat])
            case DeluxeTable():
                held = table.held[seat]
                tiles = sum(components.DELUXE_TILES[tile] for tile in table.stacks[seat])
                price = 0.0 if held is None else PRICES[held]
                return tiles + table.bratworms[seat] + price
            case BarbecueTable():
                single = sum(
                    worms
                    for spot, worms in components.BARBECUE_SPOTS.items()
                    if table.spot(spot).plates == (seat,)
                )
                gained = table.worms[seat] + components.SNAIL_WORMS * table.snails[seat]
                return gained - PLATE_AT_RISK * single
            case _:
                assert_never(table)


def counts_others(edition: str, seats: int) -> bool:
    """Whether the worms of the others count, too; if so, the gains of all seats sum to 0."""
    return edition != "junior" or seats == 2


#: The value in worms.
WORMS: Final = WormSwing()


def _classic_endings(table: ClassicTable, seat: int, endings: Sequence[Ending]) -> list[float]:
    """Return the same gains without carrying out the endings, for the speed of tournaments."""
    own = top(table.stacks[seat])
    loss = 0.0 if own is None else -float(components.CLASSIC_TILES[own])
    theft = table.seats / (table.seats - 1)
    return [
        components.CLASSIC_TILES[ending.tile]
        if isinstance(ending, TakeTile)
        else components.CLASSIC_TILES[ending.tile] * theft
        if isinstance(ending, StealTile)
        else loss
        for ending in endings
    ]
