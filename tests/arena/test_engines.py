"""The compiled engine plays the games of the rules, word for word."""

import sys
from collections.abc import Sequence
from itertools import product

import pytest

from heckmeck.arena import tournament as arena
from heckmeck.arena.chunks import Chunk
from heckmeck.arena.tournament import Fixture, Tournament, Unfinished, play, play_by
from heckmeck.bots import Player, player
from heckmeck.bulk.games import IllegalAction
from heckmeck.cli import main
from heckmeck.dice import Luck, key_of
from heckmeck.rules import EDITIONS, AnyState, HouseRules, Move, legal, new_game
from heckmeck.rules.moves import STOP
from tests.bots.test_outside import EXAMPLE
from tests.bulk.positions import wander

LINE_UPS = [
    ("random", "random"),
    ("fox", "fox"),
    ("champion", "fox"),
    ("fox", "random", "champion"),
    ("champion", "random", "fox", "random", "champion"),
    ("chick", "rooster"),
    ("rooster", "chick", "rooster", "random"),
]


def check(edition: str, bots: tuple[str, ...], games: int, seed: int) -> None:
    fixtures = Tournament(edition, bots, len(bots), games, seed).fixtures
    by_rules = {each.fixture: each for each in play(edition, fixtures(0, games))}
    in_bulk = {each.fixture: each for each in play_by("bulk", edition, fixtures(0, games))}
    assert in_bulk == by_rules


@pytest.mark.parametrize("bots", LINE_UPS, ids="-".join)
@pytest.mark.parametrize("edition", EDITIONS)
def test_games_are_the_same_with_every_engine(edition: str, bots: tuple[str, ...]) -> None:
    check(edition, bots, 2 * len(bots), seed=len(bots))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_grandmaster_plays_the_same_games(edition: str) -> None:
    check(edition, ("grandmaster", "fox"), 2, seed=3)


@pytest.mark.soak
@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("edition", EDITIONS)
def test_many_games_are_the_same_with_every_engine(edition: str, seats: int) -> None:
    line_ups = (
        ("fox",),
        ("champion", "fox"),
        ("random", "fox"),
        ("grandmaster", "champion"),
        ("chick", "rooster"),
    )
    if seats in EDITIONS[edition].players:
        for bots in line_ups:
            check(edition, tuple(bots[seat % len(bots)] for seat in range(seats)), 60, seed=seats)


@pytest.mark.soak
@pytest.mark.parametrize(
    "house", [HouseRules(*flips) for flips in product((False, True), repeat=2)]
)
@pytest.mark.parametrize("edition", ["classic", "deluxe"])
def test_many_games_with_house_rules_are_the_same_with_every_engine(
    edition: str, house: HouseRules
) -> None:
    for seats in EDITIONS[edition].players:
        bots = ("fox", "rooster", "random", "chick", "fox", "rooster", "chick")[:seats]
        fixtures = [Fixture(number, bots, key_of(seats, number)) for number in range(40)]

        def start(_: Fixture, seats: int = seats) -> AnyState:
            return new_game(edition, seats, house=house)

        by_rules = {each.fixture: each for each in play(edition, fixtures, start=start)}
        in_bulk = play_by("bulk", edition, fixtures, start=start)
        assert {each.fixture: each for each in in_bulk} == by_rules


class Timid:
    """A player that nobody has registered; at times it lets luck decide."""

    def choose(self, state: AnyState, luck: Luck) -> Move:
        return self.choose_all([state], [luck])[0]

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        assert len({id(luck) for luck in lucks}) == len(states)
        return [
            legal(state)[-1] if luck.below(3) else luck.choice(legal(state))
            for state, luck in zip(states, lucks, strict=True)
        ]


def find(name: str) -> Player:
    return Timid() if name in ("timid", "rooster") else player(name)


@pytest.mark.parametrize("edition", EDITIONS)
def test_other_players_are_mixed_in_without_a_seam(edition: str) -> None:
    """Players that are not compiled sit at tables with those that are, also under their names."""
    fixtures = [
        Fixture(number, bots, key_of(5, number))
        for bots in (("timid", "fox", "chick"), ("rooster", "timid", "random"))
        for number in range(3)
    ]
    by_rules = {each.fixture: each for each in play(edition, fixtures, find)}
    assert {each.fixture: each for each in play_by("bulk", edition, fixtures, find)} == by_rules


def test_programs_are_mixed_in_without_a_seam() -> None:
    bots = ("fox", f"exec:{sys.executable} {EXAMPLE}")
    tournament = Tournament("junior", bots, 2, 4, seed=1)
    found = [Chunk(tournament, 0, 4, True, engine=engine).run() for engine in ("bulk", "rules")]
    assert found[0] == found[1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_continue_from_states_with_every_engine(edition: str) -> None:
    states = list(wander(edition, 3, seed=4, turns=6))

    def start(fixture: Fixture) -> AnyState:
        return states[fixture.number]

    fixtures = [
        Fixture(number, ("fox", "rooster", "chick"), key_of(6, number)) for number in range(6)
    ]
    by_rules = {each.fixture: each for each in play(edition, fixtures, start=start)}
    in_bulk = play_by("bulk", edition, fixtures, start=start)
    assert {each.fixture: each for each in in_bulk} == by_rules


def test_an_illegal_move_is_refused() -> None:
    class Stops(Timid):
        def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
            return [STOP for _ in states]

    fixtures = [Fixture(0, ("x", "x"), 1)]
    with pytest.raises(IllegalAction, match=r"stop is not allowed in game 0\. Legal there: keep"):
        list(play_by("bulk", "classic", fixtures, lambda _: Stops()))


def test_a_game_without_end_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "MAX_MOVES", 50)
    fixtures = Tournament("classic", ("random", "random"), 2, 2, seed=1).fixtures(0, 2)
    with pytest.raises(Unfinished, match=r"game \d \(random, random\) does not end: 50 moves"):
        list(play_by("bulk", "classic", fixtures))


def test_the_engine_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("arena", "--bots", "fox,random", "--games", "4", "--seed", "1", "--workers", "1")
    tables = []
    for engine in ("bulk", "rules"):
        assert main([*args, "--engine", engine]) == 0
        tables.append(capsys.readouterr().out.splitlines()[2:])
    assert tables[0] == tables[1]
