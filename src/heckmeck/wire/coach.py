"""What the coach says, on every interface: advice, the odds of a turn, the review of a game."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from heckmeck.rules import Specialist
from heckmeck.wire.states import Moment

#: ``win``: the chance to win the game. ``worms``: what the turn brings.
Unit: TypeAlias = Literal["win", "worms"]


class TurnSetup(Struct, frozen=True):
    """A turn as described: the dice kept, the number of dice in hand, the dice rolled.

    ``hand`` counts white dice; null means all that are not kept. The golden die is in hand if its
    holder has not kept it.
    """

    edition: str
    holding: Specialist | None = None
    kept: Annotated[str, Meta(max_length=9)] = ""
    hand: Annotated[int, Meta(ge=0, le=9)] | None = None
    roll: Annotated[str, Meta(max_length=12)] | None = None


class WeighedMove(Struct, frozen=True):
    """A legal move, its value, and the chance that the turn then fails."""

    move: str
    worth: float
    fail: float


class Advice(Struct, frozen=True):
    """Every legal move, best first; ``unit`` says how values are measured."""

    unit: Unit
    moves: list[WeighedMove]


class TurnOdds(Struct, frozen=True):
    """The total so far, the chances of at least and exactly each number, and every move's value.

    No moves: the turn is over.
    """

    edition: str
    total: int
    at_least: dict[str, float]
    exactly: dict[str, float]
    unit: Unit
    moves: list[WeighedMove]


class Decision(Struct, frozen=True):
    """A choice that a player had before move ``index``; ``loss`` is what it cost, 0 if nothing."""

    index: int
    seat: int
    move: str
    loss: float
    choices: list[WeighedMove]


class ThrowLuck(Struct, frozen=True):
    """The luck of the dice of move ``index``: their value less the value of throwing."""

    index: int
    seat: int
    luck: float


class PlayerTotals(Struct, frozen=True):
    """What a player's decisions cost, and how lucky their dice were."""

    loss: float
    luck: float


class Review(Struct, frozen=True):
    """All decisions with a choice and all throws of a game, in order.

    ``chances``: every player's chance to win before the first move and after each, by seat; null if
    values are not chances to win.
    """

    unit: Unit
    players: list[PlayerTotals]
    decisions: list[Decision]
    throws: list[ThrowLuck]
    chances: list[list[float]] | None = None


class ReviewedGame(Struct, frozen=True):
    """A game as a record, moment by moment, and its review."""

    record: dict[str, Any]
    moments: list[Moment]
    review: Review
