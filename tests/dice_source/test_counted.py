"""Luck by counting: the numbers of SplitMix64."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.dice_source import CountedLuck, key_of
from heckmeck.dice_source.counted import mixed

KEYS = st.integers(-(2**70), 2**70)


def numbers(key: int, limit: int = 1000, count: int = 20) -> list[int]:
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
    assert numbers(key) == numbers(key)


@given(KEYS, st.integers(1, 2**63))
def test_numbers_are_below_their_limit(key: int, limit: int) -> None:
    assert all(0 <= number < limit for number in numbers(key, limit, count=5))


@pytest.mark.parametrize("limit", [1, 2, 6, 8])
def test_every_number_comes_up_about_equally_often(limit: int) -> None:
    """A chi-squared of 7 degrees of freedom is above 30 once in ten thousand; the key is fixed."""
    found = numbers(key=1, limit=limit, count=40_000)
    expected = 40_000 / limit
    counts = [found.count(number) for number in range(limit)]
    assert sum((count - expected) ** 2 / expected for count in counts) < 30


def test_large_limits_do_not_favour_small_numbers() -> None:
    """Below three quarters of 2**64 a third of all numbers is in the first third, not the half."""
    found = numbers(key=1, limit=3 * 2**62, count=3000)
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
