"""Facts in the past tense: everything that happened because of one move, in order.

Interfaces animate and narrate these and never need to compare states. Seats are numbered from 0.
"""

from enum import StrEnum
from typing import TypeAlias

from heckmeck.rules.components import Specialist
from heckmeck.rules.dice import Dice, Face
from heckmeck.rules.endings import WhyNothing
from heckmeck.rules.outcome import Outcome
from heckmeck.rules.value import value


class WhyBratworm(StrEnum):
    """Why a Bratworm was earned."""

    DOUBLE_ONE = "double_one"  # D13
    RAVEN = "raven"  # D9


# --- the turn -------------------------------------------------------------------------------------


@value
class TurnStarted:
    """This player's turn started."""

    seat: int


@value
class DiceCast:
    """The player threw ``dice`` white dice, and the golden die if ``golden``."""

    seat: int
    dice: int
    golden: bool


@value
class DiceFell:
    """The dice fell."""

    seat: int
    dice: Dice
    golden: Face | None


@value
class ThrowWasDead:
    """The throw showed only faces already kept."""

    seat: int


@value
class WeaselUsed:
    """The player used the weasel to throw the same dice again."""

    seat: int


@value
class DiceKept:
    """``count`` dice of ``face`` were set aside, the golden die among them if ``golden``.

    ``total`` and ``left`` (dice still in hand, including the golden die) are those after the keep.
    """

    seat: int
    face: Face
    count: int
    golden: bool
    total: int
    left: int


#: The dice of a turn.
DiceEvent: TypeAlias = TurnStarted | DiceCast | DiceFell | ThrowWasDead | WeaselUsed | DiceKept


@value
class TurnEnded:
    """The turn ended, by choice (``stopped``) or because it had to; the result is ``total``."""

    seat: int
    total: int
    stopped: bool


@value
class AttemptFailed:
    """The attempt failed."""

    seat: int
    why: WhyNothing


@value
class MissedOut:
    """The player got nothing and lost nothing (junior)."""

    seat: int
    why: WhyNothing


TurnEvent: TypeAlias = DiceEvent | TurnEnded | AttemptFailed | MissedOut


# --- tiles ----------------------------------------------------------------------------------------


@value
class TileTaken:
    """A tile went from the grill to a stack; lower than ``result`` if that tile was missing."""

    seat: int
    tile: int
    worms: int
    result: int


@value
class TileStolen:
    """A tile went from one player's stack to another's."""

    thief: int
    victim: int
    tile: int
    worms: int


@value
class TileReturned:
    """A tile went from a stack back to the grill."""

    seat: int
    tile: int


@value
class TileTurned:
    """A tile on the grill was turned face down for good."""

    tile: int


@value
class PinchAsked:
    """The player has to choose a player to pinch the tile from."""

    seat: int
    tile: int
    victims: tuple[int, ...]


TileEvent: TypeAlias = TileTaken | TileStolen | TileReturned | TileTurned | PinchAsked


# --- Specialists and Bratworms --------------------------------------------------------------------


@value
class SpecialistTaken:
    """A Specialist went with its tile to the player who took it."""

    seat: int
    specialist: Specialist
    tile: int


@value
class SpecialistStolen:
    """A Specialist went from one player to another."""

    thief: int
    victim: int
    specialist: Specialist


@value
class ReturnAsked:
    """The player has two Specialists and must choose which one goes back."""

    seat: int
    held: Specialist
    received: Specialist


@value
class SpecialistReturned:
    """A Specialist went from a player back to the grill; ``tile`` is ``None``: out of the game."""

    seat: int
    specialist: Specialist
    tile: int | None


@value
class SpecialistMoved:
    """A Specialist left its tile for another one; ``to`` is ``None``: out of the game."""

    specialist: Specialist
    tile: int
    to: int | None


SpecialistEvent: TypeAlias = (
    SpecialistTaken | SpecialistStolen | ReturnAsked | SpecialistReturned | SpecialistMoved
)


@value
class TileGuarded:
    """The hen saved its player's tile, from ``thief`` or (``None``) in a failed attempt."""

    seat: int
    tile: int
    thief: int | None


@value
class CannedWormOpened:
    """The canned worm stood in for a worm; ``result`` is the total with it."""

    seat: int
    result: int


@value
class BratwormEarned:
    """The player earned a Bratworm."""

    seat: int
    why: WhyBratworm


@value
class BratwormTaken:
    """A Bratworm came from the supply, which has ``supply`` left."""

    seat: int
    supply: int


@value
class RobAsked:
    """The supply is empty: the player has to choose a player to take a Bratworm from."""

    seat: int
    victims: tuple[int, ...]


@value
class BratwormRobbed:
    """A Bratworm came from another player."""

    thief: int
    victim: int


@value
class BratwormMissing:
    """Nobody had a Bratworm to give."""

    seat: int


BratwormEvent: TypeAlias = (
    BratwormEarned | BratwormTaken | RobAsked | BratwormRobbed | BratwormMissing
)
DeluxeEvent: TypeAlias = SpecialistEvent | TileGuarded | CannedWormOpened | BratwormEvent


# --- barbecue -------------------------------------------------------------------------------------


@value
class PlatePlaced:
    """A plate went on an empty spot and brought worms from the pool."""

    seat: int
    spot: int
    worms: int


@value
class PlateReplaced:
    """The thief's plate replaced the victim's, whose worms went with it."""

    thief: int
    victim: int
    spot: int
    worms: int


@value
class SpotClosed:
    """A second plate closed a spot and brought its worms again."""

    seat: int
    spot: int
    worms: int


@value
class SnailTaken:
    """A snail went to a player, from ``spot`` or (``None``) from the pool."""

    seat: int
    spot: int | None


@value
class SnailPlaced:
    """A snail came from the pool, which has ``pool`` left, to a spot."""

    spot: int
    pool: int


@value
class PlateReturned:
    """A plate went back to its owner to make room for a snail."""

    seat: int
    spot: int


BarbecueEvent: TypeAlias = (
    PlatePlaced | PlateReplaced | SpotClosed | SnailTaken | SnailPlaced | PlateReturned
)


# --- the end --------------------------------------------------------------------------------------


@value
class GameEnded:
    """The game is over."""

    outcome: Outcome


#: Everything that can happen.
Event: TypeAlias = TurnEvent | TileEvent | DeluxeEvent | BarbecueEvent | GameEnded
#: What has happened so far because of one move; the rules append to it.
Log: TypeAlias = list[Event]
