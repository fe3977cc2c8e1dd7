"""Every stronger bot beats every weaker one, in all four games, with an error bar that says so.

What the champions are ahead of `fox` by takes thousands of games to see: that is for the soak, and
for docs/strength.md. Here they must be far ahead of `chick`, and not clearly behind `fox`.
"""

from collections.abc import Iterator
from contextlib import closing
from itertools import combinations

import pytest

from heckmeck.arena.chunks import Chunk, cut
from heckmeck.arena.standings import BotStanding, Standings, Tally
from heckmeck.arena.tournament import Tournament
from heckmeck.bots import BOTS
from heckmeck.executors.processes import Processes
from heckmeck.rules import EDITIONS

#: Thousands of turns by bots: what they cover is covered elsewhere, and counting it costs minutes.
pytestmark = pytest.mark.no_cover

SEED = 1
#: Neighbours in the registry need more games to be told apart.
NEIGHBOURS_GAMES = 140
OTHERS_GAMES = 30

CHAMPIONS = ("champion", "grandmaster")
LADDER = [name for name in BOTS if name not in CHAMPIONS]
PAIRS = [
    (edition, stronger, weaker)
    for edition in EDITIONS
    for weaker, stronger in combinations(LADDER, 2)
    if edition in BOTS[stronger].editions and edition in BOTS[weaker].editions
]
LEARNED = [
    (edition, name) for edition in EDITIONS for name in CHAMPIONS if edition in BOTS[name].editions
]


def match(edition: str, stronger: str, weaker: str, games: int) -> Tournament:
    return Tournament(edition, (stronger, weaker), seats=2, games=games, seed=SEED)


def in_short(tournament: Tournament) -> tuple[BotStanding, ...]:
    tally = Chunk(tournament, 0, tournament.games).run().tally
    return Standings(tournament, tally, seconds=1.0).bots


@pytest.mark.parametrize(("edition", "stronger", "weaker"), PAIRS)
def test_the_stronger_bot_wins(edition: str, stronger: str, weaker: str) -> None:
    names = LADDER
    is_close = names.index(stronger) - names.index(weaker) == 1 and weaker != "random"
    games = NEIGHBOURS_GAMES if is_close else OTHERS_GAMES
    bots = in_short(match(edition, stronger, weaker, games))
    assert bots[0].won.interval.low > 0.5


@pytest.mark.parametrize(("edition", "champion"), LEARNED)
def test_a_champion_is_far_ahead_of_chick(edition: str, champion: str) -> None:
    bots = in_short(match(edition, champion, "chick", 40))
    assert bots[0].won.interval.low > 0.5


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_champion_is_not_behind_fox(edition: str) -> None:
    champion, _ = in_short(match(edition, "champion", "fox", 120))
    assert champion.won.interval.high > 0.5


def test_fox_beats_chick_by_more_than_68_to_28() -> None:
    fox, chick = in_short(match("classic", "fox", "chick", 300))
    assert fox.won.share >= 0.68
    assert chick.won.share <= 0.28


# --- the same with as many games as it takes ------------------------------------------------------


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with closing(Processes(2)) as executor:
        yield executor


def in_full(tournament: Tournament, processes: Processes) -> tuple[BotStanding, ...]:
    results = processes.run(cut(tournament, processes.workers))
    tally = sum((each.tally for each in results), Tally())
    return Standings(tournament, tally, seconds=1.0).bots


@pytest.mark.soak
@pytest.mark.parametrize(("edition", "stronger", "weaker"), PAIRS)
def test_the_stronger_bot_wins_over_2000_games(
    processes: Processes, edition: str, stronger: str, weaker: str
) -> None:
    bots = in_full(match(edition, stronger, weaker, 2000), processes)
    assert bots[0].won.interval.low > 0.5


@pytest.mark.soak
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_champion_is_ahead_of_fox_over_8000_games(processes: Processes, edition: str) -> None:
    champion, _ = in_full(match(edition, "champion", "fox", 8000), processes)
    assert champion.won.interval.low > 0.5


@pytest.mark.soak
def test_fox_beats_chick_by_more_than_68_to_28_over_2000_games(processes: Processes) -> None:
    fox, chick = in_full(match("classic", "fox", "chick", 2000), processes)
    assert fox.won.share >= 0.68
    assert chick.won.share <= 0.28
