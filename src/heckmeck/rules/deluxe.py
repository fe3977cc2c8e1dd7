"""Heckmeck (2018): tiles 11 and 13, six Specialists and seven Bratworms.

In the order of the rulebook: setup, the two ways a turn ends, Double 1 and Bratworms, the
Specialists one by one, the end. Numbers like ``D7`` are rulings: see ``docs/rulings.md``.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

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
from heckmeck.rules.endings import (
    NOTHING,
    TAKE,
    Bonus,
    Ending,
    Nothing,
    StealHen,
    StealTile,
    TakeTile,
    WhyNothing,
)
from heckmeck.rules.events import (
    AttemptFailed,
    BratwormEarned,
    BratwormMissing,
    BratwormRobbed,
    BratwormTaken,
    CannedWormOpened,
    DiceCast,
    DiceKept,
    Event,
    ReturnAsked,
    RobAsked,
    SpecialistMoved,
    SpecialistReturned,
    SpecialistStolen,
    SpecialistTaken,
    TileGuarded,
    TileReturned,
    TileStolen,
    TileTaken,
    TileTurned,
    WeaselUsed,
    WhyBratworm,
)
from heckmeck.rules.game import Game
from heckmeck.rules.grill import (
    Grill,
    Stacks,
    Tile,
    owner_of_top,
    put_on,
    take_off,
    tile_to_turn,
    top,
)
from heckmeck.rules.house import HouseRules
from heckmeck.rules.moves import (
    BUST,
    REROLL,
    ROLL,
    ROLL_GOLDEN,
    Bust,
    Move,
    Pinch,
    Reroll,
    Return,
    Rob,
    Throw,
)
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem, ScoreLine, ScoreSheet
from heckmeck.rules.state import FALLING, ReturnQuestion, RobQuestion, State
from heckmeck.rules.tuples import changed
from heckmeck.rules.turn import pickable


@dataclass(frozen=True, slots=True)
class DeluxeTable:
    """The grill and its Specialists; by seat: stacks, the Specialist held, Bratworms; the supply.

    ``on_grill`` lists occupied tiles, ascending, each with its Specialist.
    """

    grill: Grill
    stacks: Stacks
    on_grill: tuple[tuple[Tile, Specialist], ...]
    held: tuple[Specialist | None, ...]
    bratworms: tuple[int, ...]
    supply: int
    house: HouseRules

    @property
    def seats(self) -> int:
        """How many players sit at the table."""
        return len(self.stacks)

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
        return replace(self, held=changed(self.held, seat, specialist))


_State: TypeAlias = State[DeluxeTable]


class Deluxe(Game[DeluxeTable]):
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

    def earned(self, table: DeluxeTable, seat: int, result: int) -> Ending:
        """Return the tile a result earns: the same number, otherwise the next lower one."""
        if result in table.grill.face_up:  # C4
            return TAKE[result]
        victim = owner_of_top(table.stacks, result, seat)
        if victim is not None and result not in SMALL_TILES:  # C5, D1
            if table.held[victim] is Specialist.HEN:  # D8
                return StealHen(result, victim)
            return StealTile(result, victim)
        lower = table.grill.next_lower(result)  # C6
        if lower is None or lower in SMALL_TILES:  # C7, D1
            return NOTHING[WhyNothing.TOO_LOW]
        return TAKE[lower]

    def bonus(self, table: DeluxeTable, seat: int, ending: Ending) -> Bonus | None:
        """Return the Specialist that comes with the tile (D3, D4), or the raven's Bratworm (D9)."""
        match ending:
            case TakeTile(tile):
                guest = table.standing_on(tile)
                if guest is Specialist.RAVEN:
                    return Bonus.BRATWORM if self.with_bratworm(table, seat) else None  # D14
            case StealTile(_, victim):
                guest = table.held[victim]
            case _:
                guest = None
        return None if guest is None else Bonus(guest)

    def carry_out(self, state: _State, ending: Ending, log: list[Event]) -> _State:
        """Take the tile and its bonus, or pay for the failed attempt."""
        match ending:
            case TakeTile(tile):
                self._open_can(state, log)
                return self._take(state, tile, log)
            case StealTile(tile, victim):
                self._open_can(state, log)
                return self._steal(state, tile, victim, log)
            case StealHen(tile, victim):
                self._open_can(state, log)
                log.append(TileGuarded(victim, tile, state.seat))
                return self._steal_specialist(state, state.table, victim, log)
            case Nothing(why):
                if why is WhyNothing.TOO_LOW:
                    self._open_can(state, log)
                return self._finish(state, self._fail(state.table, state.seat, why, log), log)
            case _:
                raise TypeError(f"not an ending of a deluxe turn: {ending}")

    def _take(self, state: _State, tile: Tile, log: list[Event]) -> _State:
        seat, table = state.seat, state.table
        log.append(TileTaken(seat, tile, DELUXE_TILES[tile], self._result_of(state)))
        guest = table.standing_on(tile)
        table = replace(
            table.with_nobody_on(tile),
            grill=table.grill.without(tile),
            stacks=put_on(table.stacks, seat, tile),
        )
        if guest is None:
            return self._finish(state, table, log)
        if guest is Specialist.RAVEN:
            return self._meet_the_raven(state, table, log)
        log.append(SpecialistTaken(seat, guest, tile))  # D3
        return self._receive(state, table, guest, log)

    def _steal(self, state: _State, tile: Tile, victim: int, log: list[Event]) -> _State:
        thief, table = state.seat, state.table
        log.append(TileStolen(thief, victim, tile, DELUXE_TILES[tile]))
        table = replace(table, stacks=put_on(take_off(table.stacks, victim), thief, tile))
        if table.held[victim] is None:
            return self._finish(state, table, log)
        return self._steal_specialist(state, table, victim, log)  # D4

    # --- B: Failed attempt ------------------------------------------------------------------------

    def _fail(
        self, table: DeluxeTable, seat: int, why: WhyNothing, log: list[Event]
    ) -> DeluxeTable:
        """Tile back, Specialist back, highest tile turned, its Specialist moves: D7, or D8."""
        log.append(AttemptFailed(seat, why))
        tile, specialist = top(table.stacks[seat]), table.held[seat]
        if specialist is Specialist.HEN:
            if tile is not None:
                log.append(TileGuarded(seat, tile, None))
                table = self._give_back(table, seat, specialist, log)
            return self._turn_highest(table, None, log)
        if tile is not None:
            log.append(TileReturned(seat, tile))
            table = replace(
                table, grill=table.grill.with_back(tile), stacks=take_off(table.stacks, seat)
            )
        if specialist is not None:
            table = self._give_back(table, seat, specialist, log)
        return self._turn_highest(table, tile, log)

    def _turn_highest(
        self, table: DeluxeTable, returned: Tile | None, log: list[Event]
    ) -> DeluxeTable:
        """Turn the highest tile by C8 and C10; a Specialist on it moves (D7)."""
        tile = tile_to_turn(table.grill, returned, table.house)
        if tile is None:
            return table
        log.append(TileTurned(tile))
        table = replace(table, grill=table.grill.turned(tile))
        guest = table.standing_on(tile)
        if guest is None:
            return table
        return self._move(table.with_nobody_on(tile), guest, tile, log)

    # --- Double 1. Bratworms ----------------------------------------------------------------------

    def kept(self, state: _State, event: DiceKept, log: list[Event]) -> _State:
        """Keeping two or more 1s at once earns a Bratworm at once (D13)."""
        if event.face != "1" or event.count < 2:
            return self.go_on(state, log)
        log.append(BratwormEarned(state.seat, WhyBratworm.DOUBLE_ONE))
        table, victims = self._bratworm(state.table, state.seat, log)
        if victims:
            return State(table, state.seat, state.turn, RobQuestion(victims, for_raven=False))
        return self.go_on(State(table, state.seat, state.turn, state.phase), log)

    def _bratworm(
        self, table: DeluxeTable, seat: int, log: list[Event]
    ) -> tuple[DeluxeTable, tuple[int, ...]]:
        """Take a Bratworm (D14); return the table, and the victims if there is a choice."""
        if table.supply:
            log.append(BratwormTaken(seat, table.supply - 1))
            bratworms = changed(table.bratworms, seat, table.bratworms[seat] + 1)
            return replace(table, bratworms=bratworms, supply=table.supply - 1), ()
        victims = table.robbable_by(seat)
        match victims:
            case ():
                log.append(BratwormMissing(seat))
                return table, ()
            case (victim,):
                return self._rob(table, seat, victim, log), ()
            case _:
                log.append(RobAsked(seat, victims))
                return table, victims

    def _rob(self, table: DeluxeTable, seat: int, victim: int, log: list[Event]) -> DeluxeTable:
        log.append(BratwormRobbed(seat, victim))
        poorer = changed(table.bratworms, victim, table.bratworms[victim] - 1)
        return replace(table, bratworms=changed(poorer, seat, poorer[seat] + 1))

    def with_bratworm(self, table: DeluxeTable, seat: int) -> tuple[DeluxeTable, ...]:
        """Return every table that earning a Bratworm can lead to; none if no Bratworm is left."""
        after, victims = self._bratworm(table, seat, [])
        if victims:
            return tuple(self._rob(table, seat, victim, []) for victim in victims)
        return () if after is table else (after,)

    def _rob_chosen(
        self, state: _State, victim: int, question: RobQuestion, log: list[Event]
    ) -> _State:
        table = self._rob(state.table, state.seat, victim, log)
        if question.for_raven:
            return self._raven_moves_on(state, table, log)
        return self.go_on(State(table, state.seat, state.turn, state.phase), log)

    # --- The Specialists: how to obtain one, putting one back -------------------------------------

    def _steal_specialist(
        self, state: _State, table: DeluxeTable, victim: int, log: list[Event]
    ) -> _State:
        specialist = table.held[victim]
        assert specialist is not None, "only a Specialist that is held can be stolen"
        log.append(SpecialistStolen(state.seat, victim, specialist))
        return self._receive(state, table.with_held(victim, None), specialist, log)

    def _receive(
        self, state: _State, table: DeluxeTable, specialist: Specialist, log: list[Event]
    ) -> _State:
        """Receive a Specialist; with a second one, choose which goes back (D5)."""
        held = table.held[state.seat]
        if held is None:
            return self._finish(state, table.with_held(state.seat, specialist), log)
        log.append(ReturnAsked(state.seat, held, specialist))
        return State(table, state.seat, state.turn, ReturnQuestion(held, specialist))

    def _return_chosen(
        self, state: _State, gone: Specialist, question: ReturnQuestion, log: list[Event]
    ) -> _State:
        stays = question.received if gone is question.held else question.held
        table = self._give_back(state.table, state.seat, gone, log)
        return self._finish(state, table.with_held(state.seat, stays), log)

    def _give_back(
        self, table: DeluxeTable, seat: int, specialist: Specialist, log: list[Event]
    ) -> DeluxeTable:
        """Put a player's Specialist on the lowest free face-up tile, or out of the game (D6)."""
        tile = table.lowest_free_tile()
        log.append(SpecialistReturned(seat, specialist, tile))
        return table.with_held(seat, None).with_standing(specialist, tile)

    def _move(
        self, table: DeluxeTable, specialist: Specialist, tile: Tile, log: list[Event]
    ) -> DeluxeTable:
        """Move a Specialist that has lost its tile to the lowest free one (D6)."""
        to = table.lowest_free_tile()
        log.append(SpecialistMoved(specialist, tile, to))
        return table.with_standing(specialist, to)

    # --- Golden die -------------------------------------------------------------------------------

    def openings(self, state: _State) -> tuple[Move, ...]:
        """The golden die's holder may add it to the first throw (D11)."""
        if state.table.held[state.seat] is Specialist.GOLDEN:
            return (ROLL, ROLL_GOLDEN)
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

    def _open_can(self, state: _State, log: list[Event]) -> None:
        result = self._result_of(state)
        if result != state.turn.total:
            log.append(CannedWormOpened(state.seat, result))

    # --- Weasel -----------------------------------------------------------------------------------

    def _weasel_is_ready(self, state: _State) -> bool:
        return state.table.held[state.seat] is Specialist.WEASEL and not state.turn.weasel_used

    def second_chances(self, state: _State) -> tuple[Move, ...]:
        """The weasel throws the same dice again, even after a dead throw (D10)."""
        if not self._weasel_is_ready(state):
            return ()
        throw = state.phase
        assert isinstance(throw, Throw), "a second chance follows a throw"
        dead = not pickable(state.turn.kept, throw.dice, throw.golden)
        return (BUST, REROLL) if dead else (REROLL,)

    def dead_throw(self, state: _State, log: list[Event]) -> _State:
        """A dead throw fails, unless the weasel can still be used (T5, D10)."""
        return state if self._weasel_is_ready(state) else super().dead_throw(state, log)

    def _reroll(self, state: _State, log: list[Event]) -> _State:
        turn = replace(state.turn, weasel_used=True)
        log += [WeaselUsed(state.seat), DiceCast(state.seat, turn.hand, turn.golden)]
        return State(state.table, state.seat, turn, FALLING)

    # --- Raven ------------------------------------------------------------------------------------

    def _meet_the_raven(self, state: _State, table: DeluxeTable, log: list[Event]) -> _State:
        """Taking the raven's tile earns a Bratworm; then the raven moves (D9)."""
        log.append(BratwormEarned(state.seat, WhyBratworm.RAVEN))
        table, victims = self._bratworm(table, state.seat, log)
        if victims:
            return State(table, state.seat, state.turn, RobQuestion(victims, for_raven=True))
        return self._raven_moves_on(state, table, log)

    def _raven_moves_on(self, state: _State, table: DeluxeTable, log: list[Event]) -> _State:
        taken = top(table.stacks[state.seat])
        assert taken is not None, "the raven's tile has just been taken"
        return self._finish(state, self._move(table, Specialist.RAVEN, taken, log), log)

    # --- Choices ----------------------------------------------------------------------------------

    def special_move(
        self, state: _State, move: Reroll | Bust | Rob | Return | Pinch, log: list[Event]
    ) -> _State:
        """Use the weasel or not, rob, or return a Specialist."""
        match move, state.phase:
            case Reroll(), _:
                return self._reroll(state, log)
            case Bust(), _:
                return super().dead_throw(state, log)
            case Rob(victim), RobQuestion() as question:
                return self._rob_chosen(state, victim, question, log)
            case Return(specialist), ReturnQuestion() as question:
                return self._return_chosen(state, specialist, question, log)
            case _:
                return super().special_move(state, move, log)

    # --- End of the game and final score ----------------------------------------------------------

    def _finish(self, state: _State, table: DeluxeTable, log: list[Event]) -> _State:
        """Pass the dice on, unless no tile is left face up (C9, D17)."""
        if not table.grill.face_up:
            return self.end_game(state, table, EndReason.GRILL_EMPTY, log)
        return self.pass_on(table, state.seat, log)

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
