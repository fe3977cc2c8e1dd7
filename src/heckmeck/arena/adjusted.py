"""Results without luck: what the dice gave each seat of a game, by a fixed evaluator.

The luck of a throw averages out over all throws (`heckmeck.values.course`), for all players and for
any evaluator. So results less luck have the same mean as results, but vary
far less: luck is a control variate. Only the moves of the games are needed.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from math import fsum
from typing import Final, TypeAlias

from heckmeck.arena.tournament import Fixture, GameResult
from heckmeck.rules import (
    NO_HOUSE_RULES,
    AnyGame,
    AnyState,
    HouseRules,
    Move,
    Table,
    game,
    new_game,
)
from heckmeck.rules.moves import Throw
from heckmeck.values import SeatValue, value_for
from heckmeck.values.course import Moment, changes, luck_in

#: Games looked at together: enough for batches of the solver, few enough for any machine.
AT_ONCE: Final = 64

#: By seat: the luck of a game.
Luck: TypeAlias = list[float]


def evaluator(edition: str, seats: int, house: HouseRules = NO_HOUSE_RULES) -> SeatValue:
    """Return the evaluator of such games; raise `NoChampion` if there is none."""
    return evaluator_at(new_game(edition, seats, house=house).table)


def evaluator_at(table: Table) -> SeatValue:
    """Return the evaluator of games at such a table; raise `NoChampion` if there is none."""
    return value_for(table, "win")


def luck_of(
    games: Iterable[GameResult],
    value: SeatValue,
    edition: str,
    start: Callable[[Fixture], AnyState] | None = None,
) -> Iterator[Luck]:
    """Yield what the dice of each game gave each seat; ``start`` is as for `play`."""
    waiting = iter(games)
    rules = game(edition)
    while some := list(islice(waiting, AT_ONCE)):
        thrown = [
            _throws(rules, rules.initial(len(each.fixture.bots)), each.moves)
            if start is None
            else _throws(rules, start(each.fixture), each.moves)
            for each in some
        ]
        found = changes(chain.from_iterable(thrown), value)
        for each, throws in zip(some, thrown, strict=True):
            lucks = [luck_in(change) for change in islice(found, len(throws))]
            seats = range(len(each.fixture.bots))
            yield [fsum(float(luck[seat]) for luck in lucks) for seat in seats]


def _throws(rules: AnyGame, state: AnyState, moves: Iterable[Move]) -> list[Moment]:
    """Return the throws of a game, each with the state before it."""
    throws: list[Moment] = []
    for move in moves:
        if isinstance(move, Throw):
            throws.append((state, move))
        state = rules.apply(state, move).state
    return throws
