"""Advice for a position: every legal move with its worth and its risk."""

from dataclasses import dataclass

from heckmeck.coach.evaluators import evaluator_for
from heckmeck.coach.turns import TurnSetup, state_of
from heckmeck.coach.units import Unit
from heckmeck.record import JsonObject
from heckmeck.rules import AnyState, game_at, legal, word
from heckmeck.solver.solved import MoveWorth, weigh


@dataclass(frozen=True, slots=True)
class Advice:
    """Every legal move, best first; ``unit`` says how worth is measured."""

    unit: str
    moves: tuple[MoveWorth, ...]

    def to_json(self) -> JsonObject:
        """Return the advice in the format of the engine protocol."""
        return {
            "unit": self.unit,
            "moves": [
                {"move": word(move), "worth": worth, "fail": fail}
                for move, worth, fail in self.moves
            ],
        }


def advise(state: AnyState, unit: Unit | None = None) -> Advice:
    """Weigh every legal move of a state in which a player has to decide.

    Worth is the chance to win if a champion has learned it, otherwise worms; ``unit`` asks for one
    of the two, and `NoChampion` is raised if it is not available.
    """
    evaluator = evaluator_for(state.table, unit)
    return Advice(evaluator.unit, tuple(weigh(state, evaluator)))


def advise_turn(setup: TurnSetup, unit: Unit | None = None) -> Advice:
    """Weigh the moves of a turn that is described; none if it is over.

    The turn is the first of a game for two. Raise `BadTurn` if it is not possible; ``unit`` is as
    for `advise`.
    """
    state = state_of(setup)
    if game_at(state.table).turn_is_complete(state.turn) or not legal(state):
        return Advice(evaluator_for(state.table, unit).unit, ())
    return advise(state, unit)
