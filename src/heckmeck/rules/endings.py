"""What ending a turn would do, as described by `Game.ending` before it happens.

Interfaces show it on the stop button, the solver gives it a value, and the games carry it out.
"""

from enum import StrEnum
from typing import Final, TypeAlias

from heckmeck.rules.components import Specialist
from heckmeck.rules.value import value


class WhyNothing(StrEnum):
    """Why a turn brings nothing."""

    DEAD_THROW = "dead_throw"  # only faces already kept (T5)
    NO_WORM = "no_worm"  # T4
    TOO_LOW = "too_low"  # no tile to take (C7), below the first spot (B4)
    SPOT_CLOSED = "spot_closed"  # two plates there (B4)
    NO_PLATE = "no_plate"  # no plate in hand (B13)


@value
class TakeTile:
    """Take this tile from the grill (C4, C6, J4)."""

    tile: int


@value
class StealTile:
    """Take the top tile of another player's stack (C5)."""

    tile: int
    victim: int


@value
class StealHen:
    """Take the sitting hen instead of the tile it guards (D8)."""

    tile: int
    victim: int


@value
class PinchTile:
    """Pinch this tile from one of these players (J4); a choice when there are several."""

    tile: int
    victims: tuple[int, ...]


@value
class OccupySpot:
    """Place a plate on an empty spot (B5)."""

    spot: int


@value
class StealSpot:
    """Steal a spot's worms and replace the plate there (B6)."""

    spot: int
    victim: int


@value
class CloseSpot:
    """Place a second plate on one's own spot (B7)."""

    spot: int


@value
class TakeSnail:
    """Take the snail on this spot (B8), or one from the pool: ``spot`` is ``None`` (B9)."""

    spot: int | None


@value
class EndGame:
    """No snail is left to take: the game ends (B9)."""


@value
class Nothing:
    """The turn brings nothing: a failed attempt, in junior a miss."""

    why: WhyNothing


TileEnding: TypeAlias = TakeTile | StealTile | StealHen | PinchTile
SpotEnding: TypeAlias = OccupySpot | StealSpot | CloseSpot | TakeSnail
Ending: TypeAlias = TileEnding | SpotEnding | EndGame | Nothing


class Bonus(StrEnum):
    """What can come with a tile (deluxe): a Specialist (D3, D4), or the raven's Bratworm (D9)."""

    CANNED = Specialist.CANNED
    HEN = Specialist.HEN
    WEASEL = Specialist.WEASEL
    GOLDEN = Specialist.GOLDEN
    APPLE = Specialist.APPLE
    BRATWORM = "bratworm"


# The two most frequent endings are created once: the same object for the same ending.
TAKE: Final = {tile: TakeTile(tile) for tile in range(50)}
NOTHING: Final = {why: Nothing(why) for why in WhyNothing}
