"""What can be played, who plays whom, where, and with which dice."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from heckmeck.arena import tournament
from heckmeck.arena.tournament import BadTournament, Tournament
from heckmeck.bots import Bot, find_bot
from heckmeck.rules import BadSetup
from tests.bots.programs import bot_name

GOOD = Tournament("barbecue", ("fox", "chick"), seats=2, games=10, seed=1)


def test_a_good_one_passes(tmp_path: Path) -> None:
    GOOD.check()
    replace(GOOD, bots=("fox", bot_name(tmp_path)), seats=5).check()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (replace(GOOD, seats=6), "barbecue is for 2 to 5 players, not for 6."),
        (replace(GOOD, seats=1), "barbecue is for 2 to 5 players, not for 1."),
        (replace(GOOD, games=0), "A tournament must have at least one game, not 0."),
        (replace(GOOD, games=-3), "A tournament must have at least one game, not -3."),
        (replace(GOOD, bots=("fox",)), "needs at least two bots. To let one play against itself"),
        (replace(GOOD, bots=("fox", "wolf")), "There is no bot 'wolf'. The bots are random, "),
        (replace(GOOD, bots=("fox", "")), "There is no bot ''. The bots are random, "),
        (replace(GOOD, bots=("fox", "exec:./wolf")), "There is no program './wolf' to run."),
        (replace(GOOD, move_seconds=0), "more than 0 seconds"),
        (replace(GOOD, move_seconds=float("nan")), "more than 0 seconds"),
    ],
)
def test_a_bad_one_is_refused(bad: Tournament, message: str) -> None:
    with pytest.raises((BadSetup, BadTournament)) as caught:
        bad.check()
    assert message in str(caught.value)


def test_an_unknown_edition_is_refused() -> None:
    with pytest.raises(BadSetup, match="There is no edition 'chess'"):
        replace(GOOD, edition="chess").check()


def test_a_bot_named_twice_has_one_name() -> None:
    assert replace(GOOD, bots=("fox", "fox", "chick")).names == ("fox", "chick")


def test_a_round_has_every_line_up_in_every_rotation() -> None:
    assert GOOD.round_games == 2
    assert replace(GOOD, bots=("random", "chick", "rooster", "fox"), seats=3).round_games == 12


def test_a_bot_that_does_not_know_the_game_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def classic_only(name: str, *, outside: bool) -> Bot:
        return replace(find_bot(name, outside=outside), editions=("classic",))

    monkeypatch.setattr(tournament, "find_bot", classic_only)
    with pytest.raises(BadTournament, match=r"^fox does not play barbecue\.$"):
        GOOD.check()


# --- games by number ------------------------------------------------------------------------------


def schedule(bots: tuple[str, ...], seats: int, seed: int) -> Tournament:
    return Tournament("classic", bots, seats, 100, seed)


def test_a_line_up_plays_in_every_rotation_with_the_same_dice() -> None:
    games = list(schedule(("a", "b", "c"), seats=3, seed=1).fixtures(0, 6))
    assert [game.bots for game in games[:3]] == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
    ]
    assert len({game.dice for game in games[:3]}) == 1
    assert len({game.dice for game in games}) == 2


def test_every_pair_meets_equally_often_on_every_seat() -> None:
    games_of = schedule(("a", "b", "c", "d"), seats=2, seed=1)
    seated = Counter(game.bots for game in games_of.fixtures(0, 24))
    assert seated == {
        pair: 2 for one in combinations("abcd", 2) for pair in (one, tuple(reversed(one)))
    }


@pytest.mark.parametrize(("bots", "seats"), [("ab", 4), ("abc", 4), ("ab", 3), ("abc", 7)])
def test_few_bots_share_all_seats_equally(bots: str, seats: int) -> None:
    games_of = schedule(tuple(bots), seats, seed=1)
    games = seats * len(games_of.line_ups)
    seated = Counter(
        (bot, seat) for game in games_of.fixtures(0, games) for seat, bot in enumerate(game.bots)
    )
    assert set(seated.values()) == {games // len(bots)}


def test_a_game_depends_on_its_number_alone() -> None:
    games_of = schedule(("a", "b", "c"), seats=2, seed=5)
    assert list(games_of.fixtures(0, 40))[17:23] == list(games_of.fixtures(17, 6))


def test_another_seed_brings_other_dice() -> None:
    one, other = (next(schedule(("a", "b"), 2, seed).fixtures(0, 1)) for seed in (1, 2))
    assert one.bots == other.bots
    assert one.dice != other.dice
