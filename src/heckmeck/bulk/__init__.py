"""The compiled twin of the rules: thousands of games at once, as rows of small numbers.

`heckmeck.rules` is the reference. Nothing else in the project restates a rule, and tests compare
the two, state by state. The modules import NumPy and Numba, which is why the functions here import
them only when they are called.

>>> import numpy as np
>>> from heckmeck import bulk
>>> games = bulk.new_games("classic", seats=2, count=1000, seed=7)
>>> key = np.array([1], np.uint64)
>>> for _ in range(100):
...     games.step(games.random_actions(key))
>>> games.legal.shape, int(games.legal.sum(axis=1).min())
((1000, 8), 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heckmeck.rules import NO_HOUSE_RULES, AnyState, HouseRules

if TYPE_CHECKING:
    from heckmeck.bulk.games import Autoreset, Games, Rewards


def new_games(  # noqa: PLR0913 (all but four have defaults)
    edition: str,
    seats: int,
    count: int,
    seed: int,
    house: HouseRules = NO_HOUSE_RULES,
    *,
    first: int = 0,
    deals: Sequence[int] | None = None,
    rewards: Rewards = "win",
    autoreset: Autoreset = "disabled",
) -> Games:
    """Set up ``count`` games for ``seats`` players, all at their first decision.

    The seed, the deal, the seat and the number of the turn determine the dice. ``deals`` are the
    numbers of the deals, by default 0, 1, 2 and so on; games of the same deal have the same dice.
    For ``rewards`` and ``autoreset`` see `Games.step`. Raise `BadSetup` as `rules.new_game` does.
    """
    from heckmeck.bulk.games import Games

    return Games.new(
        edition,
        seats,
        range(count) if deals is None else deals,
        seed,
        house,
        first=first,
        rewards=rewards,
        autoreset=autoreset,
    )


def games_at(
    states: Sequence[AnyState],
    seed: int,
    *,
    deals: Sequence[int] | None = None,
    rewards: Rewards = "win",
) -> Games:
    """Continue from these states, one game each, of one edition and number of players.

    The dice are those of new games that would begin here. There are no records of such games, only
    the moves from here on (`Games.moves`).
    """
    from heckmeck.bulk.games import Games

    return Games.at(states, seed, range(len(states)) if deals is None else deals, rewards=rewards)


def action_words(edition: str, seats: int) -> tuple[str, ...]:
    """Return the words of all actions, by number.

    Victims are counted from the player to move: ``rob:1`` robs the next player.

    >>> action_words("junior", 3)
    ('roll', 'stop', 'keep:W', 'keep:B', 'keep:C', 'keep:G', 'keep:K', 'pinch:1', 'pinch:2')
    """
    from heckmeck.bulk import actions

    return actions.action_words(edition, seats)


__all__ = ["action_words", "games_at", "new_games"]
