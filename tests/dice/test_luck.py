"""Luck: repeatable from a seed, by counting, or as written; and fair."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heckmeck.dice import CountedLuck, ScriptedLuck, Seed, SeededLuck, fresh_seed, key_of
from heckmeck.dice.luck import mixed
from heckmeck.rules import apply, new_game, parse, throws, word
from heckmeck.rules.components import NUMBER_DICE
from heckmeck.rules.moves import Throw
from heckmeck.rules.turn import chances

# --- from a seed ----------------------------------------------------------------------------------


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


# --- by counting ----------------------------------------------------------------------------------


KEYS = st.integers(-(2**70), 2**70)


def counted(key: int, limit: int = 1000, count: int = 20) -> list[int]:
    luck = CountedLuck(key)
    return [luck.below(limit) for _ in range(count)]


def test_these_are_the_published_numbers_of_splitmix64() -> None:
    """The first five for the seed 1234567, as every implementation has them."""
    step = 0x9E3779B97F4A7C15
    assert [mixed((1234567 + count * step) % 2**64) for count in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(KEYS)
def test_the_same_key_makes_the_same_luck(key: int) -> None:
    assert counted(key) == counted(key)


@given(KEYS, st.integers(1, 2**63))
def test_counted_numbers_are_below_their_limit(key: int, limit: int) -> None:
    assert all(0 <= number < limit for number in counted(key, limit, count=5))


@pytest.mark.parametrize("limit", [1, 2, 6, 8])
def test_every_counted_number_comes_up_about_equally_often(limit: int) -> None:
    """A chi-squared of 7 degrees of freedom is above 30 once in ten thousand; the key is fixed."""
    found = counted(key=1, limit=limit, count=40_000)
    expected = 40_000 / limit
    counts = [found.count(number) for number in range(limit)]
    assert sum((count - expected) ** 2 / expected for count in counts) < 30


def test_large_limits_do_not_favour_small_counted() -> None:
    """Below three quarters of 2**64 a third of all numbers is in the first third, not the half."""
    found = counted(key=1, limit=3 * 2**62, count=3000)
    assert 900 < sum(number < 2**62 for number in found) < 1100


@given(st.lists(KEYS, min_size=1, max_size=4))
def test_a_key_for_several_numbers_depends_on_all_of_them_and_their_order(parts: list[int]) -> None:
    key = key_of(*parts)
    assert key == key_of(*parts)
    assert 0 <= key < 2**64
    assert key_of(*parts, 0) != key
    assert key_of(parts[0] + 1, *parts[1:]) != key


def test_keys_depend_on_the_order() -> None:
    assert key_of(1, 2) != key_of(2, 1)


# --- as written -----------------------------------------------------------------------------------


TWO_DICE = chances(NUMBER_DICE, 2)
ONE_DIE = chances(NUMBER_DICE, 1)


def test_throws_fall_in_the_order_of_the_script() -> None:
    with ScriptedLuck([Throw("1W"), Throw("4")]) as luck:
        assert luck.throw(TWO_DICE) == Throw("1W")
        assert luck.throw(ONE_DIE) == Throw("4")


def test_every_throw_of_the_script_has_to_be_used() -> None:
    unused = pytest.raises(LookupError, match="2 throws of the script were not used")
    with unused, ScriptedLuck([Throw("1W"), Throw("4"), Throw("5")]) as luck:
        luck.throw(TWO_DICE)


def test_an_empty_script_is_used_up() -> None:
    with ScriptedLuck([]) as luck:
        assert isinstance(luck, ScriptedLuck)


def test_another_error_is_not_hidden_by_unused_throws() -> None:
    with pytest.raises(ZeroDivisionError), ScriptedLuck([Throw("1W")]):
        raise ZeroDivisionError


def test_a_script_that_is_too_short_says_so() -> None:
    luck = ScriptedLuck([Throw("4")])
    luck.throw(ONE_DIE)
    with pytest.raises(LookupError, match="the script has only 1 throws"):
        luck.throw(ONE_DIE)


def test_a_throw_that_cannot_fall_here_is_refused_and_stays_next() -> None:
    luck = ScriptedLuck([Throw("1W")])
    with pytest.raises(LookupError, match="number 0 of the script, cannot fall here"):
        luck.throw(ONE_DIE)
    assert luck.throw(TWO_DICE) == Throw("1W")


def test_a_golden_face_cannot_fall_without_the_golden_die() -> None:
    luck = ScriptedLuck([Throw("1W", "W")])
    with pytest.raises(LookupError, match="cannot fall here"):
        luck.throw(TWO_DICE)


def test_a_script_holds_throws_and_nothing_else() -> None:
    luck = ScriptedLuck([Throw("1W")])
    with pytest.raises(LookupError, match="not a number below 3"):
        luck.below(3)
    with pytest.raises(LookupError, match="not a number below 2"):
        luck.choice(["roll", "stop"])
