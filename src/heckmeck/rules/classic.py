"""Heckmeck am Bratwurmeck: the 2018 box without 11 and 13, Specialists and Bratworms.

In the order of the rulebook. Numbers like ``C4`` are rulings: see ``docs/rulings.md``.
"""

from dataclasses import dataclass
from typing import TypeAlias

from heckmeck.rules import events, game
from heckmeck.rules.components import CLASSIC_PLAYERS, CLASSIC_TILES, NUMBER_DICE
from heckmeck.rules.endings import NOTHING, TAKE, Ending, Nothing, StealTile, TakeTile, WhyNothing
from heckmeck.rules.grill import (
    Grill,
    GrillTable,
    HouseRules,
    owner_of_top,
    put_on,
    take_off,
    tile_to_turn,
    top,
)
from heckmeck.rules.outcome import DecidedBy, ScoreItem, ScoreLine, ScoreSheet
from heckmeck.rules.state import State


@dataclass(frozen=True, slots=True)
class ClassicTable(GrillTable):
    """The grill, the players' stacks and the house rules."""

    house: HouseRules


_State: TypeAlias = State[ClassicTable]


class Classic(game.Game[ClassicTable]):
    """The rules of *Heckmeck am Bratwurmeck*."""

    edition = "classic"
    dice = NUMBER_DICE  # C2
    players = CLASSIC_PLAYERS
    tie_break = DecidedBy.HIGHEST_TILE  # C9
    has_house_rules = True

    # --- Setup ------------------------------------------------------------------------------------

    def set_up(self, seats: int, house: HouseRules) -> ClassicTable:
        """Lay the 16 tiles face up in one row (C1)."""
        return ClassicTable(Grill(tuple(CLASSIC_TILES)), ((),) * seats, house)

    # --- A: Finish voluntarily. Stealing. Special case --------------------------------------------

    def earned(self, table: ClassicTable, seat: int, result: int) -> Ending:
        """Return the tile a result earns: the same number, otherwise the next lower one."""
        if result in table.grill.face_up:  # C4
            return TAKE[result]
        victim = owner_of_top(table.stacks, result, seat)
        if victim is not None:  # C5
            return StealTile(result, victim)
        lower = table.grill.next_lower(result)  # C6
        if lower is None:  # C7
            return NOTHING[WhyNothing.TOO_LOW]
        return TAKE[lower]

    def earned_by_all(self, table: ClassicTable, seat: int, results: range) -> list[Ending]:
        """Return what each of these results earns, in one pass for the solver."""
        exact: dict[int, Ending] = {
            stack[-1]: StealTile(stack[-1], owner)
            for owner, stack in enumerate(table.stacks)
            if stack and owner != seat
        }
        exact.update((tile, TAKE[tile]) for tile in table.grill.face_up)  # the grill comes first
        lower = table.grill.next_lower(results.start)
        otherwise: Ending = NOTHING[WhyNothing.TOO_LOW] if lower is None else TAKE[lower]
        endings: list[Ending] = []
        for result in results:
            ending = exact.get(result, otherwise)
            endings.append(ending)
            if isinstance(ending, TakeTile):
                otherwise = ending
        return endings

    def carry_out(self, state: _State, ending: Ending, log: events.Log) -> _State:
        """Take the tile, or pay for the failed attempt; then the next player has the dice."""
        table, seat = state.table, state.seat
        match ending:
            case TakeTile(tile):
                log.append(events.TileTaken(seat, tile, CLASSIC_TILES[tile], state.turn.total))
                table = ClassicTable(
                    table.grill.without(tile), put_on(table.stacks, seat, tile), table.house
                )
            case StealTile(tile, victim):
                log.append(events.TileStolen(seat, victim, tile, CLASSIC_TILES[tile]))
                stacks = put_on(take_off(table.stacks, victim), seat, tile)
                table = ClassicTable(table.grill, stacks, table.house)
            case Nothing(why):
                table = self._fail(state, why, log)
            case _:
                raise TypeError(f"not an ending of a classic turn: {ending}")
        return self.finish(state, table, log)

    # --- B: Failed attempt ------------------------------------------------------------------------

    def _fail(self, state: _State, why: WhyNothing, log: events.Log) -> ClassicTable:
        """Put the top tile back and turn the highest one (C8, C10)."""
        table, seat = state.table, state.seat
        log.append(events.AttemptFailed(seat, why))
        grill, stacks = table.grill, table.stacks
        returned = top(stacks[seat])
        if returned is not None:
            log.append(events.TileReturned(seat, returned))
            grill, stacks = grill.with_back(returned), take_off(stacks, seat)
        turned = tile_to_turn(grill, returned, table.house)
        if turned is not None:
            log.append(events.TileTurned(turned))
            grill = grill.turned(turned)
        return ClassicTable(grill, stacks, table.house)

    # --- End of the game and final score ----------------------------------------------------------

    def is_over(self, table: ClassicTable) -> bool:
        """Whether no tile is left face up (C9)."""
        return not table.grill.face_up

    def score_sheets(self, table: ClassicTable) -> tuple[ScoreSheet, ...]:
        """Count the worms on every player's tiles."""
        worms = CLASSIC_TILES.__getitem__
        return tuple(
            [(ScoreLine(ScoreItem.TILES, sum(map(worms, stack))),) for stack in table.stacks]
        )

    def tie_breaks(self, table: ClassicTable) -> tuple[int, ...]:
        """Return every player's highest single tile (C9)."""
        return tuple(max(stack, default=0) for stack in table.stacks)
