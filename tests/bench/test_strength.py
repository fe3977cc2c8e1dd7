"""The measure of strength: public bots as they are described, and pairs counted right."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from bench import best_answer, calibration, deciding, endgames, given_away, small_boards, strength
from bench.pairs import FEWEST_GAMES, Measured, Pair, balanced, every_pair, measure
from bench.public_bots import PUBLIC, TurnExpectation, find, names
from bench.strength import RESULTS, Plan, Results, pairs, playing_of
from bench.strength_page import HEAD, PAGE, page, ratings
from heckmeck import rules
from heckmeck.dice import SeededLuck
from heckmeck.rules.endings import NOTHING, StealTile, TakeTile, WhyNothing
from heckmeck.solver import endings_at, position_of
from heckmeck.values.win import WinChance
from heckmeck.values.worms import WORMS
from tests.bots.games import bot_game
from tests.property.positions import positions
from tests.values.networks import opinionated


@given(positions("classic"))
def test_expect_n_is_fox_in_classic(state: rules.AnyState) -> None:
    expectation = TurnExpectation(lambda seats: 1 / (seats - 1))
    for endings in endings_at(position_of(state), 0):
        mine = expectation.endings(state.table, state.table, state.seat, endings)
        fox = WORMS.endings(state.table, state.table, state.seat, endings)
        assert mine == pytest.approx(fox)


def test_a_failed_attempt_costs_the_top_tile_and_a_theft_counts_by_its_weight() -> None:
    state = rules.new_game("classic", 2)
    for word in ["roll", "=11234WWW", "keep:W", "roll", "=12455", "keep:5", "stop"]:
        state, _ = rules.apply(state, rules.parse(word))
    table = state.table
    ends: list[rules.Ending] = [TakeTile(36), StealTile(25, 0), NOTHING[WhyNothing.NO_WORM]]
    assert TurnExpectation(lambda _: 1.0).endings(table, table, 1, ends) == [4, 4, 0]
    assert TurnExpectation(lambda _: 0.0).endings(table, table, 1, ends) == [4, 2, 0]
    careful = TurnExpectation(lambda _: 0.0, loss=3.0, nothing=1.0)
    assert careful.endings(table, table, 0, ends[2:]) == [-7]


@pytest.mark.parametrize("edition", rules.EDITIONS)
@pytest.mark.parametrize("name", PUBLIC)
def test_public_bots_play_every_edition(name: str, edition: str) -> None:
    bot_game(edition, 3, bot=find(name), words=80)


@given(positions("deluxe"))
@settings(max_examples=20)
def test_the_rule_of_thumb_is_legal(state: rules.AnyState) -> None:
    if rules.legal(state):
        assert find("thumb").choose(state, SeededLuck(1)) in rules.legal(state)


def test_nobody_plays_twice_under_two_names() -> None:
    assert "expect-n" not in names("deluxe", 2)
    assert "expect-n" not in names("classic", 4)
    assert "expect-n" in names("deluxe", 4)
    assert "expect-2" in names("classic", 2)


def test_equal_bots_with_equal_dice_are_equal() -> None:
    found = measure(Pair("classic", 2, "fox", "expect-2", 4, 0.01, seed=1))
    assert [found.share, found.error, found.games] == pytest.approx([0.5, 0, 4])
    assert not found.is_clear


@pytest.mark.parametrize(("seats", "games"), [(2, 100), (3, 102), (7, 112)])
def test_games_are_rounded_up_to_whole_rounds(seats: int, games: int) -> None:
    assert balanced(100, seats) == games


def test_a_pair_plays_until_its_error_is_small_enough() -> None:
    pair = Pair("junior", 2, "rooster", "chick", 2000, 0.5, seed=1)
    found = measure(pair)
    assert (found.games, found.precise) == (FEWEST_GAMES, 0.5)
    assert 0.5 < found.share < 1
    assert 0 < found.error < 0.05
    assert found.is_enough_for(pair)
    assert not found.is_enough_for(replace(pair, precise=found.error / 2))
    assert found.is_enough_for(replace(pair, precise=0, games=found.games))


def test_every_pair_once_the_champion_first() -> None:
    assert every_pair("abc") == [("b", "a"), ("c", "a"), ("c", "b")]
    found = pairs("classic-2", Plan())
    assert {(each.one, each.other) for each in found} >= {
        ("grandmaster", "champion"),
        ("champion", "fox"),
        ("champion", "careful"),
        ("fox", "thumb"),
    }
    assert all(pair.other != "grandmaster" for pair in found)
    assert len(found) == 15 + 2 * 4
    assert not {*PUBLIC} & {
        name for each in pairs("deluxe-4", Plan()) for name in (each.one, each.other)
    }


def result(table: tuple[str, int], one: str, other: str, share: float, error: float) -> Measured:
    return Measured(*table, one, other, 500, 0.01, 1, share, error, 14.0, 1.0)


def test_the_page_says_in_words_who_is_how_strong() -> None:
    rows = [
        result(("junior", 2), "grandmaster", "champion", 0.51, 0.003),
        result(("junior", 2), "champion", "fox", 0.56, 0.01),
        result(("junior", 2), "champion", "careful", 0.58, 0.01),
        result(("junior", 2), "fox", "chick", 0.7, 0.02),
        result(("junior", 4), "grandmaster", "champion", 0.49, 0.01),
    ]
    found = page(rows)
    assert "the champion wins 56.0 ± 2.0 in junior against `fox`" in found
    assert "clearly ahead of all bots" in found
    assert (
        "stronger than the champion in junior for two (51.0 ± 0.6); it is **no stronger** in"
        in (found)
    )
    assert "junior for four (49.0 ± 2.0)" in found
    assert "| 30.0 ± 3.9 |" in found
    assert "| **fox** |  | 44.0 ± 2.0 |  |  | 70.0 ± 3.9 |" in found


def test_ratings_are_relative_to_the_fox() -> None:
    rows = [
        result(("junior", 2), "champion", "fox", 10 / 11, 0.01),
        result(("junior", 2), "fox", "random", 1.0, 0.0),
    ]
    champion, fox = ratings(rows, "junior")
    assert (champion.name, fox.name, fox.rating) == ("champion", "fox", 1500)
    assert champion.rating == pytest.approx(1900, abs=5)


def test_results_are_kept_and_count_as_long_as_nothing_changed(tmp_path: Path) -> None:
    path = tmp_path / "strength.json"
    pair = Pair("junior", 2, "rooster", "chick", 4, 0.01, seed=1)
    Results(path).add(pair, measure(pair))
    assert Results(path).has(pair)
    assert Results(path).has(Pair("junior", 2, "rooster", "chick", 2, 0.01, seed=1))
    assert not Results(path).has(Pair("junior", 2, "rooster", "chick", 8, 0.01, seed=1))
    assert not Results(path).has(Pair("junior", 2, "rooster", "chick", 4, 0.01, seed=2))


@pytest.fixture
def forgetful() -> Iterator[None]:
    """How bots play is not remembered from one test to the next."""
    playing_of.cache_clear()
    yield
    playing_of.cache_clear()


@pytest.mark.usefixtures("forgetful")
def test_a_result_is_measured_again_when_a_bot_plays_differently(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair, path = Pair("junior", 2, "rooster", "chick", 4, 0.01, seed=1), tmp_path / "results.json"
    Results(path).add(pair, measure(pair))
    assert Results(path).has(pair)
    playing_of.cache_clear()
    Results(path).drop_if_stale(pair)
    assert len(Results(path).all()) == 1
    playing_of.cache_clear()
    monkeypatch.setattr(strength, "find", {"rooster": find("fox"), "chick": find("chick")}.get)
    assert not Results(path).has(pair)
    Results(path).drop_if_stale(pair)
    assert Results(path).all() == []


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("name", ["champion", "grandmaster"])
def test_a_result_is_measured_again_when_a_champion_sees_another_chance(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if that changes no move of the games that are looked at."""
    pair, path = Pair("junior", 2, name, "chick", 4, 0.01, seed=1), tmp_path / "results.json"
    Results(path).add(pair, measure(pair))
    assert Results(path).has(pair)
    playing_of.cache_clear()
    another = WinChance([opinionated("junior")], deeper=name == "grandmaster")
    monkeypatch.setattr(strength, "win_chance", lambda *_, **__: another)
    assert not Results(path).has(pair)


def test_the_page_is_what_its_programs_write() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(HEAD)
    assert page(Results(RESULTS).all()) in text
    for program in (best_answer, calibration, deciding, endgames, given_away, small_boards):
        assert program.ABOUT.strip() in text
