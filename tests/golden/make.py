"""Makes the golden playthroughs: ``python -m tests.golden.make``.

Every page that is there is written again from the words it shows, so that its diff is what a
change of the rules did to that very game. A game without a page is played with its seed.
"""

from pathlib import Path
from typing import NamedTuple

from heckmeck.record import Record
from heckmeck.rules import NO_HOUSE_RULES, HouseRules
from tests.golden.playthrough import read_page, write_page
from tests.record.games import play

HERE = Path(__file__).parent


class GoldenGame(NamedTuple):
    """A game to play: the seeds were searched for games in which a lot happens."""

    edition: str
    number: int
    seats: int
    seed: int
    first: int = 0
    house: HouseRules = NO_HOUSE_RULES

    @property
    def page(self) -> Path:
        """The file that shows this game."""
        return HERE / f"{self.edition}-{self.number}.txt"


BOTH_FLIPS = HouseRules(flip_always=True, flip_returned=True)
FLIP_ALWAYS = HouseRules(flip_always=True)

GAMES = (
    GoldenGame("classic", 1, seats=2, seed=15),
    GoldenGame("classic", 2, seats=4, seed=51, first=3, house=BOTH_FLIPS),
    GoldenGame("deluxe", 1, seats=2, seed=157),
    GoldenGame("deluxe", 2, seats=3, seed=9),
    GoldenGame("deluxe", 3, seats=4, seed=196, first=2, house=FLIP_ALWAYS),
    GoldenGame("barbecue", 1, seats=2, seed=17),
    GoldenGame("barbecue", 2, seats=4, seed=388, first=1),
    GoldenGame("junior", 1, seats=3, seed=254),
    GoldenGame("junior", 2, seats=5, seed=177, first=4),
)


def record_of(game: GoldenGame) -> Record:
    """Return the record on the game's page, or of the game played anew if it has none."""
    if game.page.exists():
        return read_page(game.page.read_text(encoding="utf-8"))
    return play(game.edition, game.seats, game.seed, first=game.first, house=game.house).record


def main() -> None:
    """Write all pages."""
    for game in GAMES:
        page = write_page(record_of(game))
        game.page.write_text(page, encoding="utf-8")
        print(f"{game.page.name}: {len(page)} characters")


if __name__ == "__main__":
    main()
