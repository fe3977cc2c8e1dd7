"""Positions that real games come to, and stranger ones."""

from collections.abc import Iterator
from itertools import chain

from heckmeck.dice import Luck, SeededLuck
from heckmeck.rules import NO_HOUSE_RULES, AnyState, HouseRules, new_game
from heckmeck.rules.state import Over
from heckmeck.solver.positions import FAILURE, after, endings_at, position_of


def wander(
    edition: str, seats: int, seed: int, turns: int, house: HouseRules = NO_HOUSE_RULES
) -> Iterator[AnyState]:
    """Yield the states before so many turns that end anyhow; a game that is over begins anew."""
    luck = SeededLuck(seed)
    state = new_game(edition, seats, house=house)
    for _ in range(turns):
        yield state
        state = stray(state, luck)
        if isinstance(state.phase, Over):
            state = new_game(edition, seats, house=house)


def stray(state: AnyState, luck: Luck) -> AnyState:
    """Return a state after a turn that ended in any way it can."""
    position = position_of(state)
    layer = luck.below(len(position.tables))
    possible = dict.fromkeys([FAILURE, *chain(*endings_at(position, layer))])
    ending = luck.choice(list(possible))
    return luck.choice(after(position.game, position.tables[layer], state.seat, ending))
