"""Heckmeck Barbecue (2010): a board of 14 spots, plates, worms and grill snails.

In the order of the rulebook. Numbers like ``B6`` are rulings: see ``docs/rulings.md``.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from heckmeck.rules.components import (
    BARBECUE_DICE,
    BARBECUE_PLAYERS,
    BARBECUE_SPOTS,
    PLATES_EACH,
    SNAIL_WORMS,
    SNAILS,
)
from heckmeck.rules.endings import (
    NOTHING,
    CloseSpot,
    EndGame,
    Ending,
    Nothing,
    OccupySpot,
    StealSpot,
    TakeSnail,
    WhyNothing,
)
from heckmeck.rules.events import (
    AttemptFailed,
    Event,
    PlatePlaced,
    PlateReplaced,
    PlateReturned,
    SnailPlaced,
    SnailTaken,
    SpotClosed,
)
from heckmeck.rules.game import Game
from heckmeck.rules.house import HouseRules
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem, ScoreLine, ScoreSheet
from heckmeck.rules.state import State
from heckmeck.rules.tuples import changed

LOWEST_SPOT = min(BARBECUE_SPOTS)
HIGHEST_SPOT = max(BARBECUE_SPOTS)


@dataclass(frozen=True, slots=True)
class Spot:
    """The contents of a spot: nothing, a snail, or one or two plates (by their owner's seat)."""

    plates: tuple[int, ...] = ()
    snail: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the spot is empty."""
        return not self.plates and not self.snail


EMPTY = Spot()
WITH_SNAIL = Spot(snail=True)


@dataclass(frozen=True, slots=True)
class BarbecueTable:
    """The board, the pool of snails, and by seat: snails, worms and plates in hand."""

    spots: tuple[Spot, ...]
    pool: int
    snails: tuple[int, ...]
    worms: tuple[int, ...]
    plates: tuple[int, ...]

    @property
    def seats(self) -> int:
        """How many players sit at the table."""
        return len(self.plates)

    def spot(self, number: int) -> Spot:
        """Return the spot with this number."""
        return self.spots[number - LOWEST_SPOT]

    def with_spot(self, number: int, spot: Spot) -> "BarbecueTable":
        """Return the table with the spot changed."""
        return replace(self, spots=changed(self.spots, number - LOWEST_SPOT, spot))

    def with_worms(self, seat: int, more: int) -> "BarbecueTable":
        """Return the table with ``more`` worms (or fewer, if negative) in front of ``seat``."""
        return replace(self, worms=changed(self.worms, seat, self.worms[seat] + more))

    def with_plates(self, seat: int, more: int) -> "BarbecueTable":
        """Return the table with ``more`` plates (or fewer) in ``seat``'s hand."""
        return replace(self, plates=changed(self.plates, seat, self.plates[seat] + more))

    def highest(self, *, snail: bool, plates: int) -> int | None:
        """Return the highest spot with that many plates, and a snail if ``snail``, if any."""
        return next(
            (
                number
                for number in reversed(BARBECUE_SPOTS)
                if self.spot(number).snail is snail and len(self.spot(number).plates) == plates
            ),
            None,
        )


_State: TypeAlias = State[BarbecueTable]


class Barbecue(Game[BarbecueTable]):
    """The rules of *Heckmeck Barbecue*."""

    edition = "barbecue"
    dice = BARBECUE_DICE  # B2
    players = BARBECUE_PLAYERS
    stop_must_earn = True  # B3: worms or a snail, or the end of the game
    tie_break = DecidedBy.HIGHEST_PLATE  # B12

    # --- Game material and preparation ------------------------------------------------------------

    def set_up(self, seats: int, house: HouseRules) -> BarbecueTable:
        """An empty board, twelve snails in the pool, ten plates per player (B1)."""
        return BarbecueTable(
            spots=(EMPTY,) * len(BARBECUE_SPOTS),
            pool=SNAILS,
            snails=(0,) * seats,
            worms=(0,) * seats,
            plates=(PLATES_EACH,) * seats,
        )

    # --- A: finishing voluntarily. B: failed attempts ---------------------------------------------

    def earned(self, table: BarbecueTable, seat: int, result: int) -> Ending:
        """Return the action a result allows, if any."""
        if result > HIGHEST_SPOT:
            return self._above_the_grill(table)
        if result < LOWEST_SPOT:
            return NOTHING[WhyNothing.TOO_LOW]  # B4
        spot = table.spot(result)
        if spot.snail:
            return TakeSnail(result)  # B8
        if len(spot.plates) == 2:
            return NOTHING[WhyNothing.SPOT_CLOSED]  # B4
        if not table.plates[seat]:
            return NOTHING[WhyNothing.NO_PLATE]  # B13
        if not spot.plates:
            return OccupySpot(result)  # B5
        (owner,) = spot.plates
        return CloseSpot(result) if owner == seat else StealSpot(result, owner)  # B7, B6

    def _above_the_grill(self, table: BarbecueTable) -> Ending:
        """A snail from the pool, otherwise the one on the highest spot, otherwise the end (B9)."""
        if table.pool:
            return TakeSnail(None)
        spot = table.highest(snail=True, plates=0)
        return EndGame() if spot is None else TakeSnail(spot)

    def _fail(self, state: _State, why: WhyNothing, log: list[Event]) -> _State:
        """A snail goes on the highest empty spot, or displaces a single plate (B10, B11)."""
        log.append(AttemptFailed(state.seat, why))
        table = state.table
        if not table.pool:
            return self.end_game(state, table, EndReason.POOL_EMPTY, log)
        spot = table.highest(snail=False, plates=0)
        if spot is None:
            spot = table.highest(snail=False, plates=1)
        if spot is None:
            return self.end_game(state, table, EndReason.GRILL_FULL, log)
        for owner in table.spot(spot).plates:
            log.append(PlateReturned(owner, spot))
            table = table.with_plates(owner, +1)
        table = replace(table, pool=table.pool - 1).with_spot(spot, WITH_SNAIL)
        log.append(SnailPlaced(spot, table.pool))
        return self.pass_on(table, state.seat, log)

    # --- Placing plates and snatching roast worms -------------------------------------------------

    def carry_out(self, state: _State, ending: Ending, log: list[Event]) -> _State:
        """Perform the action on the grill; then the next player has the dice."""
        match ending:
            case OccupySpot(spot):
                table = self._occupy(state.table, state.seat, spot, log)
            case StealSpot(spot, victim):
                table = self._steal(state.table, state.seat, victim, spot, log)
            case CloseSpot(spot):
                table = self._close(state.table, state.seat, spot, log)
            case TakeSnail(spot):
                table = self._snatch(state.table, state.seat, spot, log)
            case EndGame():
                return self.end_game(state, state.table, EndReason.NO_SNAIL_LEFT, log)
            case Nothing(why):
                return self._fail(state, why, log)
            case _:
                raise TypeError(f"not an ending of a barbecue turn: {ending}")
        return self.pass_on(table, state.seat, log)

    def _occupy(
        self, table: BarbecueTable, seat: int, spot: int, log: list[Event]
    ) -> BarbecueTable:
        """Action 1: occupying an empty spot (B5)."""
        worms = BARBECUE_SPOTS[spot]
        log.append(PlatePlaced(seat, spot, worms))
        return table.with_spot(spot, Spot((seat,))).with_plates(seat, -1).with_worms(seat, worms)

    def _steal(
        self, table: BarbecueTable, thief: int, victim: int, spot: int, log: list[Event]
    ) -> BarbecueTable:
        """Action 2: stealing roast worms (B6)."""
        worms = BARBECUE_SPOTS[spot]
        log.append(PlateReplaced(thief, victim, spot, worms))
        table = table.with_worms(victim, -worms).with_worms(thief, worms)
        return table.with_spot(spot, Spot((thief,))).with_plates(thief, -1).with_plates(victim, +1)

    def _close(self, table: BarbecueTable, seat: int, spot: int, log: list[Event]) -> BarbecueTable:
        """Action 3: protecting a spot (B7)."""
        worms = BARBECUE_SPOTS[spot]
        log.append(SpotClosed(seat, spot, worms))
        table = table.with_spot(spot, Spot((seat, seat)))
        return table.with_plates(seat, -1).with_worms(seat, worms)

    def _snatch(
        self, table: BarbecueTable, seat: int, spot: int | None, log: list[Event]
    ) -> BarbecueTable:
        """Action 4: snatching a grill snail, from a spot or from the pool (B8, B9)."""
        log.append(SnailTaken(seat, spot))
        if spot is None:
            table = replace(table, pool=table.pool - 1)
        else:
            table = table.with_spot(spot, EMPTY)
        return replace(table, snails=changed(table.snails, seat, table.snails[seat] + 1))

    # --- Game end and final score -----------------------------------------------------------------

    def score_sheets(self, table: BarbecueTable) -> tuple[ScoreSheet, ...]:
        """Worms, and 3 per snail (B12)."""
        return tuple(
            (ScoreLine(ScoreItem.WORMS, worms), ScoreLine(ScoreItem.SNAILS, SNAIL_WORMS * snails))
            for worms, snails in zip(table.worms, table.snails, strict=True)
        )

    def tie_breaks(self, table: BarbecueTable) -> tuple[int, ...]:
        """Return the highest spot with a plate of each player (B12)."""
        return tuple(
            max((spot for spot in BARBECUE_SPOTS if seat in table.spot(spot).plates), default=0)
            for seat in range(table.seats)
        )
