"""The turn once more, slowly: the rules read aloud, to check the solver against.

Nothing here is shared with the solver but the values of the ends: every throw is
listed with all its dice, kept faces are not lumped together, states are made as they come.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from tests.solver.shapes import Ends, Point, Shape


@dataclass(frozen=True)
class Moment:
    """A moment of the turn with the dice in hand."""

    kept: frozenset[int]
    dice: int
    golden: bool
    total: int
    layer: int = 0
    weasel: bool = False


def moment_of(shape: Shape, point: Point) -> Moment:
    """The moment that the solver calls a point."""
    state, layer, weasel = point
    kept = frozenset(face for face in range(len(shape.faces)) if state.kept >> face & 1)
    return Moment(kept, state.dice, state.golden, state.total, layer, weasel)


@cache
def white_throws(weights: tuple[int, ...], dice: int) -> list[tuple[tuple[int, ...], float]]:
    """Every throw of white dice as counts by face, with its chance."""
    throws = []
    for shown in combinations_with_replacement(range(len(weights)), dice):
        counts = tuple(shown.count(face) for face in range(len(weights)))
        ways = factorial(dice) // prod(map(factorial, counts))
        throws.append((counts, ways * prod(weights[face] for face in shown) / sum(weights) ** dice))
    return throws


class SlowTurn:
    """The value of each choice, by recursion over the choices and throws that follow."""

    def __init__(self, shape: Shape, ends: Ends) -> None:
        self.shape = shape
        self.ends = ends
        self.layers = len(ends.fail)
        self.roll = cache(self._roll)

    def start(self, golden: bool = False, weasel: bool = False) -> Moment:
        return Moment(frozenset(), self.shape.dice, golden, 0, weasel=weasel)

    def throws(self, moment: Moment) -> Iterator[tuple[tuple[int, ...], int | None, float]]:
        """Every throw: the white dice, the golden die's face, the chance."""
        sides = self.shape.golden_weights if moment.golden else None
        for counts, chance in white_throws(self.shape.weights, moment.dice):
            if sides is None:
                yield counts, None, chance
            else:
                for face, weight in enumerate(sides):
                    if weight:
                        yield counts, face, chance * weight / sum(sides)

    def _roll(self, moment: Moment) -> float:
        return sum(
            chance * max(self.after_throw(moment, counts, golden).values())
            for counts, golden, chance in self.throws(moment)
        )

    def after_throw(
        self, moment: Moment, counts: tuple[int, ...], golden: int | None
    ) -> dict[str, float]:
        """What can be done with a throw."""
        choices = {
            f"keep:{self.shape.faces[face]}": self.keep(moment, face, dice, golden == face)
            for face, dice in enumerate(counts)
            if (dice or golden == face) and face not in moment.kept
        }
        if not choices:
            choices["bust"] = self.end(moment) if self.shape.dead_is_stop else self.fail(moment)
        if moment.weasel:
            choices["reroll"] = self.roll(replace(moment, weasel=False))
        return choices

    def keep(self, moment: Moment, face: int, dice: int, golden: bool) -> float:
        after = replace(
            moment,
            kept=moment.kept | {face},
            dice=moment.dice - dice,
            golden=moment.golden and not golden,
            total=moment.total + (dice + golden) * self.shape.points[face],
        )
        if self.layers > 1 and face == self.shape.ones and dice + golden >= 2:
            others = range(1, self.layers)
            return max(self.between(replace(after, layer=layer)) for layer in others)
        return self.between(after)

    def between(self, moment: Moment) -> float:
        """The value of a moment after a keep."""
        return max(self.before_throw(moment).values(), default=self.end(moment))

    def before_throw(self, moment: Moment) -> dict[str, float]:
        """Stop or throw: nothing to choose when the turn is over."""
        over = not moment.dice and not moment.golden
        if over or (self.shape.all_faces_end and len(moment.kept) == len(self.shape.faces)):
            return {}
        choices = {"roll": self.roll(moment)}
        if moment.kept and self.may_stop(moment):
            choices["stop"] = self.end(moment)
        return choices

    def may_stop(self, moment: Moment) -> bool:
        if self.ends.may_stop is None:
            return True
        worm = int(self.shape.worm in moment.kept)
        return bool(self.ends.may_stop[moment.layer, worm, moment.total])

    def end(self, moment: Moment) -> float:
        """The turn ends with what is kept."""
        if not self.may_stop(moment):
            return self.fail(moment)
        worm = int(self.shape.worm in moment.kept)
        return float(self.ends.stop[moment.layer, worm, moment.total])

    def fail(self, moment: Moment) -> float:
        return float(self.ends.fail[moment.layer])
