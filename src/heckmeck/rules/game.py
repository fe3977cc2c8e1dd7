"""The frame of a game, and the turn that all four share (rulings T1 to T8).

`Game` implements the common turn; each edition adds what its own rulebook says: how the table is
set up, what a result earns, what a failed attempt costs, how worms are counted. Editions share
this frame but never import each other.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, Generic, Protocol, TypeVar, assert_never

from heckmeck.rules import components, events, grill, moves
from heckmeck.rules.dice import DiceSet, throws_of
from heckmeck.rules.endings import NOTHING, Bonus, Ending, Nothing, WhyNothing
from heckmeck.rules.outcome import DecidedBy, EndReason, Outcome, ScoreSheet, rank, total
from heckmeck.rules.state import (
    DECIDING,
    FALLING,
    Deciding,
    Falling,
    Over,
    Phase,
    PinchQuestion,
    Question,
    ReturnQuestion,
    RobQuestion,
    State,
    Transition,
)
from heckmeck.rules.turn import NO_CHANCE, Chances, Turn, chance_of_only, chances, pickable
from heckmeck.rules.why_not import why_not


class Table(Protocol):
    """What the tables of all editions have in common."""

    @property
    def seats(self) -> int:
        """The number of players."""
        ...


TableT = TypeVar("TableT", bound=Table)

GOLDEN_FACES: Final = tuple(components.GOLDEN_DIE.faces)
ONLY_ROLL: Final[tuple[moves.Move, ...]] = (moves.ROLL,)
ROLL_OR_STOP: Final[tuple[moves.Move, ...]] = (moves.ROLL, moves.STOP)


class Game(ABC, Generic[TableT]):
    """The rules of an edition: pure functions from states to states. Instances hold no data."""

    edition: ClassVar[str]
    dice: ClassVar[DiceSet]
    players: ClassVar[range]
    has_house_rules: ClassVar[bool] = False
    has_golden_die: ClassVar[bool] = False  # D11
    double_one_pays: ClassVar[bool] = False  # D13
    stop_must_earn: ClassVar[bool] = False  # B3
    all_faces_end_turn: ClassVar[bool] = False  # J2
    dead_throw_counts: ClassVar[bool] = False  # J3
    tie_break: ClassVar[DecidedBy] = DecidedBy.SHARED  # J6: nothing does

    # --- the four questions everybody asks --------------------------------------------------------

    def initial(
        self, seats: int, first: int = 0, house: grill.HouseRules = grill.NO_HOUSE_RULES
    ) -> State[TableT]:
        """Set up a game for ``seats`` players; ``first`` starts (T8)."""
        if seats not in self.players:
            raise moves.BadSetup(
                f"{self.edition} is for {self.players[0]} to {self.players[-1]} players, "
                f"not for {seats}."
            )
        if first not in range(seats):
            raise moves.BadSetup(f"first must be a seat from 0 to {seats - 1}, not {first}.")
        if house != grill.NO_HOUSE_RULES and not self.has_house_rules:
            raise moves.BadSetup(f"{self.edition} has no house rules.")
        return State(self.set_up(seats, house), first, Turn(self.dice.count), DECIDING)

    def legal(self, state: State[TableT]) -> tuple[moves.Move, ...]:
        """Return every move the player may make; none while dice fall or if the game is over."""
        phase = state.phase
        if isinstance(phase, moves.Throw):  # the frequent ones first, and quicker than a match
            keeps = pickable(state.turn.kept, phase.dice, phase.golden)
            return keeps + self.second_chances(state)
        if isinstance(phase, Deciding):
            if not state.turn.kept:
                return self.openings(state)
            return ROLL_OR_STOP if self.may_stop(state) else ONLY_ROLL
        if isinstance(phase, Falling | Over):
            return ()
        return _answers(phase)

    def throws(self, state: State[TableT]) -> Chances:
        """Return every possible throw with its weight; none if no dice are in the air."""
        if not isinstance(state.phase, Falling):
            return NO_CHANCE
        return chances(self.dice, state.turn.hand, state.turn.golden)

    def dead_chance(self, state: State[TableT]) -> float:
        """Return the probability that a throw of the dice in hand shows only kept faces (T5)."""
        turn = state.turn
        return chance_of_only(turn.kept, self.dice, turn.hand, turn.golden)

    def apply(self, state: State[TableT], move: moves.Move) -> Transition[TableT]:
        """Return the state after ``move`` and its events, or raise `IllegalMove`.

        Anything that is not a move is a `TypeError`.
        """
        log: events.Log = []
        if isinstance(move, moves.Throw):
            return Transition(self._fall(state, move, log), tuple(log))
        if move not in self.legal(state):
            raise self._illegal(state, move)
        match move:
            case moves.Keep():
                after = self._keep(state, move, log)
            case moves.Roll():
                after = self._roll(state, move, log)
            case moves.Stop():
                after = self.end_turn(state, log, stopped=True)
            case _:
                after = self.special_move(state, move, log)
        return Transition(after, tuple(log))

    def outcome(self, state: State[TableT]) -> Outcome | None:
        """Return the outcome of the game, or ``None`` if it is not over."""
        if not isinstance(state.phase, Over):
            return None
        return self.final_count(state.table, state.phase.reason)

    def final_count(self, table: TableT, reason: EndReason) -> Outcome:
        """Rank the players at the end: most worms wins, ties are broken by the edition's rule."""
        return rank(reason, self.score_sheets(table), self.tie_breaks(table), self.tie_break)

    def turn_after(self, turn: Turn, throw: moves.Throw, keep: moves.Keep) -> Turn:
        """Return the turn after a legal keep: all dice of the face are set aside (T2)."""
        return turn.keep(keep.face, throw, self.dice.points_for(keep.face))

    def scores(self, state: State[TableT]) -> tuple[int, ...]:
        """Return the scores by seat, as if the game ended now."""
        return tuple(map(total, self.score_sheets(state.table)))

    def stopping(self, state: State[TableT]) -> Ending:
        """Return what ending the turn with the dice kept so far would do."""
        return self.ending(
            state.table, state.seat, state.turn.total, self.dice.worm in state.turn.kept
        )

    def ending(self, table: TableT, seat: int, total: int, worm: bool) -> Ending:
        """Return what ending ``seat``'s turn with ``total``, with or without a worm, would do."""
        result = self.result(table, seat, total, worm)
        if result is None:
            return NOTHING[WhyNothing.NO_WORM]
        return self.earned(table, seat, result)

    def endings(self, table: TableT, seat: int, totals: int, worm: bool) -> list[Ending]:
        """Return what ending ``seat``'s turn would do with each total below ``totals``."""
        lowest = self.result(table, seat, 0, worm)
        if lowest is None:
            return [NOTHING[WhyNothing.NO_WORM]] * totals
        return self.earned_by_all(table, seat, range(lowest, lowest + totals))

    # --- what each edition says -------------------------------------------------------------------

    @abstractmethod
    def set_up(self, seats: int, house: grill.HouseRules) -> TableT:
        """Lay out the pieces."""

    @abstractmethod
    def earned(self, table: TableT, seat: int, result: int) -> Ending:
        """Return what a result that has its worm earns."""

    @abstractmethod
    def carry_out(self, state: State[TableT], ending: Ending, log: events.Log) -> State[TableT]:
        """Carry out the ending of the turn, append its events to ``log``, and pass the dice on."""

    @abstractmethod
    def score_sheets(self, table: TableT) -> tuple[ScoreSheet, ...]:
        """Count every player's worms, line by line."""

    # --- what an edition may say differently ------------------------------------------------------

    def bonus(self, table: TableT, seat: int, ending: Ending) -> Bonus | None:
        """Return what ``seat`` would get with the tile of this ending; by default nothing."""
        return None

    def tie_breaks(self, table: TableT) -> tuple[int, ...]:
        """Return each player's tie-break number, 0 for none; by default there are none (J6)."""
        return (0,) * table.seats

    def openings(self, state: State[TableT]) -> tuple[moves.Move, ...]:
        """Return the ways to begin a turn: all dice are thrown (T1)."""
        return ONLY_ROLL

    def may_stop(self, state: State[TableT]) -> bool:
        """Whether the player may end the turn after a keep (T3, C3, B3)."""
        return not self.stop_must_earn or all(self.stops([self.stopping(state)]))

    def stops(self, endings: Sequence[Ending]) -> list[bool]:
        """Return for each of these endings whether a player may stop for it (T3, C3, B3)."""
        return [not (self.stop_must_earn and isinstance(ending, Nothing)) for ending in endings]

    def earned_by_all(self, table: TableT, seat: int, results: range) -> list[Ending]:
        """Return what each of these results earns; an edition may have a quicker way."""
        return [self.earned(table, seat, result) for result in results]

    def result(self, table: TableT, seat: int, total: int, worm: bool) -> int | None:
        """Return the result that counts, or ``None`` if it is worthless (T4).

        Whatever a table adds to the total must not depend on the total.
        """
        return total if worm else None

    def is_over(self, table: TableT) -> bool:
        """Whether no turn can begin at this table; by default a game ends in another way (B9)."""
        return False

    def turn_is_complete(self, turn: Turn) -> bool:
        """Whether the turn ends automatically after a keep (T6, J2)."""
        if not turn.dice_left:
            return True
        return self.all_faces_end_turn and set(turn.kept) == set(self.dice.faces)

    def second_chances(self, state: State[TableT]) -> tuple[moves.Move, ...]:
        """Return the moves other than keeps that a player may make after a throw."""
        return ()

    def kept(self, state: State[TableT], event: events.DiceKept, log: events.Log) -> State[TableT]:
        """Continue after dice were set aside; they are already kept in ``state``."""
        return self.go_on(state, log)

    def dead_throw(self, state: State[TableT], log: events.Log) -> State[TableT]:
        """Continue after a throw of only kept faces: the attempt has failed (T5, J3)."""
        if self.dead_throw_counts:
            return self.end_turn(state, log, stopped=False)
        return self.carry_out(state, NOTHING[WhyNothing.DEAD_THROW], log)

    def special_move(
        self, state: State[TableT], move: moves.SpecialMove, log: events.Log
    ) -> State[TableT]:
        """Carry out a move that exists only in some editions."""
        raise NotImplementedError(f"{self.edition} offers {moves.word(move)} but does not play it")

    # --- positions that are read, not played ------------------------------------------------------

    def phases(self, table: TableT, seat: int, turn: Turn) -> Iterator[Phase]:
        """Yield everything that can come next in a position without dice on the table.

        Where two of them look the same from outside, the first is the one to assume.
        """
        if self.help_is_held(table, seat, turn):
            if not self.is_over(table) and not self.turn_is_complete(turn):
                if turn.kept or turn == Turn(self.dice.count):  # help comes with the first roll
                    yield DECIDING
                yield FALLING
            yield from self.questions(table, seat, turn)
        yield from map(Over, self.end_reasons(table, seat, turn))

    def end_reasons(self, table: TableT, seat: int, turn: Turn) -> Iterator[EndReason]:
        """Yield every reason for which the game can have ended with this turn."""
        if self.is_over(table):
            yield EndReason.GRILL_EMPTY

    def questions(self, table: TableT, seat: int, turn: Turn) -> Iterator[Question]:
        """Yield every question that can be open here; by default there are none."""
        yield from ()

    def help_is_held(self, table: TableT, seat: int, turn: Turn) -> bool:
        """Whether the player still holds the Specialist that helped in this turn, if any did."""
        return True

    # --- steps that editions use ------------------------------------------------------------------

    def go_on(self, state: State[TableT], log: events.Log) -> State[TableT]:
        """Let the player decide, or end the turn if it is complete (T6)."""
        if self.turn_is_complete(state.turn):
            return self.end_turn(state, log, stopped=False)
        if state.phase is DECIDING:
            return state
        return State(state.table, state.seat, state.turn, DECIDING)

    def pass_on(self, table: TableT, seat: int, log: events.Log) -> State[TableT]:
        """Pass the dice from ``seat`` to the next player clockwise (T8)."""
        following = (seat + 1) % table.seats
        log.append(events.TurnStarted(following))
        return State(table, following, Turn(self.dice.count), DECIDING)

    def finish(self, state: State[TableT], table: TableT, log: events.Log) -> State[TableT]:
        """Pass the dice on, unless the game is over (C9, D17, J6)."""
        if self.is_over(table):
            return self.end_game(state, table, EndReason.GRILL_EMPTY, log)
        return self.pass_on(table, state.seat, log)

    def end_game(
        self, state: State[TableT], table: TableT, reason: EndReason, log: events.Log
    ) -> State[TableT]:
        """End the game at ``table``; the last turn stays visible."""
        log.append(events.GameEnded(self.final_count(table, reason)))
        return State(table, state.seat, state.turn, Over(reason))

    # --- the turn ---------------------------------------------------------------------------------

    def _roll(self, state: State[TableT], move: moves.Roll, log: events.Log) -> State[TableT]:
        """Throw all dice in hand (T1, T3)."""
        turn = Turn(state.turn.hand, golden=True) if move.golden else state.turn
        log.append(events.DiceCast(state.seat, turn.hand, turn.golden))
        return State(state.table, state.seat, turn, FALLING)

    def _fall(self, state: State[TableT], throw: moves.Throw, log: events.Log) -> State[TableT]:
        """Let the dice fall; a throw of only kept faces is dead (T5)."""
        turn = state.turn
        if not isinstance(state.phase, Falling) or not self._can_fall(turn, throw):
            raise self._illegal(state, throw)
        log.append(events.DiceFell(state.seat, throw.dice, throw.golden))
        after = State(state.table, state.seat, turn, throw)
        if pickable(turn.kept, throw.dice, throw.golden):
            return after
        log.append(events.ThrowWasDead(state.seat))
        return self.dead_throw(after, log)

    def _can_fall(self, turn: Turn, throw: moves.Throw) -> bool:
        if throw.dice not in throws_of(self.dice, turn.hand):
            return False
        return throw.golden in GOLDEN_FACES if turn.golden else throw.golden is None

    def _keep(self, state: State[TableT], move: moves.Keep, log: events.Log) -> State[TableT]:
        """Set aside all dice of the face (T2)."""
        throw = state.phase
        assert isinstance(throw, moves.Throw), "legal() offers a keep only after a throw"
        before, turn = state.turn, self.turn_after(state.turn, throw, move)
        event = events.DiceKept(
            state.seat,
            move.face,
            len(turn.kept) - len(before.kept),
            before.golden and not turn.golden,
            turn.total,
            turn.hand + turn.golden,
        )
        log.append(event)
        return self.kept(State(state.table, state.seat, turn, DECIDING), event, log)

    def end_turn(self, state: State[TableT], log: events.Log, *, stopped: bool) -> State[TableT]:
        """Compute the result and carry out what it earns."""
        log.append(events.TurnEnded(state.seat, state.turn.total, stopped))
        return self.carry_out(state, self.stopping(state), log)

    def _illegal(self, state: State[TableT], move: moves.Move) -> moves.IllegalMove:
        moves.require_move(move)  # only here: a legal move needs no check
        legal = tuple(moves.word(other) for other in self.legal(state))
        return moves.IllegalMove(moves.word(move), why_not(state, move), legal)


def _answers(question: Question) -> tuple[moves.Move, ...]:
    match question:
        case RobQuestion(victims):
            return tuple(map(moves.Rob, victims))
        case PinchQuestion(_, victims):
            return tuple(map(moves.Pinch, victims))
        case ReturnQuestion(held, received):
            return (moves.Return(held), moves.Return(received))
        case _:
            assert_never(question)
