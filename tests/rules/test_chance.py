"""Chance made explicit."""

from collections import Counter

import pytest

from heckmeck import rules
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import BARBECUE_DICE, JUNIOR_DICE, NUMBER_DICE
from heckmeck.rules.dice import DiceSet
from heckmeck.rules.events import ThrowWasDead
from heckmeck.rules.moves import Throw
from heckmeck.rules.turn import NO_CHANCE, Chances, chances
from tests.rules.story import (
    GOLDEN,
    Story,
    barbecue_table,
    classic_table,
    deluxe_table,
    given,
    junior_table,
    new_story,
)


def weights(of: Chances) -> dict[Throw, int]:
    return dict(of)


@pytest.mark.parametrize("golden", [False, True])
@pytest.mark.parametrize("dice", [NUMBER_DICE, BARBECUE_DICE, JUNIOR_DICE])
def test_weights_sum_to_the_total_for_every_number_of_dice(dice: DiceSet, golden: bool) -> None:
    for count in range(dice.count + 1):
        all_throws = chances(dice, count, golden)
        assert all_throws.total == sum(all_throws.weights) == 6 ** (count + golden)
        assert all_throws.cumulative[-1] == all_throws.total
        assert len(all_throws) == len(set(all_throws.throws)) == len(all_throws.weights)
        assert len(all_throws) == len(chances(dice, count)) * (2 if golden else 1)
        assert all(weight > 0 for weight in all_throws.weights)


def test_the_golden_die_falls_beside_each_throw_of_the_white_ones() -> None:
    plain, with_golden = chances(NUMBER_DICE, 8), chances(NUMBER_DICE, 8, golden=True)
    assert len(with_golden) == 2574
    assert with_golden.total == 6**9
    assert weights(with_golden) == {
        Throw(throw.dice, face): 3 * ways for throw, ways in plain for face in "1W"
    }


def test_each_throw_fills_its_weight() -> None:
    two = chances(JUNIOR_DICE, 2)
    assert Counter(map(two.at, range(two.total))) == weights(two)
    assert weights(two)[Throw("WW")] == 4
    assert weights(two)[Throw("WB")] == 4
    assert weights(two)[Throw("BB")] == 1


def test_the_first_and_the_last_position() -> None:
    eight = chances(NUMBER_DICE, 8)
    assert eight.at(0) == Throw("11111111")
    assert eight.at(1) == Throw("11111112")
    assert eight.at(eight.total - 1) == Throw("WWWWWWWW")
    with pytest.raises(IndexError):
        eight.at(eight.total)


@pytest.mark.parametrize(
    ("edition", "throws", "total"),
    [
        ("classic", 1287, 6**8),
        ("deluxe", 1287, 6**8),
        ("barbecue", 1287, 6**8),
        ("junior", 210, 6**6),
    ],
)
def test_first_throws_of_every_edition(edition: str, throws: int, total: int) -> None:
    state = rules.apply(rules.new_game(edition, 2), rules.parse("roll")).state
    first = rules.throws(state)
    assert (len(first), first.total) == (throws, total)
    for throw, _ in first:
        assert rules.apply(state, throw).state.phase == throw  # the first throw is never dead


def test_a_first_throw_with_the_golden_die() -> None:
    story = given(deluxe_table(held=(GOLDEN,))).play("roll:golden")
    assert len(story.game.throws(story.state)) == 2574


def test_only_the_dice_in_hand_fall() -> None:
    story = given(classic_table(), kept="11WWW").play("roll")
    assert weights(story.game.throws(story.state)) == weights(chances(NUMBER_DICE, 3))


def test_no_throws_while_no_dice_are_in_the_air() -> None:
    story = new_story(ClassicTable)
    for words in ("", "roll =11234WWW", "roll =11234WWW keep:W"):
        now = story.play(words)
        assert now.game.throws(now.state) is NO_CHANCE
    assert len(NO_CHANCE) == NO_CHANCE.total == 0
    assert list(NO_CHANCE) == []


def dead_by_counting(story: Story[rules.Table]) -> float:
    """The share of all throws that turn out dead."""
    falling = story.play("roll")
    all_throws = story.game.throws(falling.state)
    dead = [
        weight
        for throw, weight in all_throws
        if ThrowWasDead(0) in story.game.apply(falling.state, throw).events
    ]
    return sum(dead) / all_throws.total


@pytest.mark.parametrize("kept", ["5", "WW", "5W", "1123WW", "112345W", "11234WW"])
@pytest.mark.parametrize("table", [classic_table(), deluxe_table()])
def test_the_chance_of_a_dead_throw(table: rules.Table, kept: str) -> None:
    story = given(table, kept=kept)
    assert rules.dead_chance(story.state) == dead_by_counting(story) > 0


@pytest.mark.parametrize("kept", ["6", "WW", "3W6", "12344W6", "111W66"])
def test_the_chance_of_a_dead_throw_in_barbecue(kept: str) -> None:
    story: Story[rules.Table] = given(barbecue_table(), kept=kept)
    assert rules.dead_chance(story.state) == dead_by_counting(story) > 0


@pytest.mark.parametrize("kept", ["W", "B", "WB", "WWCG", "WBCG"])
def test_the_chance_of_a_dead_throw_in_junior(kept: str) -> None:
    story: Story[rules.Table] = given(junior_table(), kept=kept)
    assert rules.dead_chance(story.state) == dead_by_counting(story) > 0


@pytest.mark.parametrize(
    ("kept", "hand", "dead"),
    [("5", 7, 0), ("W", 7, 1 / 6**7 / 2), ("1W", 6, 2**6 / 6**6), ("2222WWWW", 0, 1 / 2)],
)
def test_the_chance_of_a_dead_throw_with_the_golden_die(kept: str, hand: int, dead: float) -> None:
    story: Story[rules.Table] = given(
        deluxe_table(held=(GOLDEN,)), kept=kept, hand=hand, golden=True
    )
    assert rules.dead_chance(story.state) == dead_by_counting(story) == pytest.approx(dead)


def test_a_first_throw_is_never_dead() -> None:
    for edition in rules.EDITIONS:
        assert rules.dead_chance(rules.new_game(edition, 2)) == 0
