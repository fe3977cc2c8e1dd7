"""Heckmeck Junior: ingredient dice, small tiles, no punishment.

In the order of the rulebook. Numbers like ``J4`` are rulings: see ``docs/rulings.md``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from heckmeck.rules import endings, events, game, moves, outcome
from heckmeck.rules.components import JUNIOR_COPIES, JUNIOR_DICE, JUNIOR_PLAYERS, JUNIOR_TILES
from heckmeck.rules.grill import (
    NO_HOUSE_RULES,
    Grill,
    GrillTable,
    HouseRules,
    others_with_top,
    put_on,
    take_off,
)
from heckmeck.rules.state import PinchQuestion, Question, State
from heckmeck.rules.turn import Turn


@dataclass(frozen=True, slots=True)
class JuniorTable(GrillTable):
    """The grill and the players' piles."""

    house: ClassVar[HouseRules] = NO_HOUSE_RULES  # C10 is for classic and deluxe


_State: TypeAlias = State[JuniorTable]


class Junior(game.Game[JuniorTable]):
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

    def earned(self, table: JuniorTable, seat: int, result: int) -> endings.Ending:
        """Return the tile a result earns, if any (J4)."""
        if result in table.grill.face_up:
            return endings.TAKE[result]
        victims = others_with_top(table.stacks, result, seat)
        if victims:
            return endings.PinchTile(result, victims)
        lower = table.grill.next_lower(result)
        if lower is None:
            return endings.NOTHING[endings.WhyNothing.TOO_LOW]
        return endings.TAKE[lower]

    # --- Pinching tiles or receiving the lower tile -----------------------------------------------

    def carry_out(self, state: _State, ending: endings.Ending, log: events.Log) -> _State:
        """Take, pinch or miss out; then the next player has the dice."""
        table, seat = state.table, state.seat
        match ending:
            case endings.TakeTile(tile):
                log.append(events.TileTaken(seat, tile, JUNIOR_TILES[tile], state.turn.total))
                table = JuniorTable(table.grill.without(tile), put_on(table.stacks, seat, tile))
            case endings.PinchTile(tile, (victim,)):
                table = self._pinch(state, victim, tile, log)
            case endings.PinchTile(tile, victims):
                log.append(events.PinchAsked(seat, tile, victims))
                return State(table, seat, state.turn, PinchQuestion(tile, victims))
            case endings.Nothing(why):
                table = self._miss_out(state, why, log)
            case _:
                raise TypeError(f"not an ending of a junior turn: {ending}")
        return self.finish(state, table, log)

    def special_move(self, state: _State, move: moves.SpecialMove, log: events.Log) -> _State:
        """Pinch from the chosen player (J4)."""
        question = state.phase
        assert isinstance(move, moves.Pinch), "junior asks no other question"
        assert isinstance(question, PinchQuestion), "a pinch answers a question"
        table = self._pinch(state, move.victim, question.tile, log)
        return self.finish(state, table, log)

    def questions(self, table: JuniorTable, seat: int, turn: Turn) -> Iterator[Question]:
        """From whom to pinch, if several players have the tile on top (J4)."""
        match self.ending(table, seat, turn.total, self.dice.worm in turn.kept):
            case endings.PinchTile(tile, victims) if len(victims) > 1 and not self.is_over(table):
                yield PinchQuestion(tile, victims)

    def _pinch(self, state: _State, victim: int, tile: int, log: events.Log) -> JuniorTable:
        table, thief = state.table, state.seat
        log.append(events.TileStolen(thief, victim, tile, JUNIOR_TILES[tile]))
        return JuniorTable(table.grill, put_on(take_off(table.stacks, victim), thief, tile))

    def _miss_out(self, state: _State, why: endings.WhyNothing, log: events.Log) -> JuniorTable:
        """Turn the highest tile face down; own tiles are never lost (J5)."""
        grill = state.table.grill
        log += [events.MissedOut(state.seat, why), events.TileTurned(grill.highest)]
        return JuniorTable(grill.turned(grill.highest), state.table.stacks)

    # --- Game end and final score -----------------------------------------------------------------

    def is_over(self, table: JuniorTable) -> bool:
        """Whether no tile is left face up (J6)."""
        return not table.grill.face_up

    def score_sheets(self, table: JuniorTable) -> tuple[outcome.ScoreSheet, ...]:
        """Count the worms on every player's tiles."""
        return tuple(
            (outcome.ScoreLine(outcome.ScoreItem.TILES, sum(JUNIOR_TILES[tile] for tile in stack)),)
            for stack in table.stacks
        )
