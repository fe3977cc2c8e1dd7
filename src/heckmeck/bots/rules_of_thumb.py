"""Bots that play by rules of thumb: any move, a beginner's, and those of a few evenings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from heckmeck.dice import Luck
from heckmeck.rules import AnyState, Move, game_at, legal, stopping
from heckmeck.rules.dice import DiceSet, Face
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import BUST, REROLL, ROLL, ROLL_GOLDEN, STOP, Keep, Throw
from heckmeck.rules.state import Deciding
from heckmeck.rules.turn import chance_of_only
from heckmeck.values.worms import WORMS

#: A die in hand is worth this fraction of the average die: keeping it must bring more.
DIE_IN_HAND: Final = 0.4
#: The extra value of the first worm, in average dice.
FIRST_WORM: Final = 0.5
#: With something within reach, the rooster rolls only if a dead throw is less likely than this.
DARES: Final = 0.06


@dataclass(frozen=True, slots=True)
class Alone:
    """A player that decides at each table separately."""

    rule: Callable[[AnyState, Luck], Move]

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Choose by the rule."""
        return self.rule(state, luck)

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Choose by the rule, table by table."""
        return [self.rule(state, luck) for state, luck in zip(states, lucks, strict=True)]


# --- what they consider ---------------------------------------------------------------------------


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


# --- the egg --------------------------------------------------------------------------------------


def choose_at_random(state: AnyState, luck: Luck) -> Move:
    """Choose any legal move, all equally likely: the yardstick for all other bots."""
    return luck.choice(legal(state))


# --- the chick ------------------------------------------------------------------------------------


def choose_as_chick(state: AnyState, luck: Luck) -> Move:
    """Keep the most points, stop as soon as that brings anything, answer questions at random."""
    moves = legal(state)
    if isinstance(state.phase, Throw):
        return _keep_most(state, state.phase, moves)
    if STOP in moves and not isinstance(stopping(state), Nothing):
        return STOP
    if ROLL_GOLDEN in moves:
        return ROLL_GOLDEN
    return luck.choice([move for move in moves if move != STOP])


def _keep_most(state: AnyState, throw: Throw, moves: tuple[Move, ...]) -> Move:
    keeps = [move for move in moves if isinstance(move, Keep)]
    if not keeps:
        return REROLL
    room = highest_aim(state) - state.turn.total

    def most_that_fits(keep: Keep) -> tuple[bool, int]:
        brings = points(state, throw, keep.face)
        return brings <= room, brings

    return max(keeps, key=most_that_fits)


# --- the rooster ----------------------------------------------------------------------------------


def choose_as_rooster(state: AnyState, _: Luck) -> Move:
    """A worm early; no dice for few points; never more points than useful; no needless risk."""
    match state.phase:
        case Deciding():
            return _stop_or_roll(state)
        case Throw() as throw:
            return _keep(state, throw)
        case _:
            return max(legal(state), key=lambda move: WORMS.answer(state, move))


def _stop_or_roll(state: AnyState) -> Move:
    moves = legal(state)
    if STOP in moves and not isinstance(stopping(state), Nothing) and not _should_go_on(state):
        return STOP
    return ROLL_GOLDEN if ROLL_GOLDEN in moves else ROLL


def _should_go_on(state: AnyState) -> bool:
    """Whether more can be gained at a small risk."""
    game, total = game_at(state.table), state.turn.total
    most = total + state.turn.hand * max(game.dice.points)
    now = gain(state, total)
    if all(gain(state, more) <= now for more in range(total + 1, most + 1)):
        return False
    return game.dead_throw_counts or dares(game.dice, state.turn.kept, state.turn.hand)


def dares(dice: DiceSet, kept: str, hand: int) -> bool:
    """Whether a dead throw of the white dice is unlikely enough; the golden die is left out."""
    return chance_of_only(kept, dice, hand) <= DARES


def _keep(state: AnyState, throw: Throw) -> Move:
    moves = legal(state)
    keeps = [move for move in moves if isinstance(move, Keep)]
    if not keeps:
        return REROLL if REROLL in moves else BUST
    room, dice = highest_aim(state) - state.turn.total, game_at(state.table).dice

    def value(keep: Keep) -> tuple[bool, float]:
        fits = points(state, throw, keep.face) <= room
        return fits, value_of_keep(dice, keep.face, count(throw, keep.face))

    best = max(keeps, key=value)
    return REROLL if REROLL in moves and value(best) < (True, 0.0) else best


def value_of_keep(dice: DiceSet, face: Face, kept: int) -> float:
    """Return the points of ``kept`` dice beyond what they could still bring in hand.

    No face can be kept twice, so a worm is the first one.
    """
    average = _average(dice)
    first_worm = average * FIRST_WORM if face == dice.worm else 0.0
    in_hand = kept * average * DIE_IN_HAND
    return kept * dice.points_for(face) - in_hand + first_worm


def _average(dice: DiceSet) -> float:
    points_of_sides = zip(dice.points, dice.sides, strict=True)
    return sum(p * sides for p, sides in points_of_sides) / dice.sides_in_all


#: By name in the registry.
PLAYERS: Final = {
    "random": Alone(choose_at_random),
    "chick": Alone(choose_as_chick),
    "rooster": Alone(choose_as_rooster),
}
