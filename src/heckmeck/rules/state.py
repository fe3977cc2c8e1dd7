"""The state of a game as a value: the table, whose turn it is, the turn, and what comes next.

What comes next is a `Phase`, a closed union: a state that waits for dice and asks a question at
the same time cannot be written down.
"""

from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from heckmeck.rules.components import Specialist
from heckmeck.rules.events import Event
from heckmeck.rules.moves import Throw
from heckmeck.rules.outcome import EndReason
from heckmeck.rules.turn import Turn
from heckmeck.rules.value import value

TableT_co = TypeVar("TableT_co", covariant=True)


@value
class Deciding:
    """The player throws, or stops if that is allowed."""


@value
class Falling:
    """The dice are in the air."""


@value
class RobQuestion:
    """Whom does the player take a Bratworm from (D14)?

    ``for_raven``: it was earned with the raven's tile, not with a double 1.
    """

    victims: tuple[int, ...]
    for_raven: bool


@value
class ReturnQuestion:
    """Which Specialist goes back: the one held, or the one just received (D5)?"""

    held: Specialist
    received: Specialist


@value
class PinchQuestion:
    """Whom does the player pinch the tile from (J4)?"""

    tile: int
    victims: tuple[int, ...]


@value
class Over:
    """The game is over."""

    reason: EndReason


Question: TypeAlias = RobQuestion | ReturnQuestion | PinchQuestion

#: A `Throw` as a phase: these dice lie on the table and wait for a decision.
Phase: TypeAlias = Deciding | Falling | Throw | Question | Over

DECIDING: Final = Deciding()
FALLING: Final = Falling()


@value
class State(Generic[TableT_co]):
    """Everything that is true at a table at one moment. ``seat`` is whose turn it is."""

    table: TableT_co
    seat: int
    turn: Turn
    phase: Phase


class Transition(NamedTuple, Generic[TableT_co]):
    """The state after a move, and all that happened on the way there."""

    state: State[TableT_co]
    events: tuple[Event, ...]
