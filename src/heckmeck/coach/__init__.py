"""The solver's results for people: odds of a turn, advice for a position, review of a game.

`heckmeck.coach.advice` and `review` import NumPy and Numba: import them where they are used. What
they answer are the structs of `heckmeck.wire.coach`. A turn may also be described by the user, for
example with real dice at a real table: `state_of`.
"""

from typing import Final

from heckmeck.rules import AnyGame, AnyState, BadSetup, MalformedMove, Specialist, game, parse
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.dice import Dice, in_face_order, throws_of
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import DECIDING, State
from heckmeck.rules.turn import Turn
from heckmeck.values import NoChampion
from heckmeck.wire.coach import TurnSetup, Unit

#: The Specialists that change the dice or their points.
USEFUL: Final = (Specialist.CANNED, Specialist.GOLDEN, Specialist.WEASEL)


class BadTurn(ValueError):
    """A turn that is not possible."""


def state_of(setup: TurnSetup) -> AnyState:
    """Return the turn as a state of seat 0 at a fresh table; raise `BadTurn` if not possible.

    The turn may already be over: complete, or with a dead throw.
    """
    rules = _rules(setup)
    table = rules.initial(rules.players[0]).table
    if isinstance(table, DeluxeTable):
        table = table.with_held(0, setup.holding)
    kept = _dice(rules, setup.kept)
    throw = None if setup.roll is None else _throw(rules, setup.roll)
    hand = _hand(rules, setup, kept, throw)
    golden = _golden_in_hand(rules, setup, len(kept) + hand, throw)
    turn = Turn(hand, kept, sum(map(rules.dice.points_for, kept)), golden)
    return State(table, 0, turn, DECIDING if throw is None else throw)


def _rules(setup: TurnSetup) -> AnyGame:
    try:
        rules = game(setup.edition)
    except BadSetup as error:
        raise BadTurn(str(error)) from error
    if setup.holding is not None and not rules.has_golden_die:
        raise BadTurn(f"{setup.edition} has no Specialists to hold.")
    if setup.holding is not None and setup.holding not in USEFUL:
        raise BadTurn(f"{setup.holding} does not affect a turn; only {', '.join(USEFUL)} do.")
    return rules


def _golden_in_hand(rules: AnyGame, setup: TurnSetup, dice: int, throw: Throw | None) -> bool:
    """Whether the golden die is in hand: optional before the first throw, then until kept."""
    holds_golden = setup.holding is Specialist.GOLDEN
    golden_kept = dice - rules.dice.count
    if golden_kept not in ((0, 1) if holds_golden else (0,)):
        hand = dice - len(setup.kept)
        raise BadTurn(
            f"{len(setup.kept)} kept and {hand} in hand are {dice} dice; {setup.edition} has "
            f"{rules.dice.count}{' and the golden die' if holds_golden else ''}."
        )
    if throw is None:
        return bool(holds_golden and setup.kept and not golden_kept)
    if throw.golden is not None and (not holds_golden or golden_kept):
        raise BadTurn("The golden die is not in hand, so it cannot have been rolled.")
    return throw.golden is not None


def _dice(rules: AnyGame, text: str) -> Dice:
    faces = rules.dice.faces
    if not set(text) <= set(faces):
        raise BadTurn(f"{text!r:.40} are not dice; the faces here are {' '.join(faces)}.")
    return in_face_order(text)


def _throw(rules: AnyGame, text: str) -> Throw:
    try:
        throw = parse(f"={text}")
    except MalformedMove as error:
        raise BadTurn(str(error)) from error
    if not isinstance(throw, Throw) or throw.dice not in throws_of(rules.dice, len(throw.dice)):
        raise BadTurn(f"{text!r:.40} is not a roll of dice with {' '.join(rules.dice.faces)}.")
    return throw


def _hand(rules: AnyGame, setup: TurnSetup, kept: Dice, throw: Throw | None) -> int:
    if throw is not None:
        if setup.hand not in (None, len(throw.dice)):
            raise BadTurn(f"{len(throw.dice)} dice were rolled, but {setup.hand} are in hand.")
        return len(throw.dice)
    return max(rules.dice.count - len(kept), 0) if setup.hand is None else setup.hand


__all__ = ["BadTurn", "NoChampion", "TurnSetup", "Unit", "state_of"]
