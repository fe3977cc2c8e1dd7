"""Positions worth seeing: games played with fixed dice up to a moment, as records to go on from."""

from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Final

from heckmeck.bots import player
from heckmeck.dice import SeededLuck
from heckmeck.record import Record, write_json
from heckmeck.rules import (
    AnyState,
    HouseRules,
    Move,
    Specialist,
    apply,
    legal,
    new_game,
    outcome,
    stopping,
    throws,
)
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.endings import (
    CloseSpot,
    OccupySpot,
    PinchTile,
    StealHen,
    StealSpot,
    StealTile,
    TakeSnail,
    TakeTile,
)
from heckmeck.rules.grill import NO_HOUSE_RULES
from heckmeck.rules.moves import Bust, Keep, Pinch, Return, Rob, Roll, Throw
from heckmeck.rules.outcome import DecidedBy
from heckmeck.rules.state import Deciding

NAMES: Final = ("Ada", "Ben", "Chiara", "Otto", "Mia", "Jonas", "Lea")
#: The seat that the tests sit on.
ME: Final = 0

Wanted = Callable[[AnyState], bool]


def tiles_left(state: AnyState) -> int:
    """How many tiles are still to be had; in barbecue, how many snails are in the pool."""
    table = state.table
    return table.pool if isinstance(table, BarbecueTable) else len(table.grill.face_up)


def at_my_turn(state: AnyState) -> bool:
    """Whether my turn has just begun."""
    return state.seat == ME and isinstance(state.phase, Deciding) and not state.turn.kept


def late(state: AnyState) -> bool:
    """Whether the game is nearly over."""
    return at_my_turn(state) and tiles_left(state) <= 1


def _can_do(kind: type) -> Wanted:
    """A throw of mine lies there, and after a keep of it stopping does this."""

    def wanted(state: AnyState) -> bool:
        if state.seat != ME or not isinstance(state.phase, Throw) or len(state.turn.kept) < 2:
            return False
        keeps = [move for move in legal(state) if isinstance(move, Keep)]
        after = [apply(state, keep).state for keep in keeps]
        return len(keeps) > 1 and any(
            isinstance(other.phase, Deciding)
            and other.turn.kept
            and isinstance(stopping(other), kind)
            for other in after
        )

    return wanted


def _later(wanted: Wanted, tiles: int) -> Wanted:
    """The same, when at most so many tiles are left."""
    return lambda state: tiles_left(state) <= tiles and wanted(state)


def _earlier(wanted: Wanted, tiles: int) -> Wanted:
    """The same, when at least so many tiles are left."""
    return lambda state: tiles_left(state) >= tiles and wanted(state)


def _asked(kind: type) -> Wanted:
    """I am asked something."""
    return lambda state: state.seat == ME and any(isinstance(move, kind) for move in legal(state))


def _golden(state: AnyState) -> bool:
    """I may throw with the golden die."""
    return at_my_turn(state) and Roll(golden=True) in legal(state)


def _full_house(state: AnyState) -> bool:
    """Deluxe as its box shows it: most Specialists have found somebody."""
    table = state.table
    return (
        isinstance(table, DeluxeTable)
        and sum(held is not None for held in table.held) >= 3
        and table.held[ME] in (Specialist.WEASEL, Specialist.CANNED, Specialist.APPLE)
        and _can_do(TakeTile)(state)
        and tiles_left(state) > 6
    )


#: What the pictures and some tests show, by name: the edition and what to look for.
MOMENTS: Final[dict[str, tuple[str, Wanted]]] = {
    "classic": ("classic", _later(_earlier(_can_do(StealTile), 7), 12)),
    "deluxe": ("deluxe", _full_house),
    "barbecue": ("barbecue", _later(_can_do(StealSpot), 9)),
    "junior": ("junior", _later(_can_do(TakeTile), 8)),
    "hen": ("deluxe", _can_do(StealHen)),
    "golden": ("deluxe", _golden),
    "weasel": ("deluxe", _asked(Bust)),
    "return": ("deluxe", _asked(Return)),
    "rob": ("deluxe", _asked(Rob)),
    "pinch": ("junior", _asked(Pinch)),
    "pinch-one": ("junior", _can_do(PinchTile)),
    "plate": ("barbecue", _later(_can_do(OccupySpot), 9)),
    "close": ("barbecue", _can_do(CloseSpot)),
    "snail": ("barbecue", _can_do(TakeSnail)),
}


@cache
def moment(name: str, seats: int = 4) -> str:
    """Return the record of a game that has come to the moment of this name."""
    edition, wanted = MOMENTS[name]
    return find(edition, seats, wanted)


@cache
def late_game(edition: str, seats: int = 2, *, short: bool = False) -> str:
    """Return the record of a game that is nearly over, and me to throw.

    The last turns of classic and deluxe can be many; a ``short`` game has the house rules, by which
    every failed attempt turns a tile.
    """
    house = HouseRules(True, True) if short and edition in ("classic", "deluxe") else NO_HOUSE_RULES
    return find(edition, seats, late, house=house)


@cache
def finished_game(edition: str, seats: int = 4) -> str:
    """Return the record of a game that is over."""
    # Chicks come to an end, and in this game everybody comes away with something.
    return find(edition, seats, lambda state: outcome(state) is not None, bot="chick", seed=2)


@cache
def tied_game(edition: str) -> str:
    """Return the record of a game of two whose tie was broken."""
    return find(edition, 2, _tie_was_broken, bot="chick")


def _tie_was_broken(state: AnyState) -> bool:
    end = outcome(state)
    return end is not None and end.decided_by in (DecidedBy.HIGHEST_TILE, DecidedBy.HIGHEST_PLATE)


def find(
    edition: str,
    seats: int,
    wanted: Wanted,
    *,
    bot: str = "rooster",
    seed: int = 0,
    house: HouseRules = NO_HOUSE_RULES,
) -> str:
    """Play game after game until something wanted happens; return that game's record."""
    for number in count(seed):
        moves: list[Move] = []
        state = new_game(edition, seats, house=house)
        luck = SeededLuck(number)
        while not wanted(state):
            chances = throws(state)
            if not chances and not legal(state):
                break
            move = luck.throw(chances) if chances else player(bot).choose(state, luck)
            moves.append(move)
            state = apply(state, move).state
        else:
            return write_json(Record(edition, NAMES[:seats], house=house, moves=tuple(moves)))
    raise AssertionError("there is always another seed")
