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
        description="seconds until a bot plays for a player who left in their turn; 0: never",
    ),
]


class Status(StrEnum):
    """The stage of a table, for lists; the log of entries is authoritative."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


class Setup(Struct, frozen=True):
    """The settings of a table. ``first`` is the starting seat; if None, it is drawn."""

    edition: Edition
    seats: Seats = 2
    options: HouseOptions = HouseOptions()
    first: First | None = None
    public: bool = False
    pace: Pace = 320
    patience: Patience = 60
    hints: bool = False
    undo: bool = True


class NewSetup(Setup, frozen=True, forbid_unknown_fields=True):
    """The settings of a new table: a misspelt one is refused."""

    def plain(self) -> Setup:
        """Return the settings as those of any table."""
        return Setup(**asdict(self))
