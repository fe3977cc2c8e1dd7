"""Every stronger bot beats every weaker one, in all four games, with an error bar that says so."""

from collections.abc import Iterator
from contextlib import closing
from itertools import combinations

import pytest

from heckmeck.arena.chunks import Chunk, cut, play_chunk
from heckmeck.arena.executors import Processes
from heckmeck.arena.summary import BotSummary, summarise
from heckmeck.arena.tally import Tally
from heckmeck.arena.tournament import Tournament
from heckmeck.bots import BOTS
from heckmeck.rules import EDITIONS

SEED = 1
#: Neighbours in the registry need more games to be told apart.
NEIGHBOURS_GAMES = 240
OTHERS_GAMES = 30

PAIRS = [
    (edition, stronger, weaker)
    for edition in EDITIONS
    for weaker, stronger in combinations(BOTS, 2)
    if edition in BOTS[stronger].editions and edition in BOTS[weaker].editions
]


def match(edition: str, stronger: str, weaker: str, games: int) -> Tournament:
    return Tournament(edition, (stronger, weaker), seats=2, games=games, seed=SEED)


def in_short(tournament: Tournament) -> tuple[BotSummary, ...]:
    tally = play_chunk(Chunk(tournament, 0, tournament.games)).tally
    return summarise(tournament, tally).bots


@pytest.mark.parametrize(("edition", "stronger", "weaker"), PAIRS)
def test_the_stronger_bot_wins(edition: str, stronger: str, weaker: str) -> None:
    names = list(BOTS)
    is_close = names.index(stronger) - names.index(weaker) == 1 and weaker != "random"
    games = NEIGHBOURS_GAMES if is_close else OTHERS_GAMES
    bots = in_short(match(edition, stronger, weaker, games))
    assert bots[0].won.interval.low > 0.5


def test_fox_beats_chick_by_more_than_68_to_28() -> None:
    fox, chick = in_short(match("classic", "fox", "chick", 300))
    assert fox.won.share >= 0.68
    assert chick.won.share <= 0.28


# --- the same with as many games as it takes ------------------------------------------------------


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with closing(Processes(2)) as executor:
        yield executor


def in_full(tournament: Tournament, processes: Processes) -> tuple[BotSummary, ...]:
    results = processes.run(cut(tournament, processes.workers))
    return summarise(tournament, sum((each.tally for each in results), Tally())).bots


@pytest.mark.soak
@pytest.mark.parametrize(("edition", "stronger", "weaker"), PAIRS)
def test_the_stronger_bot_wins_over_2000_games(
    processes: Processes, edition: str, stronger: str, weaker: str
) -> None:
    bots = in_full(match(edition, stronger, weaker, 2000), processes)
    assert bots[0].won.interval.low > 0.5


@pytest.mark.soak
def test_fox_beats_chick_by_more_than_68_to_28_over_2000_games(processes: Processes) -> None:
    fox, chick = in_full(match("classic", "fox", "chick", 2000), processes)
    assert fox.won.share >= 0.68
    assert chick.won.share <= 0.28
