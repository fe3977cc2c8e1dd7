"""The only registry of bots."""

import pytest

from heckmeck.bots import BOTS, UnknownBot, find_bot
from heckmeck.rules import EDITIONS


def test_the_random_bot_is_there_for_every_edition() -> None:
    bot = find_bot("random")
    assert bot.level == 0
    assert bot.editions == tuple(EDITIONS)


def test_every_bot_is_found_by_its_own_name() -> None:
    for name, bot in BOTS.items():
        assert bot.name == name
        assert find_bot(name) is bot


def test_names_can_be_typed_and_listed_with_commas() -> None:
    assert all(name.isascii() and name == name.lower().strip() for name in BOTS)
    assert not any(sign in name for name in BOTS for sign in ", ")


def test_bots_are_listed_weakest_first() -> None:
    levels = [bot.level for bot in BOTS.values()]
    assert levels == sorted(levels)


def test_every_bot_says_who_it_is_and_what_it_plays() -> None:
    for bot in BOTS.values():
        assert bot.character
        assert bot.about.endswith(".")
        assert bot.editions
        assert set(bot.editions) <= set(EDITIONS)


def test_an_unknown_bot_is_answered_with_the_names_there_are() -> None:
    with pytest.raises(UnknownBot, match="There is no bot 'grandma'") as caught:
        find_bot("grandma")
    assert f"The bots are {', '.join(BOTS)}." in str(caught.value)


def test_a_name_of_a_million_letters_is_cut_short_in_the_message() -> None:
    with pytest.raises(UnknownBot) as caught:
        find_bot("x" * 1_000_000)
    assert len(str(caught.value)) < 500
