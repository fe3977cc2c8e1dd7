"""The setup of a table: everything its host can choose."""

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import asdict

from heckmeck.record import HouseOptions

#: The maximum pace of bots, in milliseconds.
MAX_PACE: Final = 10_000
#: The maximum time a table waits for a player who left, in seconds.
MAX_PATIENCE: Final = 3_600

Edition = Annotated[str, Meta(max_length=24, description="classic, deluxe, barbecue or junior")]
Seats = Annotated[int, Meta(ge=2, le=7, description="how many seats there are")]
First = Annotated[int, Meta(ge=0, le=6)]
Pace = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_PACE,
        description="milliseconds a bot looks at a throw before it keeps dice; the time of its"
        " other decisions depends on it",
    ),
]
Patience = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_PATIENCE,
        description="seconds until a bot plays for a player who left in their turn; 0: never; "
        "at a table with a slower tempo than now, the tempo decides",
    ),
]


class Tempo(StrEnum):
    """How long a player may take for a move.

    At tempo ``now`` everybody is at the table, and a table waits for a player who left as long as
    its ``patience``. Otherwise people come by when they have time: bots play without
    anybody watching, and when the time for a move is over, a bot plays that turn to its end.
    """

    NOW = "now"
    HOURS = "hours"
    DAYS = "days"

    @property
    def seconds(self) -> int | None:
        """The time for a move: half a day or three days; None at tempo now."""
        return _SECONDS.get(self)


_SECONDS: Final = {Tempo.HOURS: 12 * 3_600, Tempo.DAYS: 3 * 86_400}


class Status(StrEnum):
    """The stage of a table, for lists; the log of entries is authoritative."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


class Setup(Struct, frozen=True):
    """The settings of a table.

    ``first`` is the starting seat; if None, it is drawn. ``own_dice``: people roll real dice and
    enter what fell, for bots too; otherwise the table rolls.
    """

    edition: Edition
    seats: Seats = 2
    options: HouseOptions = HouseOptions()
    first: First | None = None
    public: bool = False
    pace: Pace = 320
    patience: Patience = 60
    hints: bool = False
    undo: bool = True
    tempo: Tempo = Tempo.NOW
    own_dice: bool = False


class NewSetup(Setup, frozen=True, forbid_unknown_fields=True):
    """The settings of a new table: a misspelt one is refused."""

    def plain(self) -> Setup:
        """Return the settings as those of any table."""
        return Setup(**asdict(self))
