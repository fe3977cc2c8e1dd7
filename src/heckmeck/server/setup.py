"""The setup of a table: everything its host can choose."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from heckmeck.rules import BadSetup, HouseRules, game, new_game

#: The maximum time a bot takes for a decision, in milliseconds.
MAX_PACE: Final = 10_000
#: The maximum time a table waits for a player who left, in seconds.
MAX_PATIENCE: Final = 3_600

Edition = Annotated[str, Meta(max_length=24, description="classic, deluxe, barbecue or junior")]
Seats = Annotated[int, Meta(ge=2, le=7, description="how many seats there are")]
First = Annotated[int, Meta(ge=0, le=6)]
Pace = Annotated[
    int, Meta(ge=0, le=MAX_PACE, description="milliseconds a bot takes for each decision")
]
Patience = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_PATIENCE,
        description="seconds until a bot plays for a player who left in their turn; 0: never",
    ),
]


class HouseOptions(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The house rules that are on, as in a record's ``options``."""

    flip_always: bool = False
    flip_returned: bool = False

    def rules(self) -> HouseRules:
        """Return them as a value of the rules."""
        return HouseRules(self.flip_always, self.flip_returned)


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a table. ``first`` is the starting seat; if None, it is drawn."""

    edition: Edition
    seats: Seats = 2
    options: HouseOptions = HouseOptions()
    first: First | None = None
    public: bool = False
    pace: Pace = 900
    patience: Patience = 60
    hints: bool = False
    undo: bool = True


def check(setup: Setup) -> None:
    """Raise `BadSetup` if the setup is not possible."""
    new_game(setup.edition, setup.seats, setup.first or 0, setup.options.rules())


def players(edition: str) -> range:
    """Return the possible numbers of players; raise `BadSetup` if there is no such edition."""
    return game(edition).players


__all__ = [
    "MAX_PACE",
    "MAX_PATIENCE",
    "BadSetup",
    "Edition",
    "First",
    "HouseOptions",
    "Pace",
    "Patience",
    "Seats",
    "Setup",
    "check",
    "players",
]
