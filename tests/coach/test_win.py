"""The chance to win: who weighs, and everybody's chances at every moment."""

import pytest

from heckmeck import rules
from heckmeck.bots import player
from heckmeck.coach import NoChampion
from heckmeck.coach.advice import advise
from heckmeck.coach.review import review
from heckmeck.dice import SeededLuck
from heckmeck.record import replay
from heckmeck.values import WORMS, value_for, value_of_bot
from tests.bots.games import bot_game
from tests.coach.champions import with_champions, without_champions

HOUSE = rules.HouseRules(flip_always=True)


def test_a_champion_weighs_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with_champions(monkeypatch)
    table = rules.new_game("classic", 3).table
    assert value_for(table).unit == "win"
    assert value_for(table, "worms").unit == "worms"


def test_worms_are_counted_where_no_champion_knows_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_champions(monkeypatch)
    table = rules.new_game("classic", 2, house=HOUSE).table
    assert value_for(table).unit == "worms"
    with pytest.raises(NoChampion, match="No champion has learned classic with these rules"):
        value_for(table, "win")


def test_worms_are_counted_where_there_is_no_champion(monkeypatch: pytest.MonkeyPatch) -> None:
    without_champions(monkeypatch)
    assert value_for(rules.new_game("junior", 2).table).unit == "worms"
    assert value_of_bot("fox", "classic") is WORMS
    with pytest.raises(NoChampion, match="champion has not learned"):
        value_of_bot("champion", "classic")


@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_advice_is_a_chance(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_champions(monkeypatch)
    state = rules.apply(rules.new_game(edition, 3), rules.parse("roll")).state
    state = rules.apply(state, next(throw for throw, _ in rules.throws(state))).state
    advice = advise(state)
    assert advice.unit == "win"
    assert all(0 <= item.worth <= 1 for item in advice.moves)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_chances_at_every_moment(edition: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They sum to 1, and the player to choose has the chance of the best move."""
    with_champions(monkeypatch)
    record = bot_game(edition, seats, seed=3, words=60)
    found = review(record)
    assert found.unit == "win"
    assert found.chances is not None
    assert len(found.chances) == len(record.moves) + 1
    for row in found.chances:
        assert len(row) == seats
        assert sum(row) == pytest.approx(1, abs=1e-12)
    jumps = {jump.index: jump.by_seat for jump in found.jumps}
    for decision in found.decisions:
        jump = jumps.get(decision.index, [0.0] * seats)[decision.seat]
        mine = found.chances[decision.index][decision.seat] + jump
        assert mine == pytest.approx(decision.choices[0].worth, abs=1e-5)


def test_a_finished_game_is_won_for_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    with_champions(monkeypatch)
    record = bot_game("junior", 3, seed=5)
    (*_, last) = replay(record)
    outcome = rules.outcome(last.state)
    assert outcome is not None
    chances = review(record).chances
    assert chances is not None
    assert [seat for seat, share in enumerate(chances[-1]) if share] == [*outcome.winners]
    assert sum(chances[-1]) == pytest.approx(1)


@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_the_champion_plays_what_the_coach_advises(edition: str) -> None:
    record = bot_game(edition, 3, seed=8, words=150)
    champion, luck = player("champion"), SeededLuck(0)
    asked = [step.state for step in replay(record) if rules.legal(step.state)]
    for state in asked:
        assert rules.word(champion.choose(state, luck)) == advise(state, "win").moves[0].move


def test_a_review_in_worms_tells_no_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    with_champions(monkeypatch)
    found = review(bot_game("classic", words=20), "worms")
    assert (found.unit, found.chances) == ("worms", None)
