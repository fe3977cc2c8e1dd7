"""The review of a game: what each decision cost, and how lucky each throw was, for every seat.

If a champion has learned the game, values are chances to win, and the review includes every
player's chance at every moment. A champion knows the chances between turns. Within a turn they are
the average over its endings, weighted by their probability with best play: exact, as far as the
champion is right. Where it disagrees with itself from one turn to the next, that is a jump, shown
apart from luck and skill. ``docs/analysis.md`` defines the figures.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import fsum

from heckmeck.coach import figures
from heckmeck.coach.reasons import reason
from heckmeck.record import Record, replay
from heckmeck.rules import Move, legal, outcome, word
from heckmeck.solver.kernel import Floats
from heckmeck.values import SeatValue, value_for
from heckmeck.values.course import Moment, changes, luck_in
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.wire.coach import Decision, Jump, PlayerTotals, Review, ThrowLuck, Unit

#: Smaller differences between two looks at the same moment are rounding.
ROUNDING = 1e-9


class Judged:
    """A game and what each of its moves changed: everything that its figures are computed from."""

    def __init__(self, record: Record, value: SeatValue) -> None:
        """Judge a recorded game; raise `BadRecord` if it breaks a rule."""
        self.value, self.edition, self.seats = value, record.edition, len(record.seats)
        self.memo = TurnMemo(value)
        state = start = record.start()
        self.moments: list[Moment] = []
        for step in replay(record):
            self.moments.append((state, step.move))
            state = step.state
        self.end = state
        self.changes = list(changes(self.moments, value, self.memo))
        ((opening, *_),) = changes([(start, legal(start)[0])], value, self.memo)
        self.opening: Floats = opening
        """[seat]: the worth of the game before the first move."""

    @property
    def decisions(self) -> list[int]:
        """The moves that somebody chose among several."""
        return [number for number, change in enumerate(self.changes) if change.choices > 1]

    @property
    def throws(self) -> list[int]:
        """The moves that are throws."""
        return [number for number, change in enumerate(self.changes) if change.choices == 0]

    def seat(self, number: int) -> int:
        """Return whose move it is."""
        return self.moments[number][0].seat

    def legal(self, number: int) -> tuple[Move, ...]:
        """Return the moves that a player had to choose from."""
        return legal(self.moments[number][0])

    def loss(self, number: int) -> float:
        """Return what a decision gave away."""
        change, seat = self.changes[number], self.seat(number)
        return max(float(change.before[seat] - change.after[seat]), 0.0)

    def counted(self, number: int) -> bool:
        """Whether a decision counts."""
        change = self.changes[number]
        best = float(change.before[self.seat(number)])
        return figures.counts(best, change.worst, self.value.unit)

    def jumps(self) -> list[tuple[int, Floats]]:
        """Return how the value changes where one turn ends and the next begins."""
        found = []
        for number, (one, two) in enumerate(pairwise(self.changes), start=1):
            jump = two.before - one.after
            if abs(jump).max() > ROUNDING:
                found.append((number, jump))
        return found

    def totals(self, seat: int) -> PlayerTotals:
        """Return the figures of a player."""
        own = [number for number in self.decisions if self.seat(number) == seat]
        given_away = fsum(map(self.loss, own))
        luck = self._sum(self.throws, seat)
        counted = [self.loss(number) for number in own if self.counted(number)]
        if self.value.unit != "win":
            return PlayerTotals(given_away, luck, len(counted))
        rate = figures.error_rate(counted, self.seats)
        totals = (given_away, luck, len(counted), rate)
        graded = (*totals, figures.performance(rate), figures.grade_of(rate, self.edition))
        end = outcome(self.end)
        if end is None:
            return PlayerTotals(*graded)
        result, moved = end.shares[seat], self._sum(self.decisions, seat)
        residual = result - float(self.opening[seat]) - luck - moved
        return PlayerTotals(*graded, result, result - luck, moved, residual)

    def _sum(self, numbers: Sequence[int], seat: int) -> float:
        """Return what these moves changed for a player."""
        some = (self.changes[number] for number in numbers)
        return fsum(float(change.after[seat] - change.before[seat]) for change in some)


def review(record: Record, unit: Unit | None = None, *, deeper: bool = False) -> Review:
    """Review a recorded game; raise `BadRecord` if it breaks a rule.

    ``unit`` is as for `heckmeck.coach.advice.advise`; ``deeper`` judges by chances to win that
    look one turn further ahead.
    """
    judged = Judged(record, value_for(record.start().table, unit, deeper=deeper))
    return Review(
        judged.value.unit,
        judged.value.name,
        [judged.totals(seat) for seat in range(judged.seats)],
        [_decision(judged, number) for number in judged.decisions],
        [_luck(judged, number) for number in judged.throws],
        _jumps(judged),
        _chances(judged),
    )


def _decision(judged: Judged, number: int) -> Decision:
    (state, move), loss = judged.moments[number], judged.loss(number)
    mark = figures.mark_of(loss, judged.value.unit)
    choices, counted = judged.memo.weigh(state), judged.counted(number)
    made = next(each for each in choices if each.move == word(move))
    best, other = choices[0], made if made is not choices[0] else choices[1]
    why = reason(state, best, other, judged.memo)
    return Decision(number, state.seat, word(move), loss, counted, mark, choices, why)


def _luck(judged: Judged, number: int) -> ThrowLuck:
    change = judged.changes[number]
    return ThrowLuck(number, judged.seat(number), luck_in(change).tolist())


def _jumps(judged: Judged) -> list[Jump]:
    """Return the jumps between turns; in worms each turn counts from 0, so there are none."""
    if judged.value.unit != "win":
        return []
    return [Jump(number, jump.tolist()) for number, jump in judged.jumps()]


def _chances(judged: Judged) -> list[list[float]] | None:
    """Return every player's chance to win at each moment; None if values are not chances."""
    if judged.value.unit != "win":
        return None
    return [judged.opening.tolist(), *(change.after.tolist() for change in judged.changes)]
