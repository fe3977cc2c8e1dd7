"""Why a move is not allowed, in words. Used only for moves that are not in `Game.legal`."""

from typing import Any, assert_never

from heckmeck.rules.moves import Bust, Keep, Move, Pinch, Reroll, Return, Rob, Roll, Stop, Throw
from heckmeck.rules.state import (
    Deciding,
    Falling,
    Over,
    Phase,
    PinchQuestion,
    Question,
    ReturnQuestion,
    RobQuestion,
    State,
)
from heckmeck.rules.turn import Turn, pickable


def why_not(state: State[Any], move: Move) -> str:
    """Return the reason why ``move`` is not legal in ``state``."""
    match state.phase:
        case Over():
            return "the game is over"
        case Falling():
            return _while_dice_fall(state.turn, move)
        case Throw() | Deciding() as phase:
            return _in_the_turn(state.turn, phase, move)
        case question:
            return _while_asked(question, move)


def _while_asked(question: Question, move: Move) -> str:
    match question, move:
        case (RobQuestion(), Rob()) | (PinchQuestion(), Pinch()):
            return "that player cannot be chosen"
        case ReturnQuestion(), Return():
            return "that Specialist is not one of the two"
        case _:
            return "another question is open"


def _while_dice_fall(turn: Turn, move: Move) -> str:
    white = [f"{turn.hand} white {'die' if turn.hand == 1 else 'dice'}"] if turn.hand else []
    dice = " and ".join(white + ["the golden die"] * turn.golden)
    one = turn.hand + turn.golden == 1
    if isinstance(move, Throw):
        return f"{dice} of this edition {'has' if one else 'have'} to fall"
    return f"the dice are in the air, and next {dice} {'falls' if one else 'fall'}"


def _in_the_turn(turn: Turn, phase: Phase, move: Move) -> str:
    match move:
        case Throw():
            return "no dice are in the air"
        case Keep(face):
            return _not_to_keep(turn, phase, face)
        case Roll(golden=True):
            return "the golden die joins the first roll of its holder's turn or not at all"
        case Roll():
            return _throw_first(turn, phase)
        case Stop():
            return _not_to_stop(turn, phase)
        case Reroll():
            return "only the holder of the weasel may reroll, once per turn, right after a roll"
        case Bust():
            return "it only accepts a dead roll that the weasel could still save"
        case Rob() | Return() | Pinch():
            return "there is no such question to answer"
        case _:
            assert_never(move)


def _throw_first(turn: Turn, phase: Phase) -> str:
    if isinstance(phase, Throw) and not pickable(turn.kept, phase.dice, phase.golden):
        return "the roll is dead, and only the weasel can still save it"
    return "a face of this roll has to be kept first"


def _not_to_keep(turn: Turn, phase: Phase, face: str) -> str:
    if not isinstance(phase, Throw):
        return "no dice have been rolled"
    if face in turn.kept:
        return f"{face} was already kept this turn"
    return f"the roll shows no {face}"


def _not_to_stop(turn: Turn, phase: Phase) -> str:
    if isinstance(phase, Throw):
        return _throw_first(turn, phase)
    if not turn.kept:
        return "nothing is kept yet"
    return f"a result of {turn.total} earns nothing here"
