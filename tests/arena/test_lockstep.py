"""Games side by side are the games one after the other."""

from collections.abc import Sequence

import pytest

from heckmeck.arena import tournament
from heckmeck.arena.tournament import Fixture, Tournament, Unfinished, play
from heckmeck.bots import Player, player
from heckmeck.dice import Luck
from heckmeck.record import Record, final_state
from heckmeck.rules import EDITIONS, AnyState, Move, outcome
from heckmeck.rules.moves import STOP


def fixtures(count: int, *bots: str) -> list[Fixture]:
    return list(Tournament("classic", bots, len(bots), count, seed=2).fixtures(0, count))


@pytest.mark.machine
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_is_the_same_alone_and_among_others(edition: str) -> None:
    together = {game.fixture.number: game for game in play(edition, fixtures(8, "fox", "rooster"))}
    assert sorted(together) == list(range(8))
    for fixture in fixtures(8, "fox", "rooster")[::3]:
        assert list(play(edition, [fixture])) == [together[fixture.number]]


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_told_of_a_game_is_what_its_moves_say(edition: str) -> None:
    for game in play(edition, fixtures(3, "chick", "rooster", "chick")):
        end = outcome(final_state(Record(edition, game.fixture.bots, moves=game.moves)))
        assert end is not None
        assert (game.scores, game.ranking, game.winners) == (end.scores, end.ranking, end.winners)
        assert 10 < game.turns < len(game.moves)


class Counting:
    """Plays as another, and remembers at how many tables it was asked at once."""

    def __init__(self, other: Player) -> None:
        self.other = other
        self.most = 0

    def choose(self, state: AnyState, luck: Luck) -> Move:
        return self.other.choose(state, luck)

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        self.most = max(self.most, len(states))
        return self.other.choose_all(states, lucks)


def test_only_so_many_games_run_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "SIDE_BY_SIDE", 5)
    counting = Counting(player("chick"))
    games = list(play("junior", fixtures(23, "chick", "chick"), lambda _: counting))
    assert sorted(game.fixture.number for game in games) == list(range(23))
    assert counting.most == 5


class Stubborn:
    """Never stops: rolls until the throw is dead."""

    def choose(self, state: AnyState, luck: Luck) -> Move:
        return self.choose_all([state], [luck])[0]

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        return [
            next(move for move in EDITIONS["classic"].legal(state) if move is not STOP)
            for state in states
        ]


def test_a_game_that_takes_too_long_is_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "MAX_MOVES", 100)
    with pytest.raises(Unfinished, match=r"game 0 \(a, b\) does not end: 100 moves were played"):
        list(play("classic", fixtures(1, "a", "b"), lambda _: Stubborn()))
