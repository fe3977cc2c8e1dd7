"""The review of a game: what each decision cost, and how lucky each throw was, for every seat.

If a champion has learned the game, values are chances to win, and the review includes every
player's chance at every moment. A champion knows the chances between turns. Within a turn they are
the average over its endings, weighted by their probability with best play: exact, as far as the
champion is right. Where it disagrees with itself from one turn to the next, that is a jump, shown
apart from luck and skill. ``docs/analysis.md`` defines the figures.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, pairwise
from math import fsum
from typing import Final, NamedTuple, TypeAlias

from heckmeck.coach import figures
from heckmeck.coach.reasons import reason
from heckmeck.record import Record, replay
from heckmeck.rules import AnyState, Move, legal, outcome, word
from heckmeck.solver.kernel import Floats
from heckmeck.values import SeatValue, value_for
from heckmeck.values.course import Change, Moment, changes, luck_in
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.wire.coach import Decision, Jump, PlayerTotals, Review, ThrowLuck, Unit

#: Smaller differences between two looks at the same moment are rounding.
ROUNDING = 1e-9
#: Games judged together: enough turns of every kind for the batches of the solver.
AT_ONCE: Final = 32

#: Takes how much of a review is done, from 0 to 1.
Progress: TypeAlias = Callable[[float], None]


class Judged:
    """A game and what each of its moves changed: everything that its figures are computed from.

    `judged` makes them.
    """

    def __init__(
        self, game: "_Played", value: SeatValue, memo: TurnMemo, found: Iterator[Change]
    ) -> None:
        """Take from ``found`` what the moments of the game changed; ``memo`` knows its turns."""
        self.value, self.memo = value, memo
        self.edition, self.seats = game.record.edition, len(game.record.seats)
        self.end, self.moments = game.end, game.moments[1:]
        self.opening: Floats = next(found).before
        """[seat]: the worth of the game before the first move."""
        self.changes = [*islice(found, len(self.moments))]

    @cached_property
    def decisions(self) -> list[int]:
        """The moves that somebody chose among several."""
        return [number for number, change in enumerate(self.changes) if change.choices > 1]

    @cached_property
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


class _Played(NamedTuple):
    """A game that was played through."""

    record: Record
    moments: list[Moment]
    """Any first move, to judge the opening; then every move of the game."""
    end: AnyState


def _played(record: Record) -> _Played:
    """Play a game through; raise `BadRecord` if it breaks a rule."""
    state = record.start()
    moments = [(state, legal(state)[0])]
    for step in replay(record):
        moments.append((state, step.move))
        state = step.state
    return _Played(record, moments, state)


def judged(records: Iterable[Record], value: SeatValue) -> Iterator[Judged]:
    """Judge recorded games by a value, many at once; raise `BadRecord` if one breaks a rule."""
    waiting = iter(records)
    while some := [_played(record) for record in islice(waiting, AT_ONCE)]:
        memo = TurnMemo(value)
        found = changes(chain.from_iterable(game.moments for game in some), value, memo)
        yield from [Judged(game, value, memo, found) for game in some]


def review(
    record: Record,
    unit: Unit | None = None,
    *,
    deeper: bool = False,
    progress: Progress | None = None,
) -> Review:
    """Review a recorded game; raise `BadRecord` if it breaks a rule.

    ``unit`` is as for `heckmeck.coach.advice.advise`; ``deeper`` judges by chances to win that
    look one turn further ahead. ``progress``, if given, is called when all turns are solved, and
    after each decision.
    """
    (game,) = judged([record], value_for(record.start().table, unit, deeper=deeper))
    return Review(
        game.value.unit,
        game.value.name,
        [game.totals(seat) for seat in range(game.seats)],
        [*_decisions(game, progress or _nobody_asks)],
        [_luck(game, number) for number in game.throws],
        _jumps(game),
        _chances(game),
    )


def _nobody_asks(_: float) -> None:
    pass


def _decisions(game: Judged, progress: Progress) -> Iterator[Decision]:
    """Yield every decision, and say how many of them are done."""
    numbers = game.decisions
    progress(0.0)
    for done, number in enumerate(numbers, start=1):
        yield _decision(game, number)
        progress(done / len(numbers))


def _decision(game: Judged, number: int) -> Decision:
    (state, move), loss = game.moments[number], game.loss(number)
    mark = figures.mark_of(loss, game.value.unit)
    choices, counted = game.memo.weigh(state), game.counted(number)
    made = next(each for each in choices if each.move == word(move))
    best, other = choices[0], made if made is not choices[0] else choices[1]
    why = reason(state, best, other, game.memo)
    return Decision(number, state.seat, word(move), loss, counted, mark, choices, why)


def _luck(game: Judged, number: int) -> ThrowLuck:
    change = game.changes[number]
    return ThrowLuck(number, game.seat(number), luck_in(change).tolist())


def _jumps(game: Judged) -> list[Jump]:
    """Return the jumps between turns; in worms each turn counts from 0, so there are none."""
    if game.value.unit != "win":
        return []
    return [Jump(number, jump.tolist()) for number, jump in game.jumps()]


def _chances(game: Judged) -> list[list[float]] | None:
    """Return every player's chance to win at each moment; None if values are not chances."""
    if game.value.unit != "win":
        return None
    return [game.opening.tolist(), *(change.after.tolist() for change in game.changes)]
