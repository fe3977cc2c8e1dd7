"""Luck from a seed: repeatable, and fair."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heckmeck.dice_source import Seed, SeededLuck, fresh_seed
from heckmeck.rules import apply, new_game, parse, throws, word

SEEDS = st.integers() | st.text()


def numbers(seed: Seed, limit: int = 1000) -> list[int]:
    luck = SeededLuck(seed)
    return [luck.below(limit) for _ in range(20)]


@given(SEEDS)
def test_the_same_seed_makes_the_same_luck(seed: Seed) -> None:
    assert numbers(seed) == numbers(seed)


def test_the_stream_of_a_seed_never_changes() -> None:
    """Seeds are written down and shared: these numbers hold on every machine and for years."""
    luck = SeededLuck(7)
    assert [luck.below(6) for _ in range(10)] == [2, 1, 3, 5, 0, 0, 4, 0, 2, 4]
    luck = SeededLuck("grill")
    assert [luck.below(6) for _ in range(10)] == [0, 4, 3, 2, 2, 5, 5, 4, 0, 3]


def test_the_number_7_and_the_text_7_are_two_seeds() -> None:
    assert numbers(7) != numbers("7")


@given(st.text(st.characters()))
@example("\ud800")
@example("\udcff")
def test_any_text_that_python_can_hold_is_a_seed(seed: str) -> None:
    """Half a surrogate pair too: JSON and a command line can bring one."""
    assert numbers(seed) == numbers(seed)


def test_two_streams_do_not_disturb_each_other() -> None:
    alone = numbers(1)
    one, two = SeededLuck(1), SeededLuck(2)
    together = []
    for _ in range(20):
        together.append(one.below(1000))
        two.below(1000)
    assert together == alone


@given(SEEDS, st.integers(1, 10**9))
def test_numbers_are_below_their_limit(seed: Seed, limit: int) -> None:
    assert all(0 <= number < limit for number in numbers(seed, limit))


@pytest.mark.parametrize("limit", [0, -1])
def test_there_is_no_number_below_nothing(limit: int) -> None:
    with pytest.raises(ValueError, match="empty range"):
        SeededLuck(1).below(limit)


def test_every_number_comes_up_about_equally_often() -> None:
    """A chi-squared of 5 degrees of freedom is above 25 once in ten thousand; the seed is fixed."""
    luck = SeededLuck(1)
    found = [luck.below(6) for _ in range(60_000)]
    counts = [found.count(number) for number in range(6)]
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 25


def test_a_choice_is_one_of_the_options() -> None:
    luck = SeededLuck(3)
    assert {luck.choice("WBCGK") for _ in range(200)} == set("WBCGK")


def test_a_throw_is_one_that_can_fall() -> None:
    state = apply(new_game("classic", 2), parse("roll")).state
    luck = SeededLuck(7)
    fallen = [luck.throw(throws(state)) for _ in range(50)]
    assert all(throw in throws(state).throws for throw in fallen)
    assert len(set(map(word, fallen))) > 25


def test_fresh_seeds_are_short_and_differ() -> None:
    seeds = [fresh_seed() for _ in range(20)]
    assert all(0 <= seed < 10**9 for seed in seeds)
    assert len(set(seeds)) > 15
