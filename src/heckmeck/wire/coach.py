"""What the coach says, on every interface: advice, the odds of a turn, the review of a game."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from heckmeck.record import Draft, Flaw
from heckmeck.rules import Specialist
from heckmeck.wire.states import GameState, Moment

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


#: How a turn can end, or what it can bring on the way. ``tiles`` and ``spots``: that number or a
#: higher one, taken or stolen. ``rival``: that player wins the game.
OutcomeKind: TypeAlias = Literal[
    "tiles",
    "take",
    "steal",
    "hen",
    "pinch",
    "spots",
    "plate",
    "steal_spot",
    "close",
    "snail",
    "end_game",
    "specialist",
    "bratworm",
    "nothing",
    "rival",
]


class Outcome(Struct, frozen=True):
    """What a turn can bring: a tile or spot by its number, taken from ``seat`` if it is stolen."""

    kind: OutcomeKind
    number: int | None = None
    seat: int | None = None
    specialist: Specialist | None = None


class FailureCost(Struct, frozen=True):
    """What a failed attempt does: everything null if it costs nothing.

    The player loses the ``tile`` and the ``specialist``; the tile ``turned`` goes face down; a
    snail goes on the spot ``snail``, in place of the plate of the seat ``plate``. ``miss``: it
    counts as a miss (junior), which costs nothing. ``ends``: the game ends with it.
    """

    tile: int | None = None
    specialist: Specialist | None = None
    turned: int | None = None
    snail: int | None = None
    plate: int | None = None
    miss: bool = False
    ends: bool = False


#: ``equal``: no difference that is shown. ``small``: it does not count as a decision.
Size: TypeAlias = Literal["equal", "small", "clear"]


class Both(Struct, frozen=True):
    """A number after the better move, and the same after the other one."""

    better: float
    other: float


class Reason(Struct, frozen=True):
    """Why a move is better than another, from the chances of how the turn ends after each.

    ``outcome`` explains most of the difference: its chance after the better move and after the
    other one, with best play. ``fail`` are the chances that the turn brings nothing, and ``cost``
    is what that costs, if the turn goes on. If one of the moves is to stop, ``sure`` is what
    stopping brings, and ``outcome`` what rolling may bring instead. Null: there is no such outcome.
    """

    better: str
    other: str
    size: Size
    worth: Both
    fail: Both
    outcome: Outcome | None = None
    chance: Both | None = None
    sure: Outcome | None = None
    cost: FailureCost | None = None


class Target(Struct, frozen=True):
    """What a turn can bring, and how likely that is if the player aims only at it."""

    outcome: Outcome
    chance: float


class Advice(Struct, frozen=True):
    """Every legal move, best first; ``unit`` says how values are measured.

    ``reasons``: why the first move is better than each other one, in the same order. ``targets``:
    what the turn can bring; ``cost``: what a failed attempt costs.
    """

    unit: Unit
    moves: list[WeighedMove]
    reasons: list[Reason] = []
    targets: list[Target] = []
    cost: FailureCost | None = None


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


class StudiedPosition(Struct, frozen=True):
    """A position with everything that is wrong with it, or, if it is possible, its state.

    ``draft`` is null for text that is not a position. ``advice`` is there where somebody decides,
    and the chances of at least and exactly each number where dice are rolled or kept. ``play`` is
    the text of a position that can be played on: this one, or the one before its dice were picked
    up; null if the game is over.
    """

    text: str | None
    draft: Draft | None
    flaws: list[Flaw]
    state: GameState | None = None
    advice: Advice | None = None
    at_least: dict[str, float] = {}
    exactly: dict[str, float] = {}
    play: str | None = None


#: How big a mistake is.
Mark: TypeAlias = Literal["inaccuracy", "mistake", "blunder"]
#: How well somebody plays, best first: like which of the bots.
Grade: TypeAlias = Literal["champion", "fox", "rooster", "chick", "random"]


class Decision(Struct, frozen=True):
    """A choice that a player had before move ``index``; ``loss`` is what it cost, 0 if nothing.

    ``counted``: the choice mattered, so that it counts in the error rate. ``reason`` compares the
    best move with the one made, or with the next best one if the best one was made.
    """

    index: int
    seat: int
    move: str
    loss: float
    counted: bool
    mark: Mark | None
    choices: list[WeighedMove]
    reason: Reason | None = None


class ThrowLuck(Struct, frozen=True):
    """The luck of the dice of move ``index``, by seat: their value less the value of throwing.

    It sums to 0 over the seats.
    """

    index: int
    seat: int
    luck: list[float]


class Jump(Struct, frozen=True):
    """Where a new turn begins, after ``index`` moves, chances change by seat: nobody did anything.

    The evaluator looks a turn further ahead from there, and disagrees with itself.
    """

    index: int
    by_seat: list[float]


class PlayerTotals(Struct, frozen=True):
    """The figures of a player; ``docs/analysis.md`` defines each.

    ``given_away`` and ``luck`` are in the unit of the review. The others need chances to win:
    ``error_rate`` and ``pr`` also a decision that counts, and the last four the end of the game.
    ``moved`` is what everybody's decisions changed for this player. So
    ``result = chance at the start + luck + moved + residual``.
    """

    given_away: float
    luck: float
    counted: int
    error_rate: float | None = None
    pr: float | None = None
    grade: Grade | None = None
    result: float | None = None
    adjusted: float | None = None
    moved: float | None = None
    residual: float | None = None


class Review(Struct, frozen=True):
    """All decisions with a choice and all throws of a game, in order, judged by ``evaluator``.

    ``chances``: every player's chance to win before the first move and after each, by seat, seen
    from the turn that the move belongs to; null if values are not chances to win. ``jumps`` are the
    differences to how the next turn sees the same moments.
    """

    unit: Unit
    evaluator: str
    players: list[PlayerTotals]
    decisions: list[Decision]
    throws: list[ThrowLuck]
    jumps: list[Jump]
    chances: list[list[float]] | None = None


class ReviewedGame(Struct, frozen=True):
    """A game as a record, moment by moment, and its review; ``plates`` as in a replay."""

    record: dict[str, Any]
    moments: list[Moment]
    review: Review
    plates: tuple[int, ...] = ()
