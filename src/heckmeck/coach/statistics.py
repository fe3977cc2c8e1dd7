"""Many games judged: what players gave away, their luck and their results, in parts and in all.

A mean comes with its standard error. Games of one deal of the arena share their dice: they are one
observation.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import fsum, sqrt
from typing import TYPE_CHECKING, Final, Protocol

from heckmeck.coach import figures
from heckmeck.record import Record
from heckmeck.rules import outcome
from heckmeck.rules.moves import REROLL, ROLL_GOLDEN, Throw
from heckmeck.rules.state import Deciding
from heckmeck.values import NoChampion, SeatValue, value_for

if TYPE_CHECKING:
    from heckmeck.coach.review import Judged

#: The parts of a game, of equally many moves.
PHASES: Final = ("opening", "middle", "end")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, its standard error (None for a single observation), and how many there were."""

    mean: float
    error: float | None
    count: int


@dataclass(frozen=True, slots=True)
class Loss:
    """A decision of a player: of which kind, in which part of the game, and what it gave away."""

    kind: str
    phase: str
    loss: float
    counted: bool


@dataclass(frozen=True, slots=True)
class Appearance:
    """A player in a game, in which values are chances to win."""

    player: str
    deal: object
    """Appearances with the same deal are one observation."""
    edition: str
    seat: int
    seats: int
    opponents: tuple[str, ...]
    evaluator: str
    losses: tuple[Loss, ...]
    luck: float
    result: float | None
    """The share of the win; None if the game is not over."""

    @property
    def given_away(self) -> float:
        """The sum of all losses."""
        return fsum(each.loss for each in self.losses)

    @property
    def counted(self) -> int:
        """The number of decisions that counted."""
        return sum(each.counted for each in self.losses)

    @property
    def counted_loss(self) -> float:
        """The sum of the losses that counted."""
        return fsum(each.loss for each in self.losses if each.counted)


class Performance(Protocol):
    """A player in a game, as far as the figures of many games need it; see `Appearance`."""

    @property
    def deal(self) -> object:
        """What it shares with others that are the same observation."""

    @property
    def seats(self) -> int:
        """The number of players."""

    @property
    def given_away(self) -> float:
        """The sum of all losses."""

    @property
    def luck(self) -> float:
        """The luck of the game."""

    @property
    def counted(self) -> int:
        """The number of decisions that counted."""

    @property
    def counted_loss(self) -> float:
        """The sum of the losses that counted."""

    @property
    def result(self) -> float | None:
        """The share of the win; None if the game is not over."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of some appearances, as ``docs/analysis.md`` defines them."""

    games: int
    given_away: Estimate
    luck: Estimate
    error_rate: Estimate | None
    """None if no decision counted, or for different numbers of players."""
    result: Estimate | None
    """None if no game is over."""
    adjusted: Estimate | None


def judged_games(records: Iterable[Record]) -> "Iterator[Judged | None]":
    """Yield games judged by chances to win, many at once; None if no champion has learned them.

    Raise `BadRecord` if one breaks a rule.
    """
    from heckmeck.coach.review import AT_ONCE
    from heckmeck.solver.solution import in_groups

    waiting = iter(records)
    while some := [*islice(waiting, AT_ONCE)]:
        yield from in_groups(some, _evaluator, _judged_alike)


def _evaluator(record: Record) -> SeatValue | None:
    """Return what a game can be judged by, if anything."""
    try:
        return value_for(record.start().table, "win")
    except NoChampion:
        return None


def _judged_alike(records: Sequence[Record]) -> "Sequence[Judged | None]":
    from heckmeck.coach.review import judged

    value = _evaluator(records[0])
    return [None] * len(records) if value is None else [*judged(records, value)]


def appearances(record: Record, judged: "Judged", number: int = 0) -> list[Appearance]:
    """Return every player of a game; ``number`` tells the game from others."""
    end = outcome(judged.end)
    return [
        Appearance(
            player=name,
            deal=_deal(record, number),
            edition=record.edition,
            seat=seat,
            seats=len(record.seats),
            opponents=tuple(sorted(set(record.seats[:seat] + record.seats[seat + 1 :]))),
            evaluator=judged.value.name,
            losses=tuple(_losses(judged, seat)),
            luck=judged.totals(seat).luck,
            result=None if end is None else end.shares[seat],
        )
        for seat, name in enumerate(record.seats)
    ]


def _deal(record: Record, number: int) -> object:
    """Return what games with the same dice have in common."""
    arena = record.extra.get("arena")
    game = arena.get("game") if isinstance(arena, dict) else None
    if not isinstance(arena, dict) or not isinstance(game, int):
        return number
    return str(arena.get("seed")), record.edition, game // len(record.seats)


def _losses(judged: "Judged", seat: int) -> Iterable[Loss]:
    moves = max(len(judged.moments), 1)
    for number in judged.decisions:
        if judged.seat(number) == seat:
            phase = PHASES[len(PHASES) * number // moves]
            loss, counted = judged.loss(number), judged.counted(number)
            yield Loss(_kind(judged, number), phase, loss, counted)


def _kind(judged: "Judged", number: int) -> str:
    """Return the kind of a decision."""
    (state, _), moves = judged.moments[number], judged.legal(number)
    if isinstance(state.phase, Throw):
        return "weasel" if REROLL in moves else "which dice to keep"
    if isinstance(state.phase, Deciding):
        return "golden die" if ROLL_GOLDEN in moves else "stop or roll"
    return "question"


# ------------------------------------------------------------------------------ figures


@dataclass(slots=True)
class _Sums:
    """What the appearances of one deal add up to."""

    amount: list[float] = field(default_factory=list)
    count: int = 0


def estimate(observations: Iterable[tuple[object, float, int]]) -> Estimate | None:
    """Return the mean of amounts over counts, from (deal, amount, count); None without any.

    >>> estimate([(1, 3.0, 1), (2, 5.0, 1)])
    Estimate(mean=4.0, error=1.0, count=2)
    """
    deals: dict[object, _Sums] = {}
    for deal, amount, count in observations:
        sums = deals.setdefault(deal, _Sums())
        sums.amount.append(amount)
        sums.count += count
    total = sum(each.count for each in deals.values())
    if not total:
        return None
    amounts = [(fsum(each.amount), each.count) for each in deals.values()]
    mean = fsum(amount for amount, _ in amounts) / total
    if len(deals) < 2:
        return Estimate(mean, None, total)
    off = fsum((amount - mean * count) ** 2 for amount, count in amounts)
    error = sqrt(off * len(deals) / (len(deals) - 1)) / total
    return Estimate(mean, error, total)


def summary(some: Sequence[Performance]) -> Summary:
    """Return the figures of at least one appearance."""
    given_away = estimate((each.deal, each.given_away, 1) for each in some)
    luck = estimate((each.deal, each.luck, 1) for each in some)
    assert given_away is not None, "there is an appearance"
    assert luck is not None, "there is an appearance"
    over = [(each, each.result) for each in some if each.result is not None]
    return Summary(
        len(some),
        given_away,
        luck,
        _error_rate(some),
        estimate((each.deal, result, 1) for each, result in over),
        estimate((each.deal, result - each.luck, 1) for each, result in over),
    )


def _error_rate(some: Sequence[Performance]) -> Estimate | None:
    seats = {each.seats for each in some}
    if len(seats) != 1:
        return None
    (scale,) = (figures.error_rate([1.0], each) or 0.0 for each in seats)
    return estimate((each.deal, scale * each.counted_loss, each.counted) for each in some)


#: How appearances can be split into groups.
SPLITS: Final[dict[str, Callable[[Appearance], str]]] = {
    "edition": lambda each: f"{each.edition}, {each.seats} players",
    "opponent": lambda each: ", ".join(each.opponents),
    "seat": lambda each: f"{each.seat + 1} of {each.seats}",
}
#: How the losses of an appearance can be split.
PARTS: Final[dict[str, Callable[[Loss], str]]] = {
    "phase": lambda loss: loss.phase,
    "decision": lambda loss: loss.kind,
}


def split(some: Sequence[Appearance], by: str) -> dict[str, Summary]:
    """Return the figures by edition, opponent or seat."""
    groups: dict[str, list[Appearance]] = {}
    for each in some:
        groups.setdefault(SPLITS[by](each), []).append(each)
    return {name: summary(group) for name, group in sorted(groups.items())}


def given_away_by(some: Sequence[Appearance], by: str) -> dict[str, Estimate]:
    """Return what is given away in a game, by phase of the game or kind of decision."""
    part = PARTS[by]
    names = {part(loss) for each in some for loss in each.losses}
    order = [*PHASES, *sorted(names - {*PHASES})]
    found = {
        name: estimate(
            (each.deal, fsum(loss.loss for loss in each.losses if part(loss) == name), 1)
            for each in some
        )
        for name in order
        if name in names
    }
    return {name: each for name, each in found.items() if each is not None}
