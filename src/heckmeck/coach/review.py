"""The review of a game: what each decision cost, and how lucky each throw was.

A decision costs the worth of the best move less that of the move made. The luck of a throw is the
worth of the turn after it less the worth of throwing before it; over many throws it averages out.
If a champion has learned the game, worth is the chance to win, and the review includes every
player's chance at every moment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from heckmeck.bots.champion.win import WinChance
from heckmeck.coach.chances import Chances
from heckmeck.coach.evaluators import evaluator_for
from heckmeck.coach.units import Unit
from heckmeck.record import JsonObject, Record, Step, replay
from heckmeck.rules import AnyState, Move, word
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import Deciding, State
from heckmeck.solver import Evaluator
from heckmeck.solver.solved import MoveWorth, SolvedTurn, solve, weigh


@dataclass(frozen=True, slots=True)
class Decision:
    """A move that was chosen, with all alternatives, best first."""

    index: int
    seat: int
    move: Move
    choices: tuple[MoveWorth, ...]

    @property
    def loss(self) -> float:
        """The cost of the choice: 0 for the best."""
        chosen = next(choice for choice in self.choices if choice.move == self.move)
        return self.choices[0].worth - chosen.worth


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of a throw: its worth compared with the worth of throwing."""

    index: int
    seat: int
    luck: float


@dataclass(frozen=True, slots=True)
class Review:
    """All decisions with a choice and all throws of a game, in order.

    ``chances``: every player's chance to win before the first move and after each, by seat;
    ``None`` if worth is not the chance to win.
    """

    unit: str
    seats: int
    decisions: tuple[Decision, ...]
    throws: tuple[Luck, ...]
    chances: tuple[tuple[float, ...], ...] | None = None

    def loss(self, seat: int) -> float:
        """Return the total cost of a player's decisions."""
        return fsum(decision.loss for decision in self.decisions if decision.seat == seat)

    def luck(self, seat: int) -> float:
        """Return the total luck of a player."""
        return fsum(throw.luck for throw in self.throws if throw.seat == seat)

    def to_json(self) -> JsonObject:
        """Return the review as JSON data."""
        return {
            "unit": self.unit,
            "players": [
                {"loss": self.loss(seat), "luck": self.luck(seat)} for seat in range(self.seats)
            ],
            "decisions": [_decision_to_json(decision) for decision in self.decisions],
            "throws": [
                {"index": throw.index, "seat": throw.seat, "luck": throw.luck}
                for throw in self.throws
            ],
            "chances": None if self.chances is None else [[*each] for each in self.chances],
        }


def _decision_to_json(decision: Decision) -> JsonObject:
    return {
        "index": decision.index,
        "seat": decision.seat,
        "move": word(decision.move),
        "loss": decision.loss,
        "choices": [
            {"move": word(move), "worth": worth, "fail": fail}
            for move, worth, fail in decision.choices
        ],
    }


def review(record: Record, unit: Unit | None = None) -> Review:
    """Review a recorded game; raise `BadRecord` if it breaks a rule.

    ``unit`` is as for `heckmeck.coach.advice.advise`.
    """
    state = record.start()
    evaluator = evaluator_for(state.table, unit)
    reviewer = _Reviewer(evaluator)
    states = [state]
    for step in replay(record):
        reviewer.look_at(state, step)
        state = step.state
        states.append(state)
    return Review(
        evaluator.unit,
        len(record.seats),
        tuple(reviewer.decisions),
        tuple(reviewer.throws),
        _chances(evaluator, states),
    )


def _chances(
    evaluator: Evaluator, states: Sequence[AnyState]
) -> tuple[tuple[float, ...], ...] | None:
    if not isinstance(evaluator, WinChance):
        return None
    chances = Chances(evaluator)
    return tuple(chances.at(state) for state in states)


class _Reviewer:
    """Collects decisions and luck, solving each turn once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.decisions: list[Decision] = []
        self.throws: list[Luck] = []
        self._turn: SolvedTurn | None = None
        self._worth_of_throwing = 0.0

    def look_at(self, state: AnyState, step: Step) -> None:
        """Review one step from ``state``."""
        if isinstance(step.move, Throw):
            self._look_at_throw(state, step.index, step.move)
            return
        choices = tuple(self._choices(state))
        if len(choices) > 1:
            self.decisions.append(Decision(step.index, state.seat, step.move, choices))
        self._worth_of_throwing = next(
            choice.worth for choice in choices if choice.move == step.move
        )

    def _look_at_throw(self, state: AnyState, index: int, throw: Throw) -> None:
        thrown = State(state.table, state.seat, state.turn, throw)
        worth = max(self._solved(state).worths(thrown).values())
        self.throws.append(Luck(index, state.seat, worth - self._worth_of_throwing))

    def _choices(self, state: AnyState) -> list[MoveWorth]:
        if isinstance(state.phase, Deciding | Throw):
            return self._solved(state).weighed(state)
        return weigh(state, self.evaluator)

    def _solved(self, state: AnyState) -> SolvedTurn:
        turn = self._turn
        if (
            turn is None
            or turn.position.start is not state.table
            or turn.position.seat != state.seat
        ):
            turn = self._turn = solve(state, self.evaluator)
        return turn
