"""A turn at a table, in terms of the rules.

The effects of the endings come from the rules (`Game.ending`, `Deluxe.with_bratworm`); their
values come from an `Evaluator`. Neither is restated here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from heckmeck.rules import AnyGame, AnyState, Ending, Move, Specialist, Table, game_at
from heckmeck.rules.deluxe import Deluxe, DeluxeTable
from heckmeck.rules.endings import NOTHING, WhyNothing
from heckmeck.rules.state import DECIDING, PinchQuestion, ReturnQuestion, RobQuestion, State
from heckmeck.rules.turn import Turn
from heckmeck.solver.shapes import shape_of
from heckmeck.solver.tables import TurnShape

FAILURE: Final = NOTHING[WhyNothing.DEAD_THROW]


class Evaluator(Protocol):
    """Gives the values of the endings of a turn for the player whose turn it is.

    ``unit`` is the unit of these values: ``worms``, or ``win`` for the chance to win.
    """

    @property
    def unit(self) -> str:
        """The unit of the values."""
        ...

    def endings(
        self, start: Table, table: Table, seat: int, endings: Sequence[Ending]
    ) -> Sequence[float]:
        """Return the value of each of these endings of ``seat``'s turn.

        Values are relative to ``start``; ``table`` differs from it if a Bratworm was earned since.
        There is an ending for every total, so most of them appear several times, often as the same
        object.
        """
        ...

    def answer(self, state: AnyState, move: Move) -> float:
        """Return the value of answering the question in ``state`` with ``move``."""
        ...


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
    weasel: bool
    golden: bool

    @property
    def shape(self) -> TurnShape:
        """The shape of the turn."""
        return shape_of(self.game)

    @property
    def kind(self) -> tuple[str, int, bool, bool]:
        """What positions must have in common to be solved in one batch."""
        return (self.game.edition, len(self.tables), self.weasel, self.golden)


def position_of(state: AnyState) -> Position:
    """Return the position of the turn in progress in ``state``."""
    table, seat, game = state.table, state.seat, game_at(state.table)
    if not isinstance(table, DeluxeTable) or not isinstance(game, Deluxe):
        return Position(game, seat, table, (table,), weasel=False, golden=False)
    ones_are_kept = "1" in state.turn.kept
    layers = () if ones_are_kept else game.with_bratworm(table, seat)
    held = table.held[seat]
    return Position(
        game,
        seat,
        table,
        (table, *layers),
        weasel=held is Specialist.WEASEL,
        golden=held is Specialist.GOLDEN,
    )


def after(game: AnyGame, table: Table, seat: int, ending: Ending) -> list[AnyState]:
    """Return every state that this ending of ``seat``'s turn can lead to."""
    # The dice behind the ending no longer matter, only that there is a worm.
    turn = Turn(game.dice.count - 1, game.dice.worm, game.dice.points_for(game.dice.worm))
    state = game.carry_out(State(table, seat, turn, DECIDING), ending, [])
    if not isinstance(state.phase, RobQuestion | ReturnQuestion | PinchQuestion):
        return [state]
    return [game.apply(state, answer).state for answer in game.legal(state)]


def endings_at(position: Position, layer: int) -> tuple[list[Ending], list[Ending]]:
    """Return what ending the turn would do, for each total: without a worm, and with one."""
    game, seat, table = position.game, position.seat, position.tables[layer]
    totals = position.shape.totals
    return game.endings(table, seat, totals, False), game.endings(table, seat, totals, True)
