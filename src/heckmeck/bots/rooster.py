"""The rooster: plays well by rules of thumb, like people after a few evenings.

A worm early; no dice for few points; never more points than are useful; and with a tile within
reach, no needless risk.
"""

from typing import Final

from heckmeck.bots.aim import WORMS, count, gain, highest_aim, points
from heckmeck.bots.bot import Alone
from heckmeck.dice_source import Luck
from heckmeck.rules import AnyState, Move, game_at, legal, stopping
from heckmeck.rules.dice import DiceSet
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import BUST, REROLL, ROLL, ROLL_GOLDEN, STOP, Keep, Throw
from heckmeck.rules.state import Deciding

#: A die in hand is worth this fraction of the average die: keeping it must bring more.
DIE_IN_HAND: Final = 0.4
#: The extra value of the first worm, in average dice.
FIRST_WORM: Final = 0.5
#: With something within reach, the rooster rolls only if a dead throw is less likely than this.
DARES: Final = 0.06


def choose(state: AnyState, _: Luck) -> Move:
    """Choose by rules of thumb."""
    match state.phase:
        case Deciding():
            return _stop_or_roll(state)
        case Throw() as throw:
            return _keep(state, throw)
        case _:
            return max(legal(state), key=lambda move: WORMS.answer(state, move))


def _stop_or_roll(state: AnyState) -> Move:
    moves = legal(state)
    if STOP in moves and not isinstance(stopping(state), Nothing) and not _worth_going_on(state):
        return STOP
    return ROLL_GOLDEN if ROLL_GOLDEN in moves else ROLL


def _worth_going_on(state: AnyState) -> bool:
    """Whether more can be gained at a small risk."""
    game, total = game_at(state.table), state.turn.total
    most = total + state.turn.hand * max(game.dice.points)
    now = gain(state, total)
    if all(gain(state, more) <= now for more in range(total + 1, most + 1)):
        return False
    return game.dead_throw_counts or _dead_next(state) <= DARES


def _dead_next(state: AnyState) -> float:
    """Return the probability that the next throw of the white dice is dead."""
    dice, turn = game_at(state.table).dice, state.turn
    kept = sum(s for face, s in zip(dice.faces, dice.sides, strict=True) if face in turn.kept)
    return float(kept**turn.hand / dice.sides_in_all**turn.hand)


def _keep(state: AnyState, throw: Throw) -> Move:
    moves = legal(state)
    keeps = [move for move in moves if isinstance(move, Keep)]
    if not keeps:
        return REROLL if REROLL in moves else BUST
    room = highest_aim(state) - state.turn.total

    def value(keep: Keep) -> tuple[bool, float]:
        return points(state, throw, keep.face) <= room, _value(state, throw, keep)

    best = max(keeps, key=value)
    return REROLL if REROLL in moves and value(best) < (True, 0.0) else best


def _value(state: AnyState, throw: Throw, keep: Keep) -> float:
    """Return the points of a keep beyond what its dice could still bring."""
    dice, face = game_at(state.table).dice, keep.face
    average = _average(dice)
    first_worm = average * FIRST_WORM if face == dice.worm not in state.turn.kept else 0.0
    in_hand = count(throw, face) * average * DIE_IN_HAND
    return points(state, throw, face) - in_hand + first_worm


def _average(dice: DiceSet) -> float:
    points_of_sides = zip(dice.points, dice.sides, strict=True)
    return sum(p * sides for p, sides in points_of_sides) / dice.sides_in_all


ROOSTER = Alone(choose)
