"""The contents of each box: dice, tiles, spots and pieces as plain data.

This is the one place to look up or change a value that is printed on a component but not in a
rulebook's text. Every such value names its source. Numbers like ``C1`` are rulings: see
``docs/rulings.md``.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from heckmeck.rules.dice import DiceSet


class Specialist(StrEnum):
    """The six Specialists of the 2018 box."""

    APPLE = "apple"
    CANNED = "canned"
    GOLDEN = "golden"
    HEN = "hen"
    RAVEN = "raven"
    WEASEL = "weasel"


# --- the number tiles: classic and deluxe ---------------------------------------------------------

# C2, rulebook 2018 ("each showing the numbers 1-5 and one worm"; a worm is worth 5 points).
NUMBER_DICE: Final = DiceSet(
    faces="12345W", sides=(1, 1, 1, 1, 1, 1), points=(1, 2, 3, 4, 5, 5), worm="W", count=8
)

# C1. Worms by fours: every published description of the game.
CLASSIC_TILES: Final[Mapping[int, int]] = MappingProxyType(
    {tile: 1 + (tile - 21) // 4 for tile in range(21, 37)}
)

# D1. One worm each on 11 and 13: two published reviews of the Extrawurm expansion.
SMALL_TILES: Final = (11, 13)
DELUXE_TILES: Final[Mapping[int, int]] = MappingProxyType(
    dict.fromkeys(SMALL_TILES, 1) | dict(CLASSIC_TILES)
)

# D2, rulebook 2018, "Setup".
SPECIALISTS_AT_START: Final[Mapping[int, Specialist]] = MappingProxyType(
    {
        11: Specialist.CANNED,
        21: Specialist.HEN,
        23: Specialist.RAVEN,
        25: Specialist.WEASEL,
        27: Specialist.GOLDEN,
        29: Specialist.APPLE,
    }
)

BRATWORMS: Final = 7  # rulebook 2018, "Components"
APPLE_WORMS: Final = 3  # D15
CANNED_WORM_POINTS: Final = 5  # D12

# D11. Only 1s and worms: two published reviews. Three sides of each is our assumption.
GOLDEN_DIE: Final = DiceSet(faces="1W", sides=(3, 3), points=(1, 5), worm="W", count=1)

# --- the board: barbecue --------------------------------------------------------------------------

# B2. 1 2 3 4 worm 6: two published reviews, and the rulebook's own example keeps two 6s.
BARBECUE_DICE: Final = DiceSet(
    faces="1234W6", sides=(1, 1, 1, 1, 1, 1), points=(1, 2, 3, 4, 5, 6), worm="W", count=8
)

# B1. As on the tiles of the same number: our assumption, the board is described nowhere we found.
BARBECUE_SPOTS: Final[Mapping[int, int]] = MappingProxyType(
    {spot: 1 + (spot - 21) // 4 for spot in range(23, 37)}
)

SNAILS: Final = 12  # B1, rulebook Barbecue
SNAIL_WORMS: Final = 3  # B12, rulebook Barbecue
PLATES_EACH: Final = 10  # B1, rulebook Barbecue

# --- the ingredients: junior ----------------------------------------------------------------------

# J1. Worm, bun, cheese, gherkin, ketchup; the bun counts 2 (rulebook). Two worm sides: an
# unofficial table-top copy only.
JUNIOR_DICE: Final = DiceSet(
    faces="WBCGK", sides=(2, 1, 1, 1, 1), points=(1, 2, 1, 1, 1), worm="W", count=6
)

# J1. Worms 1 1 2 2 3 4: an unofficial table-top copy only.
JUNIOR_TILES: Final[Mapping[int, int]] = MappingProxyType({4: 1, 5: 1, 6: 2, 7: 2, 8: 3, 9: 4})
JUNIOR_COPIES: Final = 2  # J1. Each tile twice: a published review.

# --- who can play (the boxes' covers) -------------------------------------------------------------

CLASSIC_PLAYERS: Final = range(2, 8)
DELUXE_PLAYERS: Final = range(2, 8)
BARBECUE_PLAYERS: Final = range(2, 6)
JUNIOR_PLAYERS: Final = range(2, 6)
