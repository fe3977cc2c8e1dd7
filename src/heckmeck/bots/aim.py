"""What rule-of-thumb bots consider: which results bring anything, and how much."""

from heckmeck.bots.worms import WormSwing
from heckmeck.rules import AnyState, game_at
from heckmeck.rules.dice import Face
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import Throw

WORMS = WormSwing()


def points(state: AnyState, throw: Throw, face: Face) -> int:
    """Return the points for keeping ``face`` of ``throw``."""
    return count(throw, face) * game_at(state.table).dice.points_for(face)


def count(throw: Throw, face: Face) -> int:
    """Return the number of dice in the throw that show ``face``."""
    return throw.dice.count(face) + (throw.golden == face)


def highest_aim(state: AnyState) -> int:
    """Return the highest total that brings anything, once a worm is kept; 0 if none does.

    If the next lower tile can be taken, that is the highest possible total; with only 11 and 13
    left it is not.
    """
    game = game_at(state.table)
    most = (game.dice.count + state.turn.golden) * max(game.dice.points)
    endings = game.endings(state.table, state.seat, most + 1, True)
    return max(
        (total for total, ending in enumerate(endings) if not isinstance(ending, Nothing)),
        default=0,
    )


def gain(state: AnyState, total: int) -> float:
    """Return the worms that ending the turn with ``total`` and a worm would bring."""
    game = game_at(state.table)
    ending = game.ending(state.table, state.seat, total, True)
    (worms,) = WORMS.endings(state.table, state.table, state.seat, [ending])
    return worms
