"""A solved turn: the value of every legal move at any point, and how the turn will end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Final, NamedTuple

from heckmeck.rules import AnyState, Ending, Move, legal, word
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import BUST, KEEP, REROLL, ROLL, ROLL_GOLDEN, STOP, Throw
from heckmeck.rules.state import DECIDING, Deciding, RobQuestion, State
from heckmeck.rules.turn import Turn
from heckmeck.solver import policy
from heckmeck.solver.positions import FAILURE, Evaluator, Position, endings_at, position_of
from heckmeck.solver.solution import Choice, Kind, Point, Solution, Thrown, solve_batch
from heckmeck.solver.tables import State as TurnPoint
from heckmeck.solver.tables import TurnShape
from heckmeck.solver.worths import stacked, worths_of

PLAIN_MOVES: Final[dict[Kind, Move]] = {
    Kind.STOP: STOP,
    Kind.ROLL: ROLL,
    Kind.ROLL_GOLDEN: ROLL_GOLDEN,
    Kind.BUST: BUST,
    Kind.REROLL: REROLL,
}


class MoveWorth(NamedTuple):
    """A legal move, its worth by best play, and the chance that the turn then brings nothing."""

    move: Move
    worth: float
    fail: float


@dataclass(frozen=True, slots=True, eq=False)
class SolvedTurn:
    """The solution of a turn in terms of the rules."""

    position: Position
    solution: Solution

    def worths(self, state: AnyState) -> dict[Move, float]:
        """Return every legal move at a point in this turn with its worth."""
        return {self._move(choice): choice.worth for choice in self._choices(state)}

    def best_move(self, state: AnyState) -> Move:
        """Return the best move at a point in this turn."""
        throw = state.phase if isinstance(state.phase, Throw) else None
        weasel = self.position.weasel and not state.turn.weasel_used
        return policy.best_move(self.solution, state.turn, throw, weasel)

    def worth_at(self, turn: Turn) -> float:
        """Return the worth of a point of the turn by best play: before a throw, or at its end."""
        return self.solution.worth_at(point_of(self.position.shape, turn, self.position.weasel))

    def weighed(self, state: AnyState) -> list[MoveWorth]:
        """Return every legal move with its worth and risk, best first."""
        weighed = []
        for choice in self._choices(state):
            chances = self._chances(choice)
            nothing = fsum(p for ending, p in chances.items() if isinstance(ending, Nothing))
            weighed.append(MoveWorth(self._move(choice), choice.worth, min(nothing, 1.0)))
        return sorted(weighed, key=lambda item: -item.worth)

    def endings(self, state: AnyState, move: Move) -> dict[Ending, float]:
        """Return the endings of the turn after ``move`` by best play, each with its chance."""
        for choice in self._choices(state):
            if self._move(choice) == move:
                return self._chances(choice)
        raise ValueError(f"{word(move)} is not legal here")

    def _choices(self, state: AnyState) -> list[Choice]:
        shape, throw = self.position.shape, state.phase
        point = point_of(shape, state.turn, self.position.weasel)
        thrown = thrown_of(shape, throw) if isinstance(throw, Throw) else None
        return self.solution.choices(point, thrown)

    def _move(self, choice: Choice) -> Move:
        if choice.face is not None:
            return KEEP[self.position.shape.faces[choice.face]]
        return PLAIN_MOVES[choice.kind]

    def _chances(self, choice: Choice) -> dict[Ending, float]:
        """Sum the kernel's chances by the effects of the ends."""
        ends = self.solution.endings(choice)
        chances: dict[Ending, float] = {}
        for layer in range(len(self.position.tables)):
            _add(chances, FAILURE, float(ends.fail[layer]))
            for worm, endings in enumerate(endings_at(self.position, layer)):
                for ending, chance in zip(endings, ends.stop[layer, worm], strict=True):
                    _add(chances, ending, float(chance))
        return chances


def point_of(shape: TurnShape, turn: Turn, weasel: bool) -> Point:
    """Return the point of the player's turn; ``weasel``: it is held, used this turn or not."""
    kept = sum(1 << shape.faces.index(face) for face in set(turn.kept))
    at = TurnPoint(kept, turn.hand, turn.golden, turn.total)
    return Point(at, 0, weasel and not turn.weasel_used)


def thrown_of(shape: TurnShape, throw: Throw) -> Thrown:
    """Return a throw as the number of dice by face."""
    golden = None if throw.golden is None else shape.faces.index(throw.golden)
    return Thrown(tuple(map(throw.dice.count, shape.faces)), golden)


def _add(chances: dict[Ending, float], ending: Ending, chance: float) -> None:
    if chance:
        chances[ending] = chances.get(ending, 0.0) + chance


def solve(state: AnyState, evaluator: Evaluator) -> SolvedTurn:
    """Solve the turn in progress in ``state``."""
    return solve_all([position_of(state)], evaluator)[0]


def solve_all(positions: Sequence[Position], evaluator: Evaluator) -> list[SolvedTurn]:
    """Solve many turns, those of one kind in one batch."""
    groups: dict[tuple[str, int, bool, bool], list[int]] = {}
    for index, position in enumerate(positions):
        groups.setdefault(position.kind, []).append(index)
    solved: dict[int, SolvedTurn] = {}
    for indices in groups.values():
        first = positions[indices[0]]
        worths = stacked([worths_of(positions[index], evaluator) for index in indices])
        solutions = solve_batch(first.shape, worths, weasel=first.weasel, golden=first.golden)
        for index, solution in zip(indices, solutions, strict=True):
            solved[index] = SolvedTurn(positions[index], solution)
    return [solved[index] for index in range(len(positions))]


def weigh(state: AnyState, evaluator: Evaluator) -> list[MoveWorth]:
    """Return every legal move of ``state`` with its worth and risk, best first.

    The evaluator values the answers to a question that ends the turn; after a Bratworm robbed for
    a double 1 the turn continues.
    """
    match state.phase:
        case Deciding() | Throw():
            return solve(state, evaluator).weighed(state)
        case RobQuestion(for_raven=False):
            answers = _weigh_robbing(state, evaluator)
        case _:
            answers = [MoveWorth(move, evaluator.answer(state, move), 0.0) for move in legal(state)]
    return sorted(answers, key=lambda item: -item.worth)


def robbed(state: AnyState) -> list[Position]:
    """Return where a turn continues after each possible robbery for a double 1."""
    here = position_of(replace(state, turn=Turn(state.turn.hand)))
    return [replace(here, tables=(table,)) for table in here.tables[1:]]


def _weigh_robbing(state: AnyState, evaluator: Evaluator) -> list[MoveWorth]:
    """Weigh robbing each player in the middle of a turn."""
    return [
        _rob(state, move, solved)
        for move, solved in zip(legal(state), solve_all(robbed(state), evaluator), strict=True)
    ]


def _rob(state: AnyState, move: Move, solved: SolvedTurn) -> MoveWorth:
    """Weigh robbing one player, after which the turn is the one that was solved."""
    here = solved.position
    (table,) = here.tables
    if here.game.turn_is_complete(state.turn):
        worm = here.game.dice.worm in state.turn.kept
        ending = here.game.ending(table, state.seat, state.turn.total, worm)
        return MoveWorth(move, solved.worth_at(state.turn), float(isinstance(ending, Nothing)))
    going_on = State(table, state.seat, state.turn, DECIDING)
    next_move = solved.weighed(going_on)[0]
    return MoveWorth(move, next_move.worth, next_move.fail)
