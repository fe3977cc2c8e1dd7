"""A turn at a table, in terms of the rules, and the interface of what its endings are worth.

The effects of the endings come from the rules (`Game.ending`, `Deluxe.with_bratworm`); their
values come from a `Value`. Neither is restated here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from heckmeck.rules import AnyGame, AnyState, Ending, Move, Table, game_at
from heckmeck.rules.deluxe import Deluxe, DeluxeTable
from heckmeck.rules.endings import NOTHING, WhyNothing
from heckmeck.rules.moves import REROLL, ROLL_GOLDEN, Throw
from heckmeck.rules.state import DECIDING, PinchQuestion, ReturnQuestion, RobQuestion, State
from heckmeck.rules.turn import Turn
from heckmeck.solver.tables import bratworm_faces, start, state_of, totals_of
from heckmeck.wire.coach import Unit

if TYPE_CHECKING:
    from heckmeck.solver.kernel import Floats
    from heckmeck.solver.solution import EndValues

FAILURE: Final = NOTHING[WhyNothing.DEAD_THROW]
QUESTIONS: Final = (PinchQuestion, ReturnQuestion, RobQuestion)


class TurnKind(NamedTuple):
    """What turns of a game must have in common to be solved in one batch."""

    layers: int
    weasel: bool = False
    golden: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A turn to be solved: the table, the seat, and what that player may use.

    Values are relative to the table ``start``. ``tables`` are the layers of the turn: the current
    table, then the tables that a Bratworm for a double 1 can lead to.
    """

    game: AnyGame
    seat: int
    start: Table
    tables: tuple[Table, ...]
    weasel: bool = False
    golden: bool = False

    @property
    def kind(self) -> TurnKind:
        """The kind of the turn."""
        return TurnKind(len(self.tables), self.weasel, self.golden)


class Value(ABC):
    """What tables are worth to the player whose turn it is."""

    unit: Unit
    """The unit of the values: ``worms``, or ``win`` for the chance to win."""

    @abstractmethod
    def ends(self, positions: Sequence[Position]) -> EndValues:
        """Return the values of the ends of turns of one kind, for one game and number of seats."""

    @abstractmethod
    def answer(self, state: AnyState, move: Move) -> float:
        """Return the value of answering the question in ``state``, which ends the turn."""

    def answers(self, asked: Sequence[tuple[AnyState, Move]]) -> Sequence[float]:
        """Return the values of many answers, as `answer` does; at once is quicker for some."""
        return [self.answer(state, move) for state, move in asked]

    @property
    def nearer(self) -> Value:
        """The value that decides whom to rob within a turn; one that looks less far is quicker."""
        return self

    def narrowed(self, positions: Sequence[Position]) -> Sequence[Position]:
        """Return turns of one kind without the robberies that this value does not consider."""
        return positions


class SeatValue(Value):
    """A value that knows what tables are worth to every seat, so that games can be judged by it."""

    name: str
    """What it is called in reports: always the same for the same values, and only then."""
    total: float
    """The sum of the values of a table for two over both seats."""

    @property
    def nearer(self) -> SeatValue:
        """See `Value`."""
        return self

    @abstractmethod
    def ends_by_seat(self, positions: Sequence[Position]) -> Floats:
        """Return [position, layer, end, seat]: the values of the ends of turns, for every seat.

        The turns are of one kind, as for `ends`; the ends are in the order of `ends_of`.
        """

    @abstractmethod
    def answer_by_seat(self, state: AnyState, move: Move) -> Floats:
        """Return [seat]: the values of answering the question in ``state``, for every seat."""


class EndingValue(Value):
    """A value that looks at one ending at a time, as the rules describe it."""

    @abstractmethod
    def endings(
        self, start: Table, table: Table, seat: int, endings: Sequence[Ending]
    ) -> Sequence[float]:
        """Return the value of each of these endings of ``seat``'s turn, relative to ``start``.

        ``table`` differs from it if a Bratworm was earned since. There is an ending for every
        total, so most of them appear several times, often as the same object.
        """

    def ends(self, positions: Sequence[Position]) -> EndValues:
        """Return the values of the ends of turns, ending by ending."""
        from heckmeck.solver.solution import ends_by_rules

        return ends_by_rules(positions, self)


def may_earn_bratworm(state: AnyState) -> bool:
    """Whether a keep in the rest of the turn can earn a Bratworm, as far as the dice decide."""
    game = game_at(state.table)
    return game.double_one_pays and not state_of(game, state.turn).kept & bratworm_faces(game)


def position_of(state: AnyState) -> Position:
    """Return the position of the turn in progress in ``state``."""
    table, seat, game = state.table, state.seat, game_at(state.table)
    layers: tuple[Table, ...] = ()
    if isinstance(game, Deluxe) and isinstance(table, DeluxeTable) and may_earn_bratworm(state):
        layers = game.with_bratworm(table, seat)
    turn, throw = _first_throw(game)
    return Position(
        game,
        seat,
        table,
        (table, *layers),
        weasel=REROLL in game.second_chances(State(table, seat, turn, throw)),
        golden=ROLL_GOLDEN in game.openings(State(table, seat, turn, DECIDING)),
    )


@cache
def _first_throw(game: AnyGame) -> tuple[Turn, Throw]:
    """Return a turn that has just begun, and a throw."""
    return start(game), Throw(game.dice.worm)


def robbed(state: AnyState) -> list[Position]:
    """Return where a turn continues after each possible robbery for a double 1."""
    here = position_of(replace(state, turn=Turn(state.turn.hand)))
    return [replace(here, tables=(table,)) for table in here.tables[1:]]


def after(game: AnyGame, table: Table, seat: int, ending: Ending) -> list[AnyState]:
    """Return every state that this ending of ``seat``'s turn can lead to."""
    # The dice behind the ending no longer matter, only that there is a worm.
    turn = Turn(game.dice.count - 1, game.dice.worm, game.dice.points_for(game.dice.worm))
    state = game.carry_out(State(table, seat, turn, DECIDING), ending, [])
    if not isinstance(state.phase, QUESTIONS):
        return [state]
    return [game.apply(state, answer).state for answer in game.legal(state)]


def endings_at(position: Position, layer: int) -> tuple[list[Ending], list[Ending]]:
    """Return what ending the turn would do, for each total: without a worm, and with one."""
    game, seat, table = position.game, position.seat, position.tables[layer]
    totals = totals_of(game)
    return game.endings(table, seat, totals, False), game.endings(table, seat, totals, True)


def ends_of(position: Position, layer: int) -> list[Ending]:
    """Return all ends of the turn: a dead throw, each total without a worm, each with one."""
    without, with_worm = endings_at(position, layer)
    return [FAILURE, *without, *with_worm]
