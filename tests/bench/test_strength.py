"""The measure of strength: public bots as they are described, and pairs counted right."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from bench import best_answer, calibration, deciding, given_away, small_boards
from bench.pairs import Measured, Pair, balanced, every_pair, measure
from bench.public_bots import PUBLIC, TurnExpectation, find, names
from bench.strength import RESULTS, Plan, Results, pairs
from bench.strength_page import HEAD, PAGE, cross_tables
from heckmeck import rules
from heckmeck.dice import SeededLuck
from heckmeck.rules.endings import NOTHING, StealTile, TakeTile, WhyNothing
from heckmeck.solver import endings_at, position_of
from heckmeck.values.worms import WORMS
from tests.bots.games import bot_game
from tests.property.positions import positions


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
    found = measure(Pair("classic", 2, "fox", "expect-2", 4, seed=1))
    assert (found.share, found.error, found.games) == (0.5, 0.0, 4)
    assert not found.is_clear


@pytest.mark.parametrize(("seats", "games"), [(2, 100), (3, 102), (7, 112)])
def test_games_are_rounded_up_to_whole_rounds(seats: int, games: int) -> None:
    assert balanced(100, seats) == games


def test_a_few_deals_that_happen_to_agree_prove_nothing() -> None:
    few = Measured("deluxe", 7, "fox", "chick", 28, 1, 0.64, 0.0, 30.0, 1.0)
    assert few.half == pytest.approx(1.96 * (0.64 * 0.36 / 28) ** 0.5, rel=1e-3)
    assert not few.is_clear
    many = Measured("deluxe", 7, "fox", "fox", 2800, 1, 0.5, 0.0, 30.0, 1.0)
    assert many.half == 0


def test_every_pair_once_the_champion_first() -> None:
    assert every_pair("abc") == [("b", "a"), ("c", "a"), ("c", "b")]
    found = pairs("classic-2", Plan(20, 2, 4, seed=1))
    everybody = names("classic", 2)
    assert len(found) == len(everybody) * (len(everybody) - 1) // 2
    assert all(
        pair.other not in {"champion", "grandmaster"} or pair.one == "grandmaster" for pair in found
    )


def test_the_page_says_who_came_closest() -> None:
    rows = [
        Measured("junior", 2, "grandmaster", "champion", 200, 1, 0.51, 0.03, 14.0, 1.0),
        Measured("junior", 2, "champion", "fox", 100, 1, 0.56, 0.01, 14.0, 1.0),
        Measured("junior", 2, "champion", "chick", 100, 1, 0.8, 0.01, 14.0, 1.0),
        Measured("junior", 2, "fox", "chick", 150, 1, 0.7, 0.02, 14.0, 1.0),
    ]
    page = cross_tables(rows)
    assert "| bot | junior |" in page
    assert "| champion | 56.0 ± 2.0 |\n| fox | 50 |\n| chick | 30.0 ± 3.9 |" in page
    assert "| junior | 2 | fox | 56.0 ± 2.0 | 100 | yes | 51.0 ± 5.9 |" in page
    assert "| **fox** | 44.0 ± 2.0 |  |  | 70.0 ± 3.9 |" in page
    assert "100 for pairs of the champion, 200 for pairs of the grandmaster, 150 for all" in page


def test_results_are_kept_and_count_as_long_as_nothing_changed(tmp_path: Path) -> None:
    path = tmp_path / "strength.json"
    pair = Pair("junior", 2, "rooster", "chick", 4, seed=1)
    Results(path).add(pair, measure(pair))
    assert Results(path).has(pair)
    assert Results(path).has(Pair("junior", 2, "rooster", "chick", 2, seed=1))
    assert not Results(path).has(Pair("junior", 2, "rooster", "chick", 8, seed=1))
    assert not Results(path).has(Pair("junior", 2, "rooster", "chick", 4, seed=2))


def test_the_page_is_what_its_programs_write() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.startswith(HEAD)
    assert cross_tables(Results(RESULTS).all()) in page
    for program in (best_answer, calibration, deciding, given_away, small_boards):
        assert program.ABOUT.strip() in page
