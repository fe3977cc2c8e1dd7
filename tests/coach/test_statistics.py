"""Many games judged together."""

import pytest

from heckmeck.bots import player
from heckmeck.coach.review import review
from heckmeck.coach.statistics import (
    PHASES,
    Appearance,
    Estimate,
    appearances,
    estimate,
    given_away_by,
    judged_games,
    split,
    summary,
)
from heckmeck.record import Record
from heckmeck.rules import HouseRules
from tests.bots.games import bot_game


def everybody_in(*records: Record) -> list[Appearance]:
    """Every player of these games, as ``heckmeck stats`` judges them."""
    judged = [*judged_games(records)]
    return [
        each
        for number, (record, game) in enumerate(zip(records, judged, strict=True))
        if game is not None
        for each in appearances(record, game, number)
    ]


def test_games_judged_together_have_the_figures_of_their_reviews() -> None:
    """Of several editions and numbers of players, and some that no champion knows."""
    games = [
        bot_game(edition, seats, seed=seed, bot=player("chick"), words=150)
        for seed in (1, 2)
        for edition, seats in (("deluxe", 4), ("junior", 2), ("barbecue", 3), ("classic", 4))
    ]
    house = Record("classic", ("Ada", "Ben"), house=HouseRules(flip_always=True))
    judged = [*judged_games([*games[:3], house, *games[3:]])]
    assert judged.pop(3) is None
    for record, game in zip(games, judged, strict=True):
        assert game is not None
        totals = review(record).players
        assert [game.totals(seat) for seat in range(len(record.seats))] == totals


@pytest.mark.parametrize("edition", ["junior", "deluxe"])
def test_an_appearance_has_the_figures_of_the_review(edition: str) -> None:
    record = bot_game(edition, 3, seed=5, bot=player("chick"), words=300)
    found, judged = everybody_in(record), review(record)
    for each, totals in zip(found, judged.players, strict=True):
        assert each.given_away == pytest.approx(totals.given_away)
        assert each.luck == pytest.approx(totals.luck)
        assert each.evaluator == judged.evaluator
        assert each.result == totals.result
        rate = summary([each]).error_rate
        assert rate is not None
        assert rate.mean == pytest.approx(totals.error_rate)
        assert rate.count == totals.counted
        assert rate.error is None


def test_games_with_the_same_dice_are_one_observation() -> None:
    game = bot_game("junior", 2, seed=1, bot=player("chick"))
    pair = [
        Record("junior", names, moves=game.moves, extra={"arena": {"seed": 7, "game": number}})
        for number, names in enumerate([("Ada", "Ben"), ("Ben", "Ada")])
    ]
    found = everybody_in(*pair)
    ada = summary([each for each in found if each.player == "Ada"])
    assert (ada.games, ada.luck.error) == (2, None)
    assert ada.luck.mean == pytest.approx(0)
    alone = everybody_in(game, game)
    assert summary([each for each in alone if each.player == "Ada"]).luck.error == 0


def test_parts_add_up_to_the_whole() -> None:
    games = [bot_game("junior", 3, seed=seed, bot=player("chick")) for seed in range(3)]
    found = everybody_in(*games)
    own = [each for each in found if each.player == "Ada"]
    whole = summary(own).given_away.mean
    assert list(given_away_by(own, "phase")) == [*PHASES]
    for by in ("phase", "decision"):
        parts = given_away_by(own, by).values()
        assert sum(each.mean for each in parts) == pytest.approx(whole)
    for by in ("edition", "opponent", "seat"):
        assert sum(each.games for each in split(own, by).values()) == 3


def test_an_estimate_by_hand() -> None:
    assert estimate([]) is None
    assert estimate([("a", 2.0, 1)]) == Estimate(2.0, None, 1)
    found = estimate([("a", 1.0, 1), ("a", 3.0, 1), ("b", 8.0, 2)])
    assert found is not None
    assert (found.mean, found.count) == (3.0, 4)
    assert found.error == pytest.approx((2 * (2.0**2 + 2.0**2)) ** 0.5 / 4)
