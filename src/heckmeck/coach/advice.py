"""Advice for a position: every legal move with its worth and its risk."""

from dataclasses import dataclass

from heckmeck.bots.worms import WormSwing
from heckmeck.record import JsonObject
from heckmeck.rules import AnyState, word
from heckmeck.solver.solved import MoveWorth, weigh


@dataclass(frozen=True, slots=True)
class Advice:
    """Every legal move, best first; ``unit`` says what worth is measured in."""

    unit: str
    moves: tuple[MoveWorth, ...]

    def to_json(self) -> JsonObject:
        """Return the advice as the engine protocol has it."""
        return {
            "unit": self.unit,
            "moves": [
                {"move": word(move), "worth": worth, "fail": fail}
                for move, worth, fail in self.moves
            ],
        }


def advise(state: AnyState) -> Advice:
    """Weigh every legal move of a state in which a player is awaited."""
    evaluator = WormSwing()
    return Advice(evaluator.unit, tuple(weigh(state, evaluator)))
