"""Why a move is better than another: what gets likelier, what it risks, and what failing costs.

Both moves are followed by best play to the end of the turn, so the chances of its endings are exact
(`heckmeck.solver`). Of everything that can be said about the endings (*25 or better*, *a Bratworm*)
the reason names what explains most of the difference in value. If an outcome becomes likelier by d,
and is worth w more than the other endings on average, it explains d · w.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from heckmeck.coach import figures
from heckmeck.rules import (
    AnyGame,
    AnyState,
    Bonus,
    Ending,
    Move,
    Specialist,
    Table,
    game_at,
    parse,
    word,
)
from heckmeck.rules import endings as end
from heckmeck.rules import events as happened
from heckmeck.rules.moves import STOP, Throw
from heckmeck.rules.state import DECIDING, RobQuestion, State
from heckmeck.solver.kernel import Floats
from heckmeck.solver.positions import FAILURE, QUESTIONS, SeatValue
from heckmeck.solver.solution import EndValues, SolvedTurn, best, solve_batch
from heckmeck.values.course import answers_by_seat
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.wire.coach import (
    Both,
    FailureCost,
    Outcome,
    OutcomeKind,
    Reason,
    Size,
    Target,
    Unit,
    WeighedMove,
)

#: Smaller differences in value are not shown, by unit.
SHOWN: Final[dict[Unit, float]] = {"win": 0.001, "worms": 0.01}
#: An outcome that explains a smaller part of the difference is not a reason.
LEAST_PART: Final = 0.05
#: Targets less likely than this are not listed.
LEAST_CHANCE: Final = 0.005
ROUNDING: Final = 1e-12


def reasons(state: AnyState, moves: Sequence[WeighedMove], memo: TurnMemo) -> list[Reason]:
    """Return why the first of these moves is better than each other one.

    They are all moves of ``state`` as ``memo`` weighs them, whose value is a `SeatValue`.
    """
    return [reason(state, moves[0], other, memo) for other in moves[1:]]


def reason(state: AnyState, better: WeighedMove, other: WeighedMove, memo: TurnMemo) -> Reason:
    """Return why a move of ``state`` is better than another; see `reasons`."""
    if isinstance(state.phase, QUESTIONS):
        return _answer(state, better, other, memo)
    turn = _ends_of(memo.solved([state])[0])
    course = {each.move: turn.course(state, parse(each.move)) for each in (better, other)}
    chance, sure = None, None
    if (stop := word(STOP)) in course:
        sure = outcome_of(game_at(state.table).stopping(state))
        (rolling,) = (each for move, each in course.items() if move != stop)
        outcome = turn.instead(rolling, course[stop])
    else:
        outcome = turn.explanation(course[better.move], course[other.move])
    if outcome is not None:
        chance = Both(*(turn.chance(outcome, each) for each in course.values()))
    return Reason(
        better.move,
        other.move,
        _size(better.worth - other.worth, memo.value.unit),
        Both(better.worth, other.worth),
        Both(better.fail, other.fail),
        outcome,
        chance,
        sure,
        failure_cost(state),
    )


def _size(difference: float, unit: Unit) -> Size:
    if difference < SHOWN[unit]:
        return "equal"
    return "clear" if figures.counts(difference, 0.0, unit) else "small"


def _answer(state: AnyState, better: WeighedMove, other: WeighedMove, memo: TurnMemo) -> Reason:
    """Return why an answer to a question is better: how likely the player who loses is to win."""
    value, move = memo.value, parse(better.move)
    outcome, chance = None, None
    victim = getattr(move, "victim", None)
    if victim is not None and value.unit == "win":
        assert isinstance(value, SeatValue), "chances to win are known for every seat"
        after = {word(each): worth[victim] for each, worth in answers_by_seat(state, value)}
        outcome = Outcome("rival", seat=victim)
        chance = Both(float(after[better.move]), float(after[other.move]))
    in_turn = isinstance(state.phase, RobQuestion) and not state.phase.for_raven
    return Reason(
        better.move,
        other.move,
        _size(better.worth - other.worth, value.unit),
        Both(better.worth, other.worth),
        Both(better.fail, other.fail),
        outcome,
        chance,
        cost=failure_cost(state) if in_turn else None,
    )


# ------------------------------------------------------------------------------ outcomes


def outcome_of(ending: Ending) -> Outcome:
    """Return an ending as an outcome."""
    match ending:
        case end.TakeTile(tile):
            return Outcome("take", tile)
        case end.StealTile(tile, victim):
            return Outcome("steal", tile, victim)
        case end.StealHen(tile, victim):
            return Outcome("hen", tile, victim)
        case end.PinchTile(tile, victims):
            return Outcome("pinch", tile, victims[0] if len(victims) == 1 else None)
        case end.OccupySpot(spot):
            return Outcome("plate", spot)
        case end.StealSpot(spot, victim):
            return Outcome("steal_spot", spot, victim)
        case end.CloseSpot(spot):
            return Outcome("close", spot)
        case end.TakeSnail():
            return Outcome("snail")
        case end.EndGame():
            return Outcome("end_game")
        case end.Nothing():
            return Outcome("nothing")


#: The kinds that *n or better* sums up.
SUMMED: Final[dict[OutcomeKind, tuple[OutcomeKind, ...]]] = {
    "tiles": ("take", "steal", "pinch"),
    "spots": ("plate", "steal_spot", "close"),
}


class _End(NamedTuple):
    """An end of a turn, and what else can be said of it."""

    outcome: Outcome
    gained: Specialist | None
    bratworm: bool

    def holds(self, said: Outcome) -> bool:
        """Whether an outcome has come true at this end."""
        own = self.outcome
        match said.kind:
            case "tiles" | "spots":
                return own.kind in SUMMED[said.kind] and (own.number or 0) >= (said.number or 0)
            case "specialist":
                return self.gained is said.specialist
            case "bratworm":
                return self.bratworm
            case _:
                return own == said


def _end(game: AnyGame, table: Table, seat: int, ending: Ending, earlier: bool) -> _End:
    """Return an ending of a turn; ``earlier``: a Bratworm was earned before it."""
    outcome, bonus = outcome_of(ending), game.bonus(table, seat, ending)
    if bonus is Bonus.BRATWORM:
        return _End(outcome, None, True)
    if outcome.kind == "hen":
        return _End(outcome, Specialist.HEN, earlier)
    return _End(outcome, None if bonus is None else Specialist(bonus), earlier)


def _ends(turn: SolvedTurn) -> list[_End]:
    """Return all ends of a turn, layer by layer, in the order of `positions.ends_of`."""
    found, position = list[_End](), turn.position
    for layer, (table, by_worm) in enumerate(zip(position.tables, turn.all_endings(), strict=True)):
        endings = [FAILURE, *chain(*by_worm)]
        known = {
            id(each): _end(position.game, table, position.seat, each, layer > 0)
            for each in {id(each): each for each in endings}.values()
        }
        found += [known[id(each)] for each in endings]
    return found


def _sayable(ends: Iterable[_End]) -> Iterator[Outcome]:
    """Yield everything that can be said of these ends, the most specific first."""
    single = {each.outcome for each in ends if each.outcome.kind != "nothing"}
    yield from sorted(single, key=_order)
    guests = {each.gained for each in ends if each.gained is not None}
    yield from (Outcome("specialist", specialist=each) for each in sorted(guests))
    if any(each.bratworm for each in ends):
        yield Outcome("bratworm")
    for kind, summed in SUMMED.items():
        numbers = {each.number for each in single if each.kind in summed and each.number}
        yield from (Outcome(kind, number) for number in sorted(numbers))


def _order(outcome: Outcome) -> tuple[int, str, int]:
    return outcome.number or 0, outcome.kind, outcome.seat or 0


class _Course(NamedTuple):
    """How a turn goes on after a move: by kind of end, how likely it is, and chance times value."""

    chance: Floats
    worth: Floats


class _TurnEnds:
    """The ends of a solved turn, by kind, and everything that can be said of them."""

    def __init__(self, turn: SolvedTurn) -> None:
        self._turn, self._values = turn, turn.solution.end_values().ravel()
        ends = _ends(turn)
        kinds = {each: number for number, each in enumerate(dict.fromkeys(ends))}
        self._kind = np.array([kinds[each] for each in ends])
        self._outcomes = [*_sayable(kinds)]
        self._something = np.array([each.outcome.kind != "nothing" for each in kinds])
        said = [[each.holds(outcome) for each in kinds] for outcome in self._outcomes]
        self._holds = np.array(said, np.float64).reshape(len(said), len(kinds))
        """[outcome, kind of end]: 1 if the outcome has come true."""

    def course(self, state: AnyState, move: Move) -> _Course:
        """Return how the turn goes on after a move, by best play."""
        choice = next(each for each in self._turn.choices(state) if each.move == move)
        chances = self._turn.end_chances(choice).ravel()
        return _Course(self._by_kind(chances), self._by_kind(chances * self._values))

    def _by_kind(self, by_end: Floats) -> Floats:
        sums = np.zeros(len(self._something))
        np.add.at(sums, self._kind, by_end)
        return sums

    def _sums(self, by_kind: Floats) -> Floats:
        """Return [outcome]: the sums over the ends at which it has come true."""
        sums: Floats = (self._holds * by_kind).sum(axis=1)
        return sums

    def chance(self, outcome: Outcome, course: _Course) -> float:
        """Return the chance of an outcome."""
        return min(float(self._sums(course.chance)[self._outcomes.index(outcome)]), 1.0)

    def explanation(self, better: _Course, other: _Course) -> Outcome | None:
        """Return what explains most of the difference between two moves."""
        chance, worth = (better.chance + other.chance) / 2, (better.worth + other.worth) / 2
        share, value = self._sums(chance), self._sums(worth)
        rest, rest_value = 1.0 - share, worth.sum() - value
        partly = (share > ROUNDING) & (rest > ROUNDING)
        apart = np.divide(value, share, out=np.zeros_like(value), where=partly)
        apart -= np.divide(rest_value, rest, out=np.zeros_like(value), where=partly)
        explained = self._sums(better.chance - other.chance) * apart
        difference = float(better.worth.sum() - other.worth.sum())
        # Failing less is said anyway.
        not_failing = (self._holds == self._something)[:, chance > 0.0].all(axis=1)
        return self._best(np.where(not_failing, 0.0, explained), LEAST_PART * difference)

    def instead(self, rolling: _Course, stopping: _Course) -> Outcome | None:
        """Return what is best about rolling where one could stop: what stopping cannot bring."""
        gains = self._sums(rolling.worth - rolling.chance * stopping.worth.sum())
        gains[self._sums(stopping.chance) > 0.0] = 0.0
        return self._best(gains, 0.0)

    def _best(self, explained: Floats, least: float) -> Outcome | None:
        """Return the outcome with the most, the first of equals, if it has more than ``least``."""
        highest = explained.max(initial=0.0)
        if highest <= max(least, ROUNDING):
            return None
        return self._outcomes[int(np.argmax(explained >= highest - ROUNDING))]


#: The decisions of a turn come one after the other.
_ends_of = lru_cache(maxsize=8)(_TurnEnds)


# ------------------------------------------------------------------------------ what failing costs


def failure_cost(state: AnyState) -> FailureCost:
    """Return what a failed attempt would do in the turn of ``state``: what the rules do then."""
    game, log = game_at(state.table), list[happened.Event]()
    deciding = State(state.table, state.seat, state.turn, DECIDING)
    game.carry_out(deciding, FAILURE, log)
    cost = FailureCost()
    for event in log:
        match event:
            case happened.TileReturned(_, tile):
                cost = replace(cost, tile=tile)
            case happened.SpecialistReturned(_, specialist):
                cost = replace(cost, specialist=specialist)
            case happened.TileTurned(tile):
                cost = replace(cost, turned=tile)
            case happened.PlateReturned(owner):
                cost = replace(cost, plate=owner)
            case happened.SnailPlaced(spot):
                cost = replace(cost, snail=spot)
            case happened.MissedOut():
                cost = replace(cost, miss=True)
            case happened.GameEnded():
                cost = replace(cost, ends=True)
            case _:
                pass
    return cost


# ------------------------------------------------------------------------------ targets


def targets(state: AnyState, memo: TurnMemo) -> list[Target]:
    """Return what the turn can bring, each with its chance if the player aims only at it."""
    (turn,) = memo.solved([state])
    position = turn.position
    ends = _ends(turn)
    aims = sorted({each.outcome for each in ends} - {Outcome("nothing")}, key=_order)
    shape = (len(aims), len(position.tables), -1)
    hits = np.array([[each.outcome == aim for each in ends] for aim in aims], np.float64)
    hits = hits.reshape(shape)
    may_stop = np.broadcast_to(turn.solution.may_stop, (len(aims), *turn.solution.may_stop.shape))
    solutions = solve_batch(
        position.game,
        EndValues.of(hits[..., 1:].reshape(may_stop.shape), hits[..., 0], may_stop),
        weasel=position.weasel,
        golden=position.golden,
    )
    throw = state.phase if isinstance(state.phase, Throw) else None
    found = [
        Target(aim, min(best(solution.choices(state.turn, throw)).value, 1.0))
        for aim, solution in zip(aims, solutions, strict=True)
    ]
    return [each for each in found if each.chance >= LEAST_CHANCE]
