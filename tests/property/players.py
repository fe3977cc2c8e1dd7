"""A player sensible enough that games end, and random enough that everything happens."""

from collections.abc import Iterator
from random import Random

from heckmeck import rules
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import STOP, Keep
from heckmeck.rules.state import Falling


def whole_game(
    state: rules.AnyState, rng: Random
) -> Iterator[tuple[rules.AnyState, rules.Move, rules.Transition[rules.Table]]]:
    """Play to the end: yield each state, the move made there, and what it led to."""
    greed = rng.random() * 0.6  # how often a player throws on although there is something to get
    while (move := next_move(state, rng, greed)) is not None:
        after = rules.apply(state, move)
        yield state, move, after
        state = after.state


def next_move(state: rules.AnyState, rng: Random, greed: float) -> rules.Move | None:
    """The dice fall as they may; a player mostly keeps worms and mostly stops in time."""
    if isinstance(state.phase, Falling):
        chances = rules.throws(state)
        return chances.at(rng.randrange(chances.total))
    legal = rules.legal(state)
    if not legal:
        return None
    if STOP in legal and not isinstance(rules.stopping(state), Nothing) and rng.random() >= greed:
        return STOP
    worm = Keep(rules.game_at(state.table).dice.worm)
    if worm in legal and rng.random() < 0.7:
        return worm
    careful = [move for move in legal if move != STOP]
    return rng.choice(careful)
