"""How games end: ranking, ties, and what decided."""

import pytest

from heckmeck.rules.outcome import (
    DecidedBy,
    EndReason,
    Outcome,
    ScoreItem,
    ScoreLine,
    ScoreSheet,
    rank,
    total,
)


def sheet(worms: int) -> ScoreSheet:
    return (ScoreLine(ScoreItem.TILES, worms),)


def ranked(scores: list[int], tie_breaks: list[int]) -> Outcome:
    return rank(EndReason.GRILL_EMPTY, list(map(sheet, scores)), tie_breaks, DecidedBy.HIGHEST_TILE)


@pytest.mark.parametrize(
    ("scores", "tie_breaks", "ranking", "decided_by"),
    [
        ([3, 5, 4], [30, 22, 24], ((1,), (2,), (0,)), DecidedBy.SCORE),
        ([5, 5, 4], [30, 22, 36], ((0,), (1,), (2,)), DecidedBy.HIGHEST_TILE),
        ([5, 4, 4], [21, 30, 31], ((0,), (2,), (1,)), DecidedBy.SCORE),
        ([0, 0, 0], [0, 0, 0], ((0, 1, 2),), DecidedBy.SHARED),
        ([0, 2, 0], [0, 22, 0], ((1,), (0, 2)), DecidedBy.SCORE),
        ([2, 1, 2, 2], [0, 30, 0, 21], ((3,), (0, 2), (1,)), DecidedBy.HIGHEST_TILE),
        ([2, 3, 2, 3], [0, 0, 0, 0], ((1, 3), (0, 2)), DecidedBy.SHARED),
    ],
)
def test_rank(
    scores: list[int],
    tie_breaks: list[int],
    ranking: tuple[tuple[int, ...], ...],
    decided_by: DecidedBy,
) -> None:
    outcome = ranked(scores, tie_breaks)
    assert outcome.ranking == ranking
    assert outcome.winners == ranking[0]
    assert outcome.decided_by is decided_by
    assert outcome.scores == tuple(scores)
    assert outcome.reason is EndReason.GRILL_EMPTY


def test_everybody_has_one_place_in_the_ranking() -> None:
    ranking = ranked([4, 0, 4, 7, 0, 1, 4], [25, 0, 26, 33, 0, 21, 25]).ranking
    assert ranking == ((3,), (2,), (0, 6), (5,), (1, 4))


def test_a_sheet_adds_up() -> None:
    lines = (ScoreLine(ScoreItem.TILES, 7), ScoreLine(ScoreItem.BRATWORMS, 2))
    assert total(lines) == 9
    assert total(()) == 0


def test_every_seat_needs_its_tie_break() -> None:
    with pytest.raises(ValueError, match="zip"):
        ranked([1, 2, 3], [0, 0])


@pytest.mark.parametrize(
    ("scores", "shares"), [([3, 5, 4], (0.0, 1.0, 0.0)), ([5, 5, 4], (0.5, 0.5, 0.0))]
)
def test_winners_share_the_win_in_equal_parts(scores: list[int], shares: tuple[float, ...]) -> None:
    assert ranked(scores, [0, 0, 0]).shares == shares
