"""Tournaments: rotated seats, paired dice, error bars and ratings.

>>> from heckmeck import arena
>>> standings = arena.run(["rooster", "random"], edition="junior", games=20, seed=1)
>>> [bot.name for bot in standings.bots]
['rooster', 'random']
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heckmeck.arena.standings import Standings
    from heckmeck.arena.tournament import Engine
    from heckmeck.bots import Player


def run(  # noqa: PLR0913 (all but one have defaults)
    bots: Sequence[str],
    *,
    edition: str = "classic",
    seats: int = 2,
    games: int = 1000,
    seed: int | None = None,
    players: Mapping[str, object] | None = None,
    adjusted: bool = False,
    workers: int = 1,
    engine: "Engine" = "bulk",
) -> "Standings":
    """Play a tournament and return its standings, as ``heckmeck arena`` does.

    ``bots`` are named as on the command line; ``players`` are objects with a method ``choose`` or
    ``choose_all``, by the names that they have in ``bots``; with several ``workers`` they are
    pickled. The result depends on ``seed``, not on workers or engine. ``adjusted``: results without
    the luck of the dice, too.

    Raise `BadTournament`, `BadSetup` or `UnknownBot` if it cannot be played, and `BotMisbehaved` if
    a bot raises an error or chooses a move that is not legal.
    """
    import time
    from contextlib import closing

    from heckmeck.arena.chunks import Collector, cut
    from heckmeck.arena.standings import Standings
    from heckmeck.arena.tournament import Tournament
    from heckmeck.dice import fresh_seed
    from heckmeck.executors import executor_for

    own = players or {}
    for name in own:
        _find(own, name)  # so that one that cannot choose is known now
    drawn = fresh_seed() if seed is None else seed
    tournament = Tournament(edition, tuple(bots), seats, games, drawn)
    tournament.check(own)
    collector, began = Collector(), time.perf_counter()
    with closing(executor_for(workers)) as executor:
        chunks = cut(
            tournament,
            executor.workers,
            largest=collector.pace,
            find=partial(_find, own),
            adjusted=adjusted,
            engine=engine,
        )
        for result in executor.run(chunks):
            collector.take(result)
    return Standings(tournament, collector.tally, time.perf_counter() - began)


def _find(own: Mapping[str, object], name: str) -> "Player":
    from heckmeck.bots import player
    from heckmeck.bots.own import OwnPlayer

    return OwnPlayer(name, own[name]) if name in own else player(name, outside=True)
