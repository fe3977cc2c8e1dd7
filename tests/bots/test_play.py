"""Every bot of the registry, at every table it says it can sit at."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heckmeck.bots import BOTS, Bot, player
from heckmeck.dice import Luck, SeededLuck
from heckmeck.record import final_state, replay
from heckmeck.rules import EDITIONS, HouseRules, apply, legal, new_game, outcome, parse
from tests.bots.games import bot_game

#: Thousands of moves by bots: what they cover is covered elsewhere, and counting it costs minutes.
pytestmark = pytest.mark.no_cover

SEATED = [(bot, edition) for bot in BOTS.values() for edition in bot.editions]


def name_of(part: Bot | str | int) -> str:
    return part.name if isinstance(part, Bot) else str(part)


@pytest.mark.parametrize(("bot", "edition"), SEATED, ids=name_of)
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32), flips=st.booleans())
def test_a_bot_chooses_nothing_but_legal_moves(
    bot: Bot, edition: str, data: st.DataObject, seed: int, flips: bool
) -> None:
    """`bot_game` asserts it at each move; house rules lead to tables that others do not."""
    seats = data.draw(st.sampled_from(EDITIONS[edition].players), label="seats")
    flips = flips and EDITIONS[edition].has_house_rules
    house = HouseRules(flip_always=flips, flip_returned=flips)
    record = bot_game(edition, seats, seed, bot=player(bot.name), house=house, words=200)
    assert len(record.moves) == 200 or outcome(final_state(record)) is not None


@pytest.mark.parametrize(
    ("bot", "edition", "seats"),
    [(bot, edition, seats) for bot, edition in SEATED for seats in EDITIONS[edition].players],
    ids=name_of,
)
def test_a_bot_plays_to_the_end(bot: Bot, edition: str, seats: int) -> None:
    record = bot_game(edition, seats, seed=seats, bot=player(bot.name))
    end = outcome(final_state(record))
    assert end is not None, f"not over after {len(record.moves)} words"
    assert len(end.scores) == seats


@pytest.mark.parametrize(("bot", "edition"), SEATED, ids=name_of)
def test_the_same_luck_makes_the_same_game(bot: Bot, edition: str) -> None:
    once, again, other = (
        bot_game(edition, 3, seed, bot=player(bot.name), words=300) for seed in (5, 5, 6)
    )
    assert once == again
    assert once != other


@pytest.mark.parametrize(("bot", "edition"), SEATED, ids=name_of)
def test_what_a_bot_has_seen_before_does_not_change_what_it_plays(bot: Bot, edition: str) -> None:
    fresh = bot_game(edition, 3, seed=9, bot=bot.load(), words=200)
    assert bot_game(edition, 3, seed=9, bot=player(bot.name), words=200) == fresh


@pytest.mark.machine
@pytest.mark.parametrize(("bot", "edition"), SEATED, ids=name_of)
def test_many_tables_at_once_are_played_as_each_alone(bot: Bot, edition: str) -> None:
    games = [bot_game(edition, seats, seed=seats, words=120) for seats in (2, 3, 5)]
    states = [step.state for game in games for step in replay(game) if legal(step.state)]
    lucks = [SeededLuck(number) for number in range(len(states))]
    alone = [
        bot.load().choose(state, SeededLuck(number)) for number, state in enumerate(states[:40])
    ]
    assert bot.load().choose_all(states, lucks)[:40] == alone


def test_a_player_is_made_once() -> None:
    assert player("random") is player("random")


class OneNumber(Luck):
    """Luck that always comes up with the same number, and remembers out of how many."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.limits: list[int] = []

    def below(self, limit: int) -> int:
        self.limits.append(limit)
        return self.number


def test_the_random_bot_takes_each_legal_move_for_one_number_of_its_luck() -> None:
    state = new_game("classic", 2)
    for text in ("roll", "=11234WWW"):
        state = apply(state, parse(text)).state
    offered = legal(state)
    assert len(offered) == 5
    for number, move in enumerate(offered):
        luck = OneNumber(number)
        assert player("random").choose(state, luck) == move
        assert luck.limits == [5]
