"""How a game ended: the reason, the scores line by line, the ranking and what decided it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple, TypeAlias


class EndReason(StrEnum):
    """Why a game is over."""

    GRILL_EMPTY = "grill_empty"  # no face-up tile left (C9, J6)
    POOL_EMPTY = "pool_empty"  # a failed attempt and no snail left in the pool (B11)
    GRILL_FULL = "grill_full"  # a failed attempt and no spot left for a snail (B11)
    NO_SNAIL_LEFT = "no_snail_left"  # a result above 36 and no snail to take (B9)


class DecidedBy(StrEnum):
    """What put the winner ahead of the others."""

    SCORE = "score"
    HIGHEST_TILE = "highest_tile"  # C9, D16
    HIGHEST_PLATE = "highest_plate"  # B12
    SHARED = "shared"  # nobody is ahead: a shared win


class ScoreItem(StrEnum):
    """A line of the final count."""

    TILES = "tiles"
    BRATWORMS = "bratworms"
    APPLE = "apple"
    WORMS = "worms"
    SNAILS = "snails"


class ScoreLine(NamedTuple):
    """One line of a player's count and the worms it brings."""

    item: ScoreItem
    worms: int


ScoreSheet: TypeAlias = tuple[ScoreLine, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game.

    ``ranking`` lists the places from first to last, each with the seats that share it; ``sheets``
    and ``scores`` are by seat.
    """

    reason: EndReason
    sheets: tuple[ScoreSheet, ...]
    ranking: tuple[tuple[int, ...], ...]
    decided_by: DecidedBy

    @property
    def scores(self) -> tuple[int, ...]:
        """The final scores by seat."""
        return tuple(map(total, self.sheets))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, ascending."""
        return self.ranking[0]

    @property
    def shares(self) -> tuple[float, ...]:
        """The shares of the win by seat: equal parts for all winners."""
        return tuple((seat in self.winners) / len(self.winners) for seat in range(len(self.sheets)))


def total(sheet: ScoreSheet) -> int:
    """Return the sum of a score sheet."""
    return sum([line.worms for line in sheet])


def rank(
    reason: EndReason, sheets: Sequence[ScoreSheet], tie_breaks: Sequence[int], tie_break: DecidedBy
) -> Outcome:
    """Rank the players by score, then by tie-break number; equal in both means a shared place."""
    key = [(total(sheet), breaker) for sheet, breaker in zip(sheets, tie_breaks, strict=True)]
    seats = sorted(range(len(key)), key=key.__getitem__, reverse=True)
    ranking = tuple(tuple(sorted(place)) for _, place in groupby(seats, key=key.__getitem__))
    best = key[ranking[0][0]][0]
    if len(ranking[0]) > 1:
        decided = DecidedBy.SHARED
    elif sum(score == best for score, _ in key) > 1:
        decided = tie_break
    else:
        decided = DecidedBy.SCORE
    return Outcome(reason, tuple(sheets), ranking, decided)
