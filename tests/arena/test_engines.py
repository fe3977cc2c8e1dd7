"""The compiled engine plays the games of the rules, word for word."""

import pytest

from heckmeck.arena import tournament as arena
from heckmeck.arena.chunks import Chunk
from heckmeck.arena.tournament import Tournament, Unfinished, play, play_by, plays_in_bulk
from heckmeck.cli import main
from heckmeck.rules import EDITIONS

LINE_UPS = [
    ("random", "random"),
    ("fox", "fox"),
    ("champion", "fox"),
    ("fox", "random", "champion"),
    ("champion", "random", "fox", "random", "champion"),
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
    if seats in EDITIONS[edition].players:
        for bots in (("fox",), ("champion", "fox"), ("random", "fox"), ("grandmaster", "champion")):
            check(edition, tuple(bots[seat % len(bots)] for seat in range(seats)), 60, seed=seats)


def test_bots_that_cannot_play_in_bulk_are_mixed_in() -> None:
    """All line-ups of three bots, one of which plays by the rules only."""
    tournament = Tournament("junior", ("fox", "random", "chick"), 2, 30, seed=1)
    assert plays_in_bulk(("fox", "random"))
    assert not plays_in_bulk(("fox", "chick"))
    found = [Chunk(tournament, 0, 30, True, engine=engine).run() for engine in ("auto", "rules")]
    assert found[0] == found[1]


def test_a_game_without_end_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "MAX_MOVES", 50)
    fixtures = Tournament("classic", ("random", "random"), 2, 2, seed=1).fixtures(0, 2)
    with pytest.raises(Unfinished, match=r"game \d \(random, random\) does not end: 50 moves"):
        list(play_by("auto", "classic", fixtures))


def test_the_engine_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("arena", "--bots", "fox,random", "--games", "4", "--seed", "1", "--workers", "1")
    tables = []
    for engine in ("bulk", "rules"):
        assert main([*args, "--engine", engine]) == 0
        tables.append(capsys.readouterr().out.splitlines()[2:])
    assert tables[0] == tables[1]
    assert main(["arena", "--bots", "fox,chick", "--engine", "bulk"]) == 2
    assert "--engine bulk is for champion, fox, grandmaster, random only" in (
        capsys.readouterr().err.replace("\n", " ")
    )
