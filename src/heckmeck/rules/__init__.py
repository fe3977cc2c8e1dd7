"""The rules of all four games, pure and without I/O.

>>> from heckmeck import rules
>>> state = rules.new_game("classic", seats=2)
>>> [rules.word(move) for move in rules.legal(state)]
['roll']
>>> state, events = rules.apply(state, rules.parse("roll"))
>>> state, events = rules.apply(state, rules.parse("=11234WWW"))
>>> [rules.word(move) for move in rules.legal(state)]
['keep:1', 'keep:2', 'keep:3', 'keep:4', 'keep:W']
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from heckmeck.rules.barbecue import Barbecue, BarbecueTable
from heckmeck.rules.classic import Classic, ClassicTable
from heckmeck.rules.components import Specialist
from heckmeck.rules.deluxe import Deluxe, DeluxeTable
from heckmeck.rules.endings import Bonus, Ending
from heckmeck.rules.events import Event
from heckmeck.rules.game import Game
from heckmeck.rules.grill import NO_HOUSE_RULES, HouseRules
from heckmeck.rules.junior import Junior, JuniorTable
from heckmeck.rules.moves import BadSetup, IllegalMove, MalformedMove, Move, RuleError, parse, word
from heckmeck.rules.outcome import Outcome
from heckmeck.rules.state import State, Transition
from heckmeck.rules.turn import Chances

Table: TypeAlias = ClassicTable | DeluxeTable | BarbecueTable | JuniorTable
AnyState: TypeAlias = State[Table]
# A game of some edition: Python's type system has no existential types.
AnyGame: TypeAlias = Game[Any]

#: The only registry of editions.
EDITIONS: Final[Mapping[str, AnyGame]] = MappingProxyType(
    {game.edition: game for game in (Classic(), Deluxe(), Barbecue(), Junior())}
)
_GAME_AT: Final[Mapping[type[Table], AnyGame]] = MappingProxyType(
    {type(game.initial(game.players[0]).table): game for game in EDITIONS.values()}
)


def game(edition: str) -> AnyGame:
    """Return the rules of an edition; raise `BadSetup` if there is no such edition."""
    if edition not in EDITIONS:
        raise BadSetup(
            f"There is no edition {edition!r:.40}. The editions are {', '.join(EDITIONS)}."
        )
    return EDITIONS[edition]


def game_at(table: Table) -> AnyGame:
    """Return the rules of the game played at this table."""
    return _GAME_AT[type(table)]


def new_game(
    edition: str, seats: int, first: int = 0, house: HouseRules = NO_HOUSE_RULES
) -> AnyState:
    """Set up a game; raise `BadSetup` if the arguments are not valid."""
    return game(edition).initial(seats, first, house)


def legal(state: AnyState) -> tuple[Move, ...]:
    """Return every move the player may make; empty when dice are awaited or the game is over."""
    return game_at(state.table).legal(state)


def throws(state: AnyState) -> Chances:
    """Return every possible throw with its weight; none when no dice are in the air."""
    return game_at(state.table).throws(state)


def dead_chance(state: AnyState) -> float:
    """Return the probability that a throw of the dice in hand shows only kept faces."""
    return game_at(state.table).dead_chance(state)


def apply(state: AnyState, move: Move) -> Transition[Table]:
    """Return the state after ``move`` and its events; raise `IllegalMove` if it is not legal."""
    return game_at(state.table).apply(state, move)


def outcome(state: AnyState) -> Outcome | None:
    """Return the outcome of the game, or ``None`` if it is not over."""
    return game_at(state.table).outcome(state)


def scores(state: AnyState) -> tuple[int, ...]:
    """Return the scores by seat, as if the game ended now."""
    return game_at(state.table).scores(state)


def stopping(state: AnyState) -> Ending:
    """Return what ending the turn with the dice kept so far would do."""
    return game_at(state.table).stopping(state)


def bonus(state: AnyState) -> Bonus | None:
    """Return what would come with the tile if the turn ended with the dice kept so far."""
    return game_at(state.table).bonus(state.table, state.seat, stopping(state))


__all__ = [
    "EDITIONS",
    "NO_HOUSE_RULES",
    "AnyGame",
    "AnyState",
    "BadSetup",
    "Bonus",
    "Chances",
    "Ending",
    "Event",
    "Game",
    "HouseRules",
    "IllegalMove",
    "MalformedMove",
    "Move",
    "Outcome",
    "RuleError",
    "Specialist",
    "State",
    "Table",
    "Transition",
    "apply",
    "bonus",
    "dead_chance",
    "game",
    "game_at",
    "legal",
    "new_game",
    "outcome",
    "parse",
    "scores",
    "stopping",
    "throws",
    "word",
]
