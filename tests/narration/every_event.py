"""Every event in every form it can read in, made from the fields of its class."""

from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from typing import get_args

from heckmeck.rules import Event, Outcome, Specialist
from heckmeck.rules import events as e
from heckmeck.rules.endings import WhyNothing
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem, ScoreLine

EVENT_CLASSES: tuple[type, ...] = get_args(Event)

FACES = "12345W6BCGK"
SEATS = (0, 1, 2)
PLACES = (24, 36)

#: What a field of that name can hold, in all the kinds that matter to a sentence.
VALUES: dict[str, tuple[object, ...]] = {
    "seat": SEATS,
    "thief": SEATS,
    "victim": SEATS,
    "victims": ((1,), (0, 1), (0, 2), (1, 2)),
    "dice": (1, 2, 8),
    "golden": (False, True),
    "face": tuple(FACES),
    "count": tuple(range(1, 10)),
    "total": (1, 24),
    "left": (0, 1, 7),
    "stopped": (False, True),
    "tile": PLACES,
    "spot": PLACES,
    "to": PLACES,
    "worms": (1, 2, 4),
    "result": (24, 25),
    "specialist": tuple(Specialist),
    "held": tuple(Specialist),
    "received": tuple(Specialist),
    "supply": (0, 1, 6),
    "pool": (0, 1, 11),
}
#: Where a class has its own kind of value in a field.
OWN_VALUES: dict[tuple[type, str], tuple[object, ...]] = {
    (e.DiceFell, "dice"): ("1", "1123W", "WWBCGK", "46"),
    (e.DiceFell, "golden"): (None, "1", "W"),
    (e.AttemptFailed, "why"): tuple(WhyNothing),
    (e.TileStolen, "tile"): (7, *PLACES),  # junior's tiles are pinched
    # Junior has no failed attempts: a dead throw costs nothing, and there are no spots (J3).
    (e.MissedOut, "why"): (WhyNothing.NO_WORM, WhyNothing.TOO_LOW),
    (e.BratwormEarned, "why"): tuple(e.WhyBratworm),
    (e.SpecialistReturned, "tile"): (None, *PLACES),
    (e.SpecialistMoved, "to"): (None, *PLACES),
    (e.TileGuarded, "thief"): (None, *SEATS),
    (e.SnailTaken, "spot"): (None, *PLACES),
}
#: The golden die can be thrown alone.
GOLDEN_ALONE: tuple[Event, ...] = (e.DiceCast(0, 0, golden=True), e.DiceFell(0, "", "W"))


def every_event() -> Iterator[Event]:
    """Every class, with every combination of the values its fields can have."""
    for kind in EVENT_CLASSES:
        if kind is e.GameEnded:
            yield from map(e.GameEnded, every_outcome())
        else:
            names = [field.name for field in fields(kind)]
            for values in product(*(values_of(kind, name) for name in names)):
                event = kind(*values)
                if not takes_from_oneself(event):
                    yield event
    yield from GOLDEN_ALONE


def takes_from_oneself(event: Event) -> bool:
    taker = getattr(event, "thief", getattr(event, "seat", None))
    victims = getattr(event, "victims", (getattr(event, "victim", None),))
    return taker is not None and taker in victims


def values_of(kind: type, name: str) -> tuple[object, ...]:
    return OWN_VALUES[kind, name] if (kind, name) in OWN_VALUES else VALUES[name]


def every_outcome() -> Iterator[Outcome]:
    for reason, decided_by in product(EndReason, DecidedBy):
        winners = (0, 2) if decided_by is DecidedBy.SHARED else (0,)
        losers = tuple(seat for seat in SEATS if seat not in winners)
        yield outcome((3, 1, 3), (winners, losers), reason, decided_by)


def outcome(
    scores: tuple[int, ...],
    ranking: tuple[tuple[int, ...], ...],
    reason: EndReason = EndReason.GRILL_EMPTY,
    decided_by: DecidedBy = DecidedBy.SCORE,
) -> Outcome:
    sheets = tuple((ScoreLine(ScoreItem.TILES, score),) for score in scores)
    return Outcome(reason, sheets, ranking, decided_by)
