"""Moves: everything that can happen at a table, each written as text in the notation.

``parse("keep:4") == Keep("4")`` and ``word(Keep("4")) == "keep:4"``. The errors of the rules::

    RuleError
    ├── BadSetup        a setup that is not possible
    ├── MalformedMove   text that is not a move in any edition
    └── IllegalMove     a move that is not allowed here
"""

from functools import lru_cache
from typing import Final, TypeAlias, assert_never

from heckmeck.rules.components import Specialist
from heckmeck.rules.dice import FACE_ORDER, Dice, Face, in_face_order
from heckmeck.rules.value import value


@value
class Roll:
    """Throw the dice in hand (T1, T3), perhaps with the golden die in a first throw (D11)."""

    golden: bool = False


@value
class Throw:
    """The dice fall: the only chance move. ``golden`` is the golden die's face, if thrown."""

    dice: Dice
    golden: Face | None = None


@value
class Keep:
    """Set aside all dice of one face (T2)."""

    face: Face


@value
class Stop:
    """End the turn (T3)."""


@value
class Reroll:
    """Use the weasel: throw the dice just thrown again (D10)."""


@value
class Bust:
    """Accept a dead throw although the weasel could be used (D10)."""


@value
class Rob:
    """Take a Bratworm from another player (D14)."""

    victim: int


@value
class Return:
    """Put this one of two Specialists back on the grill (D5)."""

    specialist: Specialist


@value
class Pinch:
    """Take the tile from the top of this player's stack (J4)."""

    victim: int


#: Moves that exist only in some editions.
SpecialMove: TypeAlias = Reroll | Bust | Rob | Return | Pinch
Move: TypeAlias = Roll | Throw | Keep | Stop | SpecialMove

ROLL: Final = Roll()
ROLL_GOLDEN: Final = Roll(golden=True)
STOP: Final = Stop()
REROLL: Final = Reroll()
BUST: Final = Bust()
KEEP: Final = {face: Keep(face) for face in FACE_ORDER}

_PLAIN: Final[dict[str, Move]] = {
    "roll": ROLL,
    "roll:golden": ROLL_GOLDEN,
    "stop": STOP,
    "reroll": REROLL,
    "bust": BUST,
    **{f"keep:{face}": keep for face, keep in KEEP.items()},
    **{f"rob:{seat}": Rob(seat) for seat in range(10)},
    **{f"pinch:{seat}": Pinch(seat) for seat in range(10)},
    **{f"return:{specialist}": Return(specialist) for specialist in Specialist},
}
_LONGEST_SHOWN: Final = 40


def word(move: Move) -> str:
    """Return the move as text, in the record notation."""
    match move:  # the frequent ones first
        case Keep(face):
            return f"keep:{face}"
        case Throw(dice, golden):
            return f"={dice}" if golden is None else f"={dice}+{golden}"
        case Roll(golden):
            return "roll:golden" if golden else "roll"
        case Stop():
            return "stop"
        case Reroll():
            return "reroll"
        case Bust():
            return "bust"
        case Rob(victim):
            return f"rob:{victim}"
        case Return(specialist):
            return f"return:{specialist}"
        case Pinch(victim):
            return f"pinch:{victim}"
        case _:
            assert_never(move)


def parse(text: str) -> Move:
    """Return the move written as ``text``; raise `MalformedMove` if it is not a move.

    The dice of a throw may come in any order.
    """
    move = _PLAIN.get(text)
    if move is not None:
        return move
    if text.startswith("="):
        return _known_throw(text) if len(text) <= _LONGEST else _parse_throw(text)
    raise MalformedMove(
        f"{shown(text)} is not a move. Moves are roll, roll:golden, =<dice>, keep:<face>, stop, "
        "reroll, bust, rob:<seat>, return:<Specialist> and pinch:<seat>."
    )


def require_move(move: object) -> None:
    """Raise `TypeError` if ``move`` is not a move, for example only its text."""
    if isinstance(move, Move):
        return
    what = f"the text {shown(move)}" if isinstance(move, str) else f"{type(move).__name__}"
    raise TypeError(
        f"Expected a move, not {what}. rules.parse turns text into a move: rules.parse('roll')."
    )


def shown(text: str) -> str:
    """Return ``text`` quoted and cut to a length suitable for a message."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")


def _parse_throw(text: str) -> Throw:
    dice, plus, golden = text[1:].partition("+")
    if not (dice or plus) or (plus and len(golden) != 1):
        raise MalformedMove(
            f"{shown(text)} is not a roll. Write =1124W, or =1124W+1 with the golden die."
        )
    try:
        return Throw(in_face_order(dice), in_face_order(golden) if plus else None)
    except KeyError as unknown:
        raise MalformedMove(
            f"{shown(text)} is not a roll: no die has the face {unknown}."
        ) from None


#: As `_parse_throw`, for texts short enough to be remembered: strangers may write long ones.
_known_throw: Final = lru_cache(maxsize=1 << 14)(_parse_throw)


# --- errors ---------------------------------------------------------------------------------------

#: The length of the longest possible move as text; longer texts are cut in messages.
_LONGEST: Final = 20


class RuleError(ValueError):
    """Something the rules do not allow."""


class BadSetup(RuleError):
    """A setup that is not possible."""


class MalformedMove(RuleError):
    """Text that is not a move in any edition."""


class IllegalMove(RuleError):
    """A move that is not allowed: its text (``word``), ``why`` not, and the ``legal`` ones."""

    def __init__(self, word: str, why: str, legal: tuple[str, ...]) -> None:
        """Combine the three parts into one message."""
        self.word = word
        self.why = why
        self.legal = legal
        instead = f" Legal here: {', '.join(legal)}." if legal else ""
        super().__init__(f"{word:.{_LONGEST}} is not allowed: {why}.{instead}")
