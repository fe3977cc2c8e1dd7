"""Heckmeck Barbecue (2010): a board of 14 spots, plates, worms and grill snails.

In the order of the rulebook. Numbers like ``B6`` are rulings: see ``docs/rulings.md``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from heckmeck.rules import components, endings, events, game, grill, outcome, value
from heckmeck.rules.state import State
from heckmeck.rules.turn import Turn

LOWEST_SPOT = min(components.BARBECUE_SPOTS)
HIGHEST_SPOT = max(components.BARBECUE_SPOTS)


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

    house: ClassVar[grill.HouseRules] = grill.NO_HOUSE_RULES  # C10 is for classic and deluxe

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
        return replace(self, spots=value.changed(self.spots, number - LOWEST_SPOT, spot))

    def with_worms(self, seat: int, more: int) -> "BarbecueTable":
        """Return the table with ``more`` worms (or fewer, if negative) in front of ``seat``."""
        return replace(self, worms=value.changed(self.worms, seat, self.worms[seat] + more))

    def with_plates(self, seat: int, more: int) -> "BarbecueTable":
        """Return the table with ``more`` plates (or fewer) in ``seat``'s hand."""
        return replace(self, plates=value.changed(self.plates, seat, self.plates[seat] + more))

    def highest(self, *, snail: bool, plates: int) -> int | None:
        """Return the highest spot with that many plates, and a snail if ``snail``, if any."""
        return next(
            (
                number
                for number in reversed(components.BARBECUE_SPOTS)
                if self.spot(number).snail is snail and len(self.spot(number).plates) == plates
            ),
            None,
        )


_State: TypeAlias = State[BarbecueTable]


class Barbecue(game.Game[BarbecueTable]):
    """The rules of *Heckmeck Barbecue*."""

    edition = "barbecue"
    dice = components.BARBECUE_DICE  # B2
    players = components.BARBECUE_PLAYERS
    stop_must_earn = True  # B3: worms or a snail, or the end of the game
    tie_break = outcome.DecidedBy.HIGHEST_PLATE  # B12

    # --- Game material and preparation ------------------------------------------------------------

    def set_up(self, seats: int, house: grill.HouseRules) -> BarbecueTable:
        """An empty board, twelve snails in the pool, ten plates per player (B1)."""
        return BarbecueTable(
            spots=(EMPTY,) * len(components.BARBECUE_SPOTS),
            pool=components.SNAILS,
            snails=(0,) * seats,
            worms=(0,) * seats,
            plates=(components.PLATES_EACH,) * seats,
        )

    # --- A: finishing voluntarily. B: failed attempts ---------------------------------------------

    def earned(self, table: BarbecueTable, seat: int, result: int) -> endings.Ending:
        """Return the action a result allows, if any."""
        if result > HIGHEST_SPOT:
            return self._above_the_grill(table)
        if result < LOWEST_SPOT:
            return endings.NOTHING[endings.WhyNothing.TOO_LOW]  # B4
        spot = table.spot(result)
        if spot.snail:
            return endings.TakeSnail(result)  # B8
        if len(spot.plates) == 2:
            return endings.NOTHING[endings.WhyNothing.SPOT_CLOSED]  # B4
        if not table.plates[seat]:
            return endings.NOTHING[endings.WhyNothing.NO_PLATE]  # B13
        if not spot.plates:
            return endings.OccupySpot(result)  # B5
        (owner,) = spot.plates
        return (
            endings.CloseSpot(result) if owner == seat else endings.StealSpot(result, owner)
        )  # B7, B6

    def _above_the_grill(self, table: BarbecueTable) -> endings.Ending:
        """A snail from the pool, otherwise the one on the highest spot, otherwise the end (B9)."""
        if table.pool:
            return endings.TakeSnail(None)
        spot = table.highest(snail=True, plates=0)
        return endings.EndGame() if spot is None else endings.TakeSnail(spot)

    def _fail(self, state: _State, why: endings.WhyNothing, log: events.Log) -> _State:
        """A snail goes on the highest empty spot, or displaces a single plate (B10, B11)."""
        log.append(events.AttemptFailed(state.seat, why))
        table = state.table
        if not table.pool:
            return self.end_game(state, table, outcome.EndReason.POOL_EMPTY, log)
        spot = table.highest(snail=False, plates=0)
        if spot is None:
            spot = table.highest(snail=False, plates=1)
        if spot is None:
            return self.end_game(state, table, outcome.EndReason.GRILL_FULL, log)
        for owner in table.spot(spot).plates:
            log.append(events.PlateReturned(owner, spot))
            table = table.with_plates(owner, +1)
        table = replace(table, pool=table.pool - 1).with_spot(spot, WITH_SNAIL)
        log.append(events.SnailPlaced(spot, table.pool))
        return self.pass_on(table, state.seat, log)

    # --- Placing plates and snatching roast worms -------------------------------------------------

    def carry_out(self, state: _State, ending: endings.Ending, log: events.Log) -> _State:
        """Perform the action on the grill; then the next player has the dice."""
        match ending:
            case endings.OccupySpot(spot):
                table = self._occupy(state, spot, log)
            case endings.StealSpot(spot, victim):
                table = self._steal(state, victim, spot, log)
            case endings.CloseSpot(spot):
                table = self._close(state, spot, log)
            case endings.TakeSnail(spot):
                table = self._snatch(state, spot, log)
            case endings.EndGame():
                return self.end_game(state, state.table, outcome.EndReason.NO_SNAIL_LEFT, log)
            case endings.Nothing(why):
                return self._fail(state, why, log)
            case _:
                raise TypeError(f"not an ending of a barbecue turn: {ending}")
        return self.pass_on(table, state.seat, log)

    def _occupy(self, state: _State, spot: int, log: events.Log) -> BarbecueTable:
        """Action 1: occupying an empty spot (B5)."""
        log.append(events.PlatePlaced(state.seat, spot, components.BARBECUE_SPOTS[spot]))
        return self._with_plates(state, spot, 1)

    def _steal(self, state: _State, victim: int, spot: int, log: events.Log) -> BarbecueTable:
        """Action 2: stealing roast worms (B6)."""
        worms = components.BARBECUE_SPOTS[spot]
        log.append(events.PlateReplaced(state.seat, victim, spot, worms))
        return self._with_plates(state, spot, 1).with_worms(victim, -worms).with_plates(victim, +1)

    def _close(self, state: _State, spot: int, log: events.Log) -> BarbecueTable:
        """Action 3: protecting a spot (B7)."""
        log.append(events.SpotClosed(state.seat, spot, components.BARBECUE_SPOTS[spot]))
        return self._with_plates(state, spot, 2)

    def _with_plates(self, state: _State, spot: int, count: int) -> BarbecueTable:
        """The player places a plate, then has ``count`` on the spot, and gets its worms."""
        seat = state.seat
        table = state.table.with_spot(spot, Spot((seat,) * count))
        return table.with_plates(seat, -1).with_worms(seat, components.BARBECUE_SPOTS[spot])

    def _snatch(self, state: _State, spot: int | None, log: events.Log) -> BarbecueTable:
        """Action 4: snatching a grill snail, from a spot or from the pool (B8, B9)."""
        table, seat = state.table, state.seat
        log.append(events.SnailTaken(seat, spot))
        if spot is None:
            table = replace(table, pool=table.pool - 1)
        else:
            table = table.with_spot(spot, EMPTY)
        return replace(table, snails=value.changed(table.snails, seat, table.snails[seat] + 1))

    # --- Game end and final score -----------------------------------------------------------------

    def end_reasons(
        self, table: BarbecueTable, seat: int, turn: Turn
    ) -> Iterator[outcome.EndReason]:
        """The game ends with a turn for which there is no snail, or no room for one (B9 to B11)."""
        if table.pool:
            if not any(not spot.snail and len(spot.plates) < 2 for spot in table.spots):
                yield outcome.EndReason.GRILL_FULL
            return
        above = self.ending(table, seat, turn.total, self.dice.worm in turn.kept)
        if above == endings.EndGame():
            yield outcome.EndReason.NO_SNAIL_LEFT
        if above != endings.EndGame() or turn.dice_left:  # with dice left, a dead throw ended it
            yield outcome.EndReason.POOL_EMPTY

    def score_sheets(self, table: BarbecueTable) -> tuple[outcome.ScoreSheet, ...]:
        """Worms, and 3 per snail (B12)."""
        return tuple(
            (
                outcome.ScoreLine(outcome.ScoreItem.WORMS, worms),
                outcome.ScoreLine(outcome.ScoreItem.SNAILS, components.SNAIL_WORMS * snails),
            )
            for worms, snails in zip(table.worms, table.snails, strict=True)
        )

    def tie_breaks(self, table: BarbecueTable) -> tuple[int, ...]:
        """Return the highest spot with a plate of each player (B12)."""
        return tuple(
            max(
                (spot for spot in components.BARBECUE_SPOTS if seat in table.spot(spot).plates),
                default=0,
            )
            for seat in range(table.seats)
        )
