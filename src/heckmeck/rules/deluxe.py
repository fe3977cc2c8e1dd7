"""Heckmeck (2018): tiles 11 and 13, six Specialists and seven Bratworms.

In the order of the rulebook: setup, the two ways a turn ends, Double 1 and Bratworms, the
Specialists one by one, the end. Numbers like ``D7`` are rulings: see ``docs/rulings.md``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from heckmeck.rules import endings, events, game, moves, value
from heckmeck.rules.components import (
    APPLE_WORMS,
    BRATWORMS,
    CANNED_WORM_POINTS,
    DELUXE_PLAYERS,
    DELUXE_TILES,
    NUMBER_DICE,
    SMALL_TILES,
    SPECIALISTS_AT_START,
    Specialist,
)
from heckmeck.rules.grill import (
    Grill,
    GrillTable,
    HouseRules,
    Tile,
    owner_of_top,
    put_on,
    take_off,
    tile_to_turn,
    top,
)
from heckmeck.rules.outcome import DecidedBy, ScoreItem, ScoreLine, ScoreSheet
from heckmeck.rules.state import FALLING, Question, ReturnQuestion, RobQuestion, State
from heckmeck.rules.turn import Turn, pickable


@dataclass(frozen=True, slots=True)
class DeluxeTable(GrillTable):
    """The grill and its Specialists; by seat: stacks, the Specialist held, Bratworms; the supply.

    ``on_grill`` lists occupied tiles, ascending, each with its Specialist.
    """

    on_grill: tuple[tuple[Tile, Specialist], ...]
    held: tuple[Specialist | None, ...]
    bratworms: tuple[int, ...]
    supply: int
    house: HouseRules

    def standing_on(self, tile: Tile) -> Specialist | None:
        """Return the Specialist on this tile of the grill, if any."""
        return dict(self.on_grill).get(tile)

    def robbable_by(self, seat: int) -> tuple[int, ...]:
        """Return the other players who have a Bratworm but not the hen (D14, D8)."""
        return tuple(
            other
            for other in range(self.seats)
            if other != seat and self.bratworms[other] and self.held[other] is not Specialist.HEN
        )

    def lowest_free_tile(self) -> Tile | None:
        """Return the lowest face-up tile without a Specialist (D6)."""
        occupied = dict(self.on_grill)
        return next((tile for tile in self.grill.face_up if tile not in occupied), None)

    def with_standing(self, specialist: Specialist, tile: Tile | None) -> "DeluxeTable":
        """Return the table with the Specialist on the tile, or out of the game if ``None``."""
        if tile is None:
            return self
        return replace(self, on_grill=tuple(sorted((*self.on_grill, (tile, specialist)))))

    def with_nobody_on(self, tile: Tile) -> "DeluxeTable":
        """Return the table without a Specialist on the tile."""
        return replace(self, on_grill=tuple(pair for pair in self.on_grill if pair[0] != tile))

    def with_held(self, seat: int, specialist: Specialist | None) -> "DeluxeTable":
        """Return the table with this Specialist, or none, in front of ``seat``."""
        return replace(self, held=value.changed(self.held, seat, specialist))


_State: TypeAlias = State[DeluxeTable]


class Deluxe(game.Game[DeluxeTable]):
    """The rules of *Heckmeck* (2018)."""

    edition = "deluxe"
    dice = NUMBER_DICE  # C2
    players = DELUXE_PLAYERS
    has_house_rules = True
    has_golden_die = True  # D11
    double_one_pays = True  # D13
    tie_break = DecidedBy.HIGHEST_TILE  # D16

    # --- Setup ------------------------------------------------------------------------------------

    def set_up(self, seats: int, house: HouseRules) -> DeluxeTable:
        """Lay out 18 tiles in a row, six Specialists on them, seven Bratworms (D1, D2)."""
        return DeluxeTable(
            grill=Grill(tuple(DELUXE_TILES)),
            stacks=((),) * seats,
            on_grill=tuple(SPECIALISTS_AT_START.items()),
            held=(None,) * seats,
            bratworms=(0,) * seats,
            supply=BRATWORMS,
            house=house,
        )

    # --- A: Finish voluntarily. Stealing. Special case --------------------------------------------

    def earned(self, table: DeluxeTable, seat: int, result: int) -> endings.Ending:
        """Return the tile a result earns: the same number, otherwise the next lower one."""
        if result in table.grill.face_up:  # C4
            return endings.TAKE[result]
        victim = owner_of_top(table.stacks, result, seat)
        if victim is not None and result not in SMALL_TILES:  # C5, D1
            if table.held[victim] is Specialist.HEN:  # D8
                return endings.StealHen(result, victim)
            return endings.StealTile(result, victim)
        lower = table.grill.next_lower(result)  # C6
        if lower is None or lower in SMALL_TILES:  # C7, D1
            return endings.NOTHING[endings.WhyNothing.TOO_LOW]
        return endings.TAKE[lower]

    def bonus(self, table: DeluxeTable, seat: int, ending: endings.Ending) -> endings.Bonus | None:
        """Return the Specialist that comes with the tile (D3, D4), or the raven's Bratworm (D9)."""
        match ending:
            case endings.TakeTile(tile):
                guest = table.standing_on(tile)
                if guest is Specialist.RAVEN:
                    return (
                        endings.Bonus.BRATWORM if self.with_bratworm(table, seat) else None
                    )  # D14
            case endings.StealTile(_, victim):
                guest = table.held[victim]
            case _:
                guest = None
        return None if guest is None else endings.Bonus(guest)

    def carry_out(self, state: _State, ending: endings.Ending, log: events.Log) -> _State:
        """Take the tile and its bonus, or pay for the failed attempt."""
        match ending:
            case endings.TakeTile(tile):
                self._open_can(state, log)
                return self._take(state, tile, log)
            case endings.StealTile(tile, victim):
                self._open_can(state, log)
                return self._steal(state, tile, victim, log)
            case endings.StealHen(tile, victim):
                self._open_can(state, log)
                log.append(events.TileGuarded(victim, tile, state.seat))
                return self._steal_specialist(state, state.table, victim, log)
            case endings.Nothing(why):
                if why is endings.WhyNothing.TOO_LOW:
                    self._open_can(state, log)
                return self.finish(state, self._fail(state.table, state.seat, why, log), log)
            case _:
                raise TypeError(f"not an ending of a deluxe turn: {ending}")

    def _take(self, state: _State, tile: Tile, log: events.Log) -> _State:
        seat, table = state.seat, state.table
        log.append(events.TileTaken(seat, tile, DELUXE_TILES[tile], self._result_of(state)))
        guest = table.standing_on(tile)
        table = replace(
            table.with_nobody_on(tile),
            grill=table.grill.without(tile),
            stacks=put_on(table.stacks, seat, tile),
        )
        if guest is None:
            return self.finish(state, table, log)
        if guest is Specialist.RAVEN:
            return self._meet_the_raven(state, table, log)
        log.append(events.SpecialistTaken(seat, guest, tile))  # D3
        return self._receive(state, table, guest, log)

    def _steal(self, state: _State, tile: Tile, victim: int, log: events.Log) -> _State:
        thief, table = state.seat, state.table
        log.append(events.TileStolen(thief, victim, tile, DELUXE_TILES[tile]))
        table = replace(table, stacks=put_on(take_off(table.stacks, victim), thief, tile))
        if table.held[victim] is None:
            return self.finish(state, table, log)
        return self._steal_specialist(state, table, victim, log)  # D4

    # --- B: Failed attempt ------------------------------------------------------------------------

    def _fail(
        self, table: DeluxeTable, seat: int, why: endings.WhyNothing, log: events.Log
    ) -> DeluxeTable:
        """Tile back, Specialist back, highest tile turned, its Specialist moves: D7, or D8."""
        log.append(events.AttemptFailed(seat, why))
        tile, specialist = top(table.stacks[seat]), table.held[seat]
        if specialist is Specialist.HEN:
            if tile is not None:
                log.append(events.TileGuarded(seat, tile, None))
                table = self._give_back(table, seat, specialist, log)
            return self._turn_highest(table, None, log)
        if tile is not None:
            log.append(events.TileReturned(seat, tile))
            table = replace(
                table, grill=table.grill.with_back(tile), stacks=take_off(table.stacks, seat)
            )
        if specialist is not None:
            table = self._give_back(table, seat, specialist, log)
        return self._turn_highest(table, tile, log)

    def _turn_highest(
        self, table: DeluxeTable, returned: Tile | None, log: events.Log
    ) -> DeluxeTable:
        """Turn the highest tile by C8 and C10; a Specialist on it moves (D7)."""
        tile = tile_to_turn(table.grill, returned, table.house)
        if tile is None:
            return table
        log.append(events.TileTurned(tile))
        table = replace(table, grill=table.grill.turned(tile))
        guest = table.standing_on(tile)
        if guest is None:
            return table
        return self._move(table.with_nobody_on(tile), guest, tile, log)

    # --- Double 1. Bratworms ----------------------------------------------------------------------

    def kept(self, state: _State, event: events.DiceKept, log: events.Log) -> _State:
        """Keeping two or more 1s at once earns a Bratworm at once (D13)."""
        if event.face != "1" or event.count < 2:
            return self.go_on(state, log)
        log.append(events.BratwormEarned(state.seat, events.WhyBratworm.DOUBLE_ONE))
        table, victims = self._bratworm(state.table, state.seat, log)
        if victims:
            return State(table, state.seat, state.turn, RobQuestion(victims, for_raven=False))
        return self.go_on(State(table, state.seat, state.turn, state.phase), log)

    def _bratworm(
        self, table: DeluxeTable, seat: int, log: events.Log
    ) -> tuple[DeluxeTable, tuple[int, ...]]:
        """Take a Bratworm (D14); return the table, and the victims if there is a choice."""
        if table.supply:
            log.append(events.BratwormTaken(seat, table.supply - 1))
            bratworms = value.changed(table.bratworms, seat, table.bratworms[seat] + 1)
            return replace(table, bratworms=bratworms, supply=table.supply - 1), ()
        victims = table.robbable_by(seat)
        match victims:
            case ():
                log.append(events.BratwormMissing(seat))
                return table, ()
            case (victim,):
                return self._rob(table, seat, victim, log), ()
            case _:
                log.append(events.RobAsked(seat, victims))
                return table, victims

    def _rob(self, table: DeluxeTable, seat: int, victim: int, log: events.Log) -> DeluxeTable:
        log.append(events.BratwormRobbed(seat, victim))
        poorer = value.changed(table.bratworms, victim, table.bratworms[victim] - 1)
        return replace(table, bratworms=value.changed(poorer, seat, poorer[seat] + 1))

    def with_bratworm(self, table: DeluxeTable, seat: int) -> tuple[DeluxeTable, ...]:
        """Return every table that earning a Bratworm can lead to; none if no Bratworm is left."""
        after, victims = self._bratworm(table, seat, [])
        if victims:
            return tuple(self._rob(table, seat, victim, []) for victim in victims)
        return () if after is table else (after,)

    def _rob_chosen(
        self, state: _State, victim: int, question: RobQuestion, log: events.Log
    ) -> _State:
        table = self._rob(state.table, state.seat, victim, log)
        if question.for_raven:
            return self._raven_moves_on(state, table, log)
        return self.go_on(State(table, state.seat, state.turn, state.phase), log)

    # --- The Specialists: how to obtain one, putting one back -------------------------------------

    def _steal_specialist(
        self, state: _State, table: DeluxeTable, victim: int, log: events.Log
    ) -> _State:
        specialist = table.held[victim]
        assert specialist is not None, "only a Specialist that is held can be stolen"
        log.append(events.SpecialistStolen(state.seat, victim, specialist))
        return self._receive(state, table.with_held(victim, None), specialist, log)

    def _receive(
        self, state: _State, table: DeluxeTable, specialist: Specialist, log: events.Log
    ) -> _State:
        """Receive a Specialist; with a second one, choose which goes back (D5)."""
        held = table.held[state.seat]
        if held is None:
            return self.finish(state, table.with_held(state.seat, specialist), log)
        log.append(events.ReturnAsked(state.seat, held, specialist))
        return State(table, state.seat, state.turn, ReturnQuestion(held, specialist))

    def _return_chosen(
        self, state: _State, gone: Specialist, question: ReturnQuestion, log: events.Log
    ) -> _State:
        stays = question.received if gone is question.held else question.held
        table = self._give_back(state.table, state.seat, gone, log)
        return self.finish(state, table.with_held(state.seat, stays), log)

    def _give_back(
        self, table: DeluxeTable, seat: int, specialist: Specialist, log: events.Log
    ) -> DeluxeTable:
        """Put a player's Specialist on the lowest free face-up tile, or out of the game (D6)."""
        tile = table.lowest_free_tile()
        log.append(events.SpecialistReturned(seat, specialist, tile))
        return table.with_held(seat, None).with_standing(specialist, tile)

    def _move(
        self, table: DeluxeTable, specialist: Specialist, tile: Tile, log: events.Log
    ) -> DeluxeTable:
        """Move a Specialist that has lost its tile to the lowest free one (D6)."""
        to = table.lowest_free_tile()
        log.append(events.SpecialistMoved(specialist, tile, to))
        return table.with_standing(specialist, to)

    # --- Golden die -------------------------------------------------------------------------------

    def openings(self, state: _State) -> tuple[moves.Move, ...]:
        """The golden die's holder may add it to the first throw (D11)."""
        if state.table.held[state.seat] is Specialist.GOLDEN:
            return (moves.ROLL, moves.ROLL_GOLDEN)
        return super().openings(state)

    # --- Canned worm ------------------------------------------------------------------------------

    def result(self, table: DeluxeTable, seat: int, total: int, worm: bool) -> int | None:
        """Without a kept worm the canned worm counts as one (D12)."""
        if worm:
            return total
        return total + CANNED_WORM_POINTS if table.held[seat] is Specialist.CANNED else None

    def _result_of(self, state: _State) -> int:
        worm = self.dice.worm in state.turn.kept
        result = self.result(state.table, state.seat, state.turn.total, worm)
        assert result is not None, "a tile is taken only with a worm"
        return result

    def _open_can(self, state: _State, log: events.Log) -> None:
        result = self._result_of(state)
        if result != state.turn.total:
            log.append(events.CannedWormOpened(state.seat, result))

    # --- Weasel -----------------------------------------------------------------------------------

    def _weasel_is_ready(self, state: _State) -> bool:
        return state.table.held[state.seat] is Specialist.WEASEL and not state.turn.weasel_used

    def second_chances(self, state: _State) -> tuple[moves.Move, ...]:
        """The weasel throws the same dice again, even after a dead throw (D10)."""
        if not self._weasel_is_ready(state):
            return ()
        throw = state.phase
        assert isinstance(throw, moves.Throw), "a second chance follows a throw"
        dead = not pickable(state.turn.kept, throw.dice, throw.golden)
        return (moves.BUST, moves.REROLL) if dead else (moves.REROLL,)

    def dead_throw(self, state: _State, log: events.Log) -> _State:
        """A dead throw fails, unless the weasel can still be used (T5, D10)."""
        return state if self._weasel_is_ready(state) else super().dead_throw(state, log)

    def _reroll(self, state: _State, log: events.Log) -> _State:
        turn = replace(state.turn, weasel_used=True)
        log += [events.WeaselUsed(state.seat), events.DiceCast(state.seat, turn.hand, turn.golden)]
        return State(state.table, state.seat, turn, FALLING)

    # --- Raven ------------------------------------------------------------------------------------

    def _meet_the_raven(self, state: _State, table: DeluxeTable, log: events.Log) -> _State:
        """Taking the raven's tile earns a Bratworm; then the raven moves (D9)."""
        log.append(events.BratwormEarned(state.seat, events.WhyBratworm.RAVEN))
        table, victims = self._bratworm(table, state.seat, log)
        if victims:
            return State(table, state.seat, state.turn, RobQuestion(victims, for_raven=True))
        return self._raven_moves_on(state, table, log)

    def _raven_moves_on(self, state: _State, table: DeluxeTable, log: events.Log) -> _State:
        taken = top(table.stacks[state.seat])
        assert taken is not None, "the raven's tile has just been taken"
        return self.finish(state, self._move(table, Specialist.RAVEN, taken, log), log)

    # --- Choices ----------------------------------------------------------------------------------

    def special_move(self, state: _State, move: moves.SpecialMove, log: events.Log) -> _State:
        """Use the weasel or not, rob, or return a Specialist."""
        match move, state.phase:
            case moves.Reroll(), _:
                return self._reroll(state, log)
            case moves.Bust(), _:
                return super().dead_throw(state, log)
            case moves.Rob(victim), RobQuestion() as question:
                return self._rob_chosen(state, victim, question, log)
            case moves.Return(specialist), ReturnQuestion() as question:
                return self._return_chosen(state, specialist, question, log)
            case _:
                return super().special_move(state, move, log)

    def questions(self, table: DeluxeTable, seat: int, turn: Turn) -> Iterator[Question]:
        """Whom to rob, for the raven's tile or two 1s (D14); which Specialist goes back (D5)."""
        _, victims = self._bratworm(table, seat, [])
        if victims and self._has_the_ravens_tile(table, seat, turn):
            yield RobQuestion(victims, for_raven=True)
        if victims and turn.kept.count("1") > 1 and not self.is_over(table):  # D13
            yield RobQuestion(victims, for_raven=False)
        held = table.held[seat]
        present = {Specialist.RAVEN, *dict(table.on_grill).values(), *table.held}
        if held is not None:
            yield from (ReturnQuestion(held, new) for new in Specialist if new not in present)

    def _has_the_ravens_tile(self, table: DeluxeTable, seat: int, turn: Turn) -> bool:
        """Whether the raven is nowhere, and the player's top tile is the one the result took."""
        tile = top(table.stacks[seat])
        if tile is None or Specialist.RAVEN in dict(table.on_grill).values():
            return False
        grill, stacks = table.grill.with_back(tile), take_off(table.stacks, seat)
        before = replace(table, grill=grill, stacks=stacks)
        worm = self.dice.worm in turn.kept
        return self.ending(before, seat, turn.total, worm) == endings.TAKE[tile]

    def help_is_held(self, table: DeluxeTable, seat: int, turn: Turn) -> bool:
        """The golden die and the weasel help their holder, and nobody holds both (D5, D10, D11)."""
        golden = turn.golden or len(turn.kept) + turn.hand > self.dice.count
        used = [Specialist.GOLDEN] * golden + [Specialist.WEASEL] * turn.weasel_used
        return not used or used == [table.held[seat]]

    # --- End of the game and final score ----------------------------------------------------------

    def is_over(self, table: DeluxeTable) -> bool:
        """Whether no tile is left face up (C9, D17)."""
        return not table.grill.face_up

    def score_sheets(self, table: DeluxeTable) -> tuple[ScoreSheet, ...]:
        """Worms on tiles, Bratworms, 3 for the apple (D15, D16)."""
        return tuple(
            (
                ScoreLine(ScoreItem.TILES, sum(DELUXE_TILES[tile] for tile in stack)),
                ScoreLine(ScoreItem.BRATWORMS, bratworms),
                ScoreLine(ScoreItem.APPLE, APPLE_WORMS if held is Specialist.APPLE else 0),
            )
            for stack, bratworms, held in zip(
                table.stacks, table.bratworms, table.held, strict=True
            )
        )

    def tie_breaks(self, table: DeluxeTable) -> tuple[int, ...]:
        """Return every player's highest single tile (D16)."""
        return tuple(max(stack, default=0) for stack in table.stacks)
