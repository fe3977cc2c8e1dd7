"""The figures that judge play, each as ``docs/analysis.md`` defines it.

Losses and luck are parts of a chance to win, from 0 to 1, unless they are in worms.
"""

from collections.abc import Sequence
from math import fsum
from typing import Final

from heckmeck.wire.coach import Grade, Mark, Unit

#: From which loss on a decision has a mark, by unit; the biggest first.
MARKS: Final[dict[Unit, tuple[tuple[Mark, float], ...]]] = {
    "win": (("blunder", 0.10), ("mistake", 0.05), ("inaccuracy", 0.02)),
    "worms": (("blunder", 0.9), ("mistake", 0.4), ("inaccuracy", 0.15)),
}
#: A decision counts if its best and its worst move differ by this much, by unit.
COUNTS: Final[dict[Unit, float]] = {"win": 0.005, "worms": 0.04}
#: Losses within rounding of a mark have it.
ROUNDING: Final = 1e-9
#: The grades that have a highest error rate, best first; beyond the last one, play is `random`.
GRADES: Final[tuple[Grade, ...]] = ("champion", "fox", "rooster", "chick")
#: The highest error rate of each of these, by edition: the geometric mean of the rates of two
#: neighbouring bots, as `python -m bench.grades` measures them; half of `fox`'s for the best.
BANDS: Final[dict[str, tuple[float, ...]]] = {
    "classic": (0.3, 1.5, 4.8, 12.0),
    "deluxe": (1.7, 7.4, 18.0, 23.0),
    "barbecue": (0.5, 2.6, 10.0, 23.0),
    "junior": (0.5, 3.3, 16.0, 45.0),
}


def mark_of(loss: float, unit: Unit) -> Mark | None:
    """Return the mark of a decision, if it has one."""
    return next((mark for mark, least in MARKS[unit] if loss >= least - ROUNDING), None)


def counts(best: float, worst: float, unit: Unit) -> bool:
    """Whether a decision between moves of these values matters enough to be counted."""
    return best - worst >= COUNTS[unit] - ROUNDING


def error_rate(losses: Sequence[float], seats: int) -> float | None:
    """Return the mean equity lost in counted decisions, in thousandths; None without any.

    >>> error_rate([0.0, 0.02], seats=2)
    20.0
    """
    if not losses:
        return None
    return 1000 * seats / (seats - 1) * fsum(losses) / len(losses)


def performance(rate: float | None) -> float | None:
    """Return the PR that belongs to an error rate: 500 times the mean equity lost."""
    return None if rate is None else rate / 2


def grade_of(rate: float | None, edition: str) -> Grade | None:
    """Return the grade of an error rate in an edition.

    >>> grade_of(1.0, "classic"), grade_of(100.0, "classic")
    ('fox', 'random')
    """
    if rate is None:
        return None
    bands = zip(GRADES, BANDS[edition], strict=True)
    return next((grade for grade, most in bands if rate <= most), "random")
