"""Results without luck: computed from the moves alone, the same however the games are split."""

from math import inf
from time import monotonic
from typing import Final

import pytest

from heckmeck.arena.adjusted import evaluator, luck_of
from heckmeck.arena.chunks import Chunk, cut
from heckmeck.arena.report import report_to_json
from heckmeck.arena.standings import Standings, Tally
from heckmeck.arena.tournament import Tournament, play
from heckmeck.coach.review import review
from heckmeck.record import Record
from heckmeck.rules import EDITIONS
from tests.bots.games import NAMES

#: How long the long form counts games.
SECONDS: Final = 1200.0


def standings_of(tournament: Tournament, seconds: float = inf) -> Standings:
    """The standings after all games, or after those that are played in this time."""
    tally, begin = Tally(), monotonic()
    for chunk in cut(tournament, adjusted=True):
        tally += chunk.run().tally
        if monotonic() - begin > seconds:
            break
    return Standings(tournament, tally, 1.0)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_luck_of_a_game_is_that_of_its_review(edition: str, seats: int) -> None:
    tournament = Tournament(edition, ("fox", "rooster"), seats, 2, seed=5)
    games = list(play(edition, tournament.fixtures(0, 2)))
    lucks = list(luck_of(games, evaluator(edition, seats), edition))
    for game, luck in zip(games, lucks, strict=True):
        found = review(Record(edition, NAMES[:seats], moves=game.moves))
        assert luck == pytest.approx([each.luck for each in found.players], abs=1e-9)
        assert sum(luck) == pytest.approx(0, abs=1e-9)


def test_how_the_games_are_split_does_not_matter() -> None:
    tournament = Tournament("junior", ("rooster", "chick"), 2, 60, seed=2)
    whole = Chunk(tournament, 0, 60, adjusted=True).run().tally
    assert standings_of(tournament).tally.adjusted == whole.adjusted


def test_without_luck_far_fewer_games_say_as_much() -> None:
    """In junior between bots by rules of thumb, a trial measured a factor of 7.8."""
    tournament = Tournament("junior", ("rooster", "chick"), 2, 400, seed=3)
    standings = standings_of(tournament)
    rooster, chick = standings.bots
    assert rooster.adjusted is not None
    assert chick.adjusted is not None
    assert rooster.paired_error is not None
    assert rooster.adjusted.share + chick.adjusted.share == pytest.approx(1)
    error = (rooster.paired_error**2 + rooster.adjusted.error**2) ** 0.5
    assert abs(rooster.adjusted.share - rooster.won.share) < 4 * error
    assert rooster.adjusted.variance_ratio is not None
    assert rooster.adjusted.variance_ratio > 5
    report = report_to_json(standings)
    assert report["evaluator"] == evaluator("junior", 2).name


@pytest.mark.soak
def test_adjusted_and_raw_shares_agree_on_100_000_games() -> None:
    """The adjusted share is unbiased: it differs from the raw one by chance only.

    Of so many games, those count that are played in `SECONDS`.
    """
    tournament = Tournament("classic", ("champion", "fox"), 2, 100_000, seed=8)
    standings = standings_of(tournament, SECONDS)
    print(report_to_json(standings))
    assert standings.tally.games >= 5_000
    champion, _ = standings.bots
    assert champion.adjusted is not None
    assert champion.paired_error is not None
    assert abs(champion.adjusted.share - champion.won.share) < 3 * champion.paired_error
    assert champion.adjusted.variance_ratio is not None
    assert champion.adjusted.variance_ratio > 38
