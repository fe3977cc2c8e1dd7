"""Values in worms: what a turn moves between the player and the others.

A worm of the player counts 1; a worm of another player counts against the player by its share:
the fewer opponents, the more a theft is worth. Pieces that score only at the end, or help later,
have a price in worms.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import assert_never

from heckmeck.rules import AnyState, Ending, Move, Specialist, Table, apply, game_at
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import (
    APPLE_WORMS,
    BARBECUE_SPOTS,
    CLASSIC_TILES,
    DELUXE_TILES,
    JUNIOR_TILES,
    SNAIL_WORMS,
)
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.endings import EndGame, StealTile, TakeTile
from heckmeck.rules.grill import top
from heckmeck.rules.junior import JuniorTable
from heckmeck.solver.positions import after


@dataclass(frozen=True, slots=True)
class Prices:
    """The values of pieces in worms, beyond their scores."""

    specialists: dict[Specialist, float] = field(
        default_factory=lambda: {
            Specialist.APPLE: float(APPLE_WORMS),
            Specialist.CANNED: 0.4,
            Specialist.GOLDEN: 2.0,
            Specialist.HEN: 1.0,
            Specialist.WEASEL: 1.5,
        }
    )
    #: The expected fraction of a single plate's worms that another player will steal.
    plate_at_risk: float = 0.25


class WormSwing:
    """An `Evaluator` for the solver: the value of an ending is the worms it moves."""

    unit = "worms"

    def __init__(self, prices: Prices | None = None) -> None:
        """Use these prices."""
        self._prices = prices or Prices()

    def endings(
        self, start: Table, table: Table, seat: int, endings: Sequence[Ending]
    ) -> list[float]:
        """Return the gain of each end of the turn; see `Evaluator`."""
        if isinstance(table, ClassicTable):
            return _classic_endings(table, seat, endings)
        earlier = 0.0 if table is start else self.standing(table, seat) - self.standing(start, seat)
        worths: dict[int, float] = {}
        for ending in endings:
            if id(ending) not in worths:
                worths[id(ending)] = earlier + self._ending(table, seat, ending)
        return [worths[id(ending)] for ending in endings]

    def answer(self, state: AnyState, move: Move) -> float:
        """Return the gain of answering a question this way; see `Evaluator`."""
        then = apply(state, move).state
        return self.standing(then.table, state.seat) - self.standing(state.table, state.seat)

    def standing(self, table: Table, seat: int) -> float:
        """Return the lead of ``seat`` over the others' average."""
        wealth = [self._wealth(table, each) for each in range(table.seats)]
        return wealth[seat] - (fsum(wealth) - wealth[seat]) / (table.seats - 1)

    def _ending(self, table: Table, seat: int, ending: Ending) -> float:
        """Return the gain of an ending: carry it out, make the best choice, and count."""
        if isinstance(ending, EndGame):
            # Ending the game changes nothing else.
            return self.standing(table, seat)
        states = after(game_at(table), table, seat, ending)
        best = max(self.standing(state.table, seat) for state in states)
        return best - self.standing(table, seat)

    def _wealth(self, table: Table, seat: int) -> float:
        match table:
            case ClassicTable():
                return sum(CLASSIC_TILES[tile] for tile in table.stacks[seat])
            case JuniorTable():
                return sum(JUNIOR_TILES[tile] for tile in table.stacks[seat])
            case DeluxeTable():
                held = table.held[seat]
                tiles = sum(DELUXE_TILES[tile] for tile in table.stacks[seat])
                price = 0.0 if held is None else self._prices.specialists[held]
                return tiles + table.bratworms[seat] + price
            case BarbecueTable():
                single = sum(
                    worms
                    for spot, worms in BARBECUE_SPOTS.items()
                    if table.spot(spot).plates == (seat,)
                )
                gained = table.worms[seat] + SNAIL_WORMS * table.snails[seat]
                return gained - self._prices.plate_at_risk * single
            case _:
                assert_never(table)


def _classic_endings(table: ClassicTable, seat: int, endings: Sequence[Ending]) -> list[float]:
    """Return the same gains without carrying out the endings, for the speed of tournaments."""
    own = top(table.stacks[seat])
    loss = 0.0 if own is None else -float(CLASSIC_TILES[own])
    theft = table.seats / (table.seats - 1)
    return [
        CLASSIC_TILES[ending.tile]
        if isinstance(ending, TakeTile)
        else CLASSIC_TILES[ending.tile] * theft
        if isinstance(ending, StealTile)
        else loss
        for ending in endings
    ]
