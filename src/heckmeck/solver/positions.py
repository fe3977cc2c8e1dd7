"""A turn at a table, in the terms of the rules.

What the ends of the turn do comes from the rules (`Game.ending`, `Deluxe.with_bratworm`); what
they are worth comes from an `Evaluator`. Nothing of either is restated here.
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
    """Says what the ways a turn can end are worth to the player whose turn it is.

    ``unit`` says what worth is measured in: ``worms``, or ``win`` for the chance to win.
    """

    @property
    def unit(self) -> str:
        """What worth is measured in."""
        ...

    def endings(
        self, start: Table, table: Table, seat: int, endings: Sequence[Ending]
    ) -> Sequence[float]:
        """Return the worth of each of these ends of ``seat``'s turn.

        The turn began (or is looked at) at ``start``; a Bratworm earned since makes ``table``.
        There is an ending for every total, so most of them come several times, often as the same
        object.
        """
        ...

    def answer(self, state: AnyState, move: Move) -> float:
        """Return the worth of answering the question that ``state`` asks with ``move``."""
        ...


@dataclass(frozen=True, slots=True)
class Position:
    """Where a turn is played: the table, whose turn, and what that player may use in it.

    Worth is measured against the table ``start``. ``tables`` are the layers of the turn: the
    table as it is, then the tables that a Bratworm for a double 1 can lead to.
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
    """Return the position of the turn that is under way in ``state``."""
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
    """Return every state that this end of ``seat``'s turn can lead to, by the player's choice."""
    # Which dice brought the ending does not matter any more, only that it has its worm.
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
