"""Heckmeck Junior: ingredient dice, small tiles, no punishment.

In the order of the rulebook. Numbers like ``J4`` are rulings: see ``docs/rulings.md``.
"""

from dataclasses import dataclass

from heckmeck.rules.components import JUNIOR_COPIES, JUNIOR_DICE, JUNIOR_PLAYERS, JUNIOR_TILES
from heckmeck.rules.endings import NOTHING, TAKE, Ending, Nothing, PinchTile, TakeTile, WhyNothing
from heckmeck.rules.events import (
    Event,
    MissedOut,
    PinchAsked,
    TileStolen,
    TileTaken,
    TileTurned,
)
from heckmeck.rules.game import Game
from heckmeck.rules.grill import Grill, Stacks, others_with_top, put_on, take_off
from heckmeck.rules.house import HouseRules
from heckmeck.rules.moves import Bust, Pinch, Reroll, Return, Rob
from heckmeck.rules.outcome import EndReason, ScoreItem, ScoreLine, ScoreSheet
from heckmeck.rules.state import PinchQuestion, State


@dataclass(frozen=True, slots=True)
class JuniorTable:
    """The grill and the players' piles."""

    grill: Grill
    stacks: Stacks

    @property
    def seats(self) -> int:
        """How many players sit at the table."""
        return len(self.stacks)


class Junior(Game[JuniorTable]):
    """The rules of *Heckmeck Junior*."""

    edition = "junior"
    dice = JUNIOR_DICE  # J1
    players = JUNIOR_PLAYERS
    all_faces_end_turn = True  # J2: all 5 ingredients, or all 6 dice
    dead_throw_counts = True  # J3: a dead throw costs nothing, what was kept counts

    # --- Course of the game -----------------------------------------------------------------------

    def set_up(self, seats: int, house: HouseRules) -> JuniorTable:
        """Lay the 12 tiles side by side, ascending (J1)."""
        tiles = tuple(tile for tile in JUNIOR_TILES for _ in range(JUNIOR_COPIES))
        return JuniorTable(Grill(tiles), ((),) * seats)

    def earned(self, table: JuniorTable, seat: int, result: int) -> Ending:
        """Return the tile a result earns, if any (J4)."""
        if result in table.grill.face_up:
            return TAKE[result]
        victims = others_with_top(table.stacks, result, seat)
        if victims:
            return PinchTile(result, victims)
        lower = table.grill.next_lower(result)
        if lower is None:
            return NOTHING[WhyNothing.TOO_LOW]
        return TAKE[lower]

    # --- Pinching tiles or receiving the lower tile -----------------------------------------------

    def carry_out(
        self, state: State[JuniorTable], ending: Ending, log: list[Event]
    ) -> State[JuniorTable]:
        """Take, pinch or miss out; then the next player has the dice."""
        table, seat = state.table, state.seat
        match ending:
            case TakeTile(tile):
                log.append(TileTaken(seat, tile, JUNIOR_TILES[tile], state.turn.total))
                table = JuniorTable(table.grill.without(tile), put_on(table.stacks, seat, tile))
            case PinchTile(tile, (victim,)):
                table = self._pinch(table, seat, victim, tile, log)
            case PinchTile(tile, victims):
                log.append(PinchAsked(seat, tile, victims))
                return State(table, seat, state.turn, PinchQuestion(tile, victims))
            case Nothing(why):
                table = self._miss_out(table, seat, why, log)
            case _:
                raise TypeError(f"not an ending of a junior turn: {ending}")
        return self._finish(state, table, log)

    def special_move(
        self,
        state: State[JuniorTable],
        move: Reroll | Bust | Rob | Return | Pinch,
        log: list[Event],
    ) -> State[JuniorTable]:
        """Pinch from the chosen player (J4)."""
        question = state.phase
        assert isinstance(move, Pinch), "junior asks no other question"
        assert isinstance(question, PinchQuestion), "a pinch answers a question"
        table = self._pinch(state.table, state.seat, move.victim, question.tile, log)
        return self._finish(state, table, log)

    def _pinch(
        self, table: JuniorTable, thief: int, victim: int, tile: int, log: list[Event]
    ) -> JuniorTable:
        log.append(TileStolen(thief, victim, tile, JUNIOR_TILES[tile]))
        return JuniorTable(table.grill, put_on(take_off(table.stacks, victim), thief, tile))

    def _miss_out(
        self, table: JuniorTable, seat: int, why: WhyNothing, log: list[Event]
    ) -> JuniorTable:
        """Turn the highest tile face down; own tiles are never lost (J5)."""
        highest = table.grill.highest
        log += [MissedOut(seat, why), TileTurned(highest)]
        return JuniorTable(table.grill.turned(highest), table.stacks)

    # --- Game end and final score -----------------------------------------------------------------

    def _finish(
        self, state: State[JuniorTable], table: JuniorTable, log: list[Event]
    ) -> State[JuniorTable]:
        """Pass the dice on, unless no tile is left face up (J6)."""
        if not table.grill.face_up:
            return self.end_game(state, table, EndReason.GRILL_EMPTY, log)
        return self.pass_on(table, state.seat, log)

    def score_sheets(self, table: JuniorTable) -> tuple[ScoreSheet, ...]:
        """Count the worms on every player's tiles."""
        return tuple(
            (ScoreLine(ScoreItem.TILES, sum(JUNIOR_TILES[tile] for tile in stack)),)
            for stack in table.stacks
        )
