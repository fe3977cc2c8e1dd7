"""The engine protocol: requests, answers and error codes. The contract is ``docs/record.md``."""

from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from heckmeck.record import HouseOptions
from heckmeck.wire.coach import Unit, WeighedMove

Count: TypeAlias = Annotated[int, Meta(ge=0)]
SeatCount: TypeAlias = Annotated[int, Meta(ge=0, lt=100)]


class Code(StrEnum):
    """The protocol's error codes."""

    BAD_JSON = "bad_json"
    BAD_REQUEST = "bad_request"
    NO_GAME = "no_game"
    ILLEGAL_MOVE = "illegal_move"
    BAD_RECORD = "bad_record"
    UNKNOWN_BOT = "unknown_bot"


# --- requests, in the order of the contract -------------------------------------------------------


class EngineRequest(Struct, frozen=True, tag_field="do"):
    """A request to the engine; its ``id`` may be anything, and unknown keys are ignored."""


class New(EngineRequest, frozen=True, tag="new"):
    """Start a new game; ``seats`` is a number or a list of names."""

    edition: str
    seats: SeatCount | list[str]
    first: Count = 0
    options: HouseOptions = HouseOptions()
    seed: int | str | None = None


class Play(EngineRequest, frozen=True, tag="play"):
    """Play moves, all of them or none."""

    moves: list[str]


class ThrowDice(EngineRequest, frozen=True, tag="throw"):
    """Throw the dice that are awaited."""


class ShowState(EngineRequest, frozen=True, tag="state"):
    """Show the state."""


class ShowRecord(EngineRequest, frozen=True, tag="record"):
    """Show the game so far as a record."""


class Load(EngineRequest, frozen=True, tag="load"):
    """Take over a recorded game, finished or not."""

    record: Any = None
    seed: int | str | None = None


class TakeBack(EngineRequest, frozen=True, tag="undo"):
    """Take back moves, dice included."""

    count: Count = 1


class ListBots(EngineRequest, frozen=True, tag="bots"):
    """List the bots."""


class Choose(EngineRequest, frozen=True, tag="choose"):
    """Ask a bot what it would play here."""

    bot: str


class Advise(EngineRequest, frozen=True, tag="advise"):
    """Weigh every legal move."""

    unit: Unit | None = None


class Quit(EngineRequest, frozen=True, tag="quit"):
    """End after the answer."""


#: Requests about the engine's game.
MatchRequest: TypeAlias = New | Play | ThrowDice | ShowState | ShowRecord | Load | TakeBack
AnyEngineRequest: TypeAlias = MatchRequest | ListBots | Choose | Advise | Quit


# --- answers, after ``id`` and ``ok`` -------------------------------------------------------------


class StateShown(Struct, frozen=True):
    """The state, by the contract."""

    state: dict[str, Any]


class DiceThrown(Struct, frozen=True):
    """What was thrown, and the state after it."""

    move: str
    state: dict[str, Any]


class RecordShown(Struct, frozen=True):
    """The game so far."""

    record: dict[str, Any]


class BotAbout(Struct, frozen=True):
    """A bot: its name, the editions it plays, its character in a sentence."""

    name: str
    editions: list[str]
    about: str


class BotsListed(Struct, frozen=True):
    """All bots."""

    bots: list[BotAbout]


class MoveChosen(Struct, frozen=True):
    """What a bot would play."""

    move: str


class MovesWeighed(Struct, frozen=True):
    """Every legal move, best first; ``unit`` says how values are measured."""

    unit: Unit
    moves: list[WeighedMove]


class Done(Struct, frozen=True):
    """Nothing more to say."""


class EngineError(Struct, frozen=True, omit_defaults=True):
    """Why a request was refused; ``index`` is that of a bad move."""

    code: Code
    message: str
    index: int | None = None


AnyEngineAnswer: TypeAlias = (
    StateShown | DiceThrown | RecordShown | BotsListed | MoveChosen | MovesWeighed | Done
)
