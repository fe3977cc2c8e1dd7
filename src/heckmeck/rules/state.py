"""The state of a game as a value: the table, whose turn it is, the turn, and what comes next.

What comes next is a `Phase`, a closed union: a state that both waits for dice and asks a question
cannot be expressed.
"""

from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from heckmeck.rules import components, moves, outcome
from heckmeck.rules.events import Event
from heckmeck.rules.turn import Turn
from heckmeck.rules.value import value

TableT_co = TypeVar("TableT_co", covariant=True)


@value
class Deciding:
    """The player may throw, or stop if that is allowed."""


@value
class Falling:
    """The dice are in the air."""


@value
class RobQuestion:
    """From whom does the player take a Bratworm (D14)?

    ``for_raven``: it was earned with the raven's tile, not with a double 1.
    """

    victims: tuple[int, ...]
    for_raven: bool


@value
class ReturnQuestion:
    """Which Specialist goes back: the one held, or the one just received (D5)?"""

    held: components.Specialist
    received: components.Specialist


@value
class PinchQuestion:
    """From whom does the player pinch the tile (J4)?"""

    tile: int
    victims: tuple[int, ...]


@value
class Over:
    """The game is over."""

    reason: outcome.EndReason


Question: TypeAlias = RobQuestion | ReturnQuestion | PinchQuestion

#: A `Throw` as a phase: these dice were thrown, and the player has to decide.
Phase: TypeAlias = Deciding | Falling | moves.Throw | Question | Over

DECIDING: Final = Deciding()
FALLING: Final = Falling()


@value
class State(Generic[TableT_co]):
    """A complete game state. ``seat`` is the player whose turn it is."""

    table: TableT_co
    seat: int
    turn: Turn
    phase: Phase


class Transition(NamedTuple, Generic[TableT_co]):
    """The state after a move, and the events that led to it."""

    state: State[TableT_co]
    events: tuple[Event, ...]
