"""What stopping would do, in a few words."""

from typing import get_args

import pytest

from heckmeck.narration import Phrases, StopWords, languages
from heckmeck.rules import Bonus, Ending
from heckmeck.rules import endings as end

NAMES = ("Ada", "Ben", "Cleo")

ENDINGS: list[tuple[Ending, StopWords]] = [
    (end.TakeTile(26), StopWords("Take 26", "2 worms", target=26)),
    (end.TakeTile(24), StopWords("Take 24", "no 26 here, 1 worm", target=24)),
    (end.StealTile(27, 1), StopWords("Steal 27", "from Ben, 2 worms", target=27)),
    (end.StealHen(25, 0), StopWords("Take the hen", "from Ada: she guards 25", target=25)),
    (end.PinchTile(7, (1,)), StopWords("Pinch 7", "from Ben, 2 worms", target=7)),
    (end.PinchTile(7, (0, 1)), StopWords("Pinch 7", "you choose from whom", target=7)),
    (end.OccupySpot(30), StopWords("Plate on 30", "3 worms", target=30)),
    (end.StealSpot(30, 1), StopWords("Plate on 30", "3 worms from Ben", target=30)),
    (end.CloseSpot(30), StopWords("Close 30", "3 worms again", target=30)),
    (end.TakeSnail(36), StopWords("Take a snail", "from 36, 3 worms", target=36)),
    (end.TakeSnail(None), StopWords("Take a snail", "from the pool, 3 worms")),
    (end.EndGame(), StopWords("End the game", "no snails left")),
    *(
        (end.Nothing(why), StopWords("Stop: attempt fails", text, fails=True))
        for why, text in {
            end.WhyNothing.DEAD_THROW: "a dead roll",
            end.WhyNothing.NO_WORM: "no worm yet",
            end.WhyNothing.TOO_LOW: "too low to take anything",
            end.WhyNothing.SPOT_CLOSED: "that spot is closed",
            end.WhyNothing.NO_PLATE: "no plate left",
        }.items()
    ),
]


def stop(
    ending: Ending, bonus: Bonus | None = None, language: str = "en", *, harmless: bool = False
) -> StopWords:
    """Words an ending with a total of 26."""
    return Phrases(language, NAMES).stop(ending, 26, bonus, harmless=harmless)


@pytest.mark.parametrize(("ending", "words"), ENDINGS)
def test_what_stopping_would_do(ending: Ending, words: StopWords) -> None:
    assert stop(ending) == words


@pytest.mark.parametrize(
    ("ending", "bonus", "detail"),
    [
        (end.TakeTile(29), Bonus.APPLE, "no 26 here, 3 worms + Apple"),
        (end.TakeTile(23), Bonus.BRATWORM, "no 26 here, 1 worm + 1 Bratworm"),
        (end.StealTile(27, 1), Bonus.GOLDEN, "from Ben, 2 worms + Golden die"),
    ],
)
def test_what_comes_with_a_tile(ending: Ending, bonus: Bonus, detail: str) -> None:
    assert stop(ending, bonus).detail == detail


def test_without_a_worm_no_number_is_missing() -> None:
    words = Phrases("en", NAMES).stop(end.TakeTile(24), None, None, harmless=False)
    assert words.detail == "1 worm"


def test_where_failing_is_harmless_nothing_fails() -> None:
    assert stop(end.Nothing(end.WhyNothing.NO_WORM), harmless=True).title == "Stop: no tile"


def test_an_ending_in_one_line() -> None:
    assert str(stop(end.StealTile(27, 1))) == "Steal 27 (from Ben, 2 worms)"


def test_every_kind_of_ending_is_in_the_list() -> None:
    assert {type(ending) for ending, _ in ENDINGS} == set(get_args(Ending))
    reasons = {ending.why for ending, _ in ENDINGS if isinstance(ending, end.Nothing)}
    assert reasons == set(end.WhyNothing)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("ending", [ending for ending, _ in ENDINGS])
def test_every_language_has_words_for_every_ending(ending: Ending, language: str) -> None:
    words = stop(ending, Bonus.APPLE, language)
    assert words.title
    assert words.detail
