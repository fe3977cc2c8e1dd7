"""The chick: a beginner who grabs the first tile within reach."""

from heckmeck.bots.aim import highest_aim, points
from heckmeck.bots.bot import Alone
from heckmeck.dice_source import Luck
from heckmeck.rules import AnyState, Move, legal, stopping
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import REROLL, ROLL_GOLDEN, STOP, Keep, Throw


def choose(state: AnyState, luck: Luck) -> Move:
    """Keep the most points, stop as soon as that brings anything, answer questions at random."""
    moves = legal(state)
    if isinstance(state.phase, Throw):
        return _keep(state, state.phase, moves)
    if STOP in moves and not isinstance(stopping(state), Nothing):
        return STOP
    if ROLL_GOLDEN in moves:
        return ROLL_GOLDEN
    return luck.choice([move for move in moves if move != STOP])


def _keep(state: AnyState, throw: Throw, moves: tuple[Move, ...]) -> Move:
    keeps = [move for move in moves if isinstance(move, Keep)]
    if not keeps:
        return REROLL
    room = highest_aim(state) - state.turn.total

    def most_that_fits(keep: Keep) -> tuple[bool, int]:
        brings = points(state, throw, keep.face)
        return brings <= room, brings

    return max(keeps, key=most_that_fits)


CHICK = Alone(choose)
