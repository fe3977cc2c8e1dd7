"""What stopping would do, and numbers, in a few words."""

from typing import get_args

import pytest

from heckmeck.narration import languages, table_words
from heckmeck.record import final_state
from heckmeck.rules import Ending, Specialist, new_game
from heckmeck.rules import endings as end
from heckmeck.tui.phrases import Phrases, StopWords
from tests.rules.story import RAVEN, deluxe_table, given
from tests.tui.positions import TAKE_25, TAKE_27, junior_throw
from tests.tui.tables import played, record_of

NAMES = ("Ada", "Ben", "Cleo")
KEPT_26 = "roll =11234WWW keep:W roll =12455 keep:5 roll =124 keep:1"

STATE = final_state(played(record_of("deluxe", TAKE_25, TAKE_27), KEPT_26))

ENDINGS: list[tuple[Ending, StopWords]] = [
    (end.TakeTile(26), StopWords("Take 26", "2 worms", target=26)),
    (end.TakeTile(24), StopWords("Take 24", "no 26 here, 1 worm", target=24)),
    (end.TakeTile(29), StopWords("Take 29", "no 26 here, 3 worms + Apple", target=29)),
    (end.TakeTile(23), StopWords("Take 23", "no 26 here, 1 worm + 1 Bratworm", target=23)),
    (end.StealTile(27, 1), StopWords("Steal 27", "from Ben, 2 worms + Golden die", target=27)),
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


def phrases(language: str = "en") -> Phrases:
    return Phrases(table_words(language), language, NAMES)


@pytest.mark.parametrize(("ending", "words"), ENDINGS)
def test_what_stopping_would_do(ending: Ending, words: StopWords) -> None:
    assert phrases().stop(STATE, ending) == words


def test_the_raven_promises_no_bratworm_that_cannot_be_had() -> None:
    table = deluxe_table(3, on_grill={23: RAVEN}, bratworms=(7,))
    words = phrases().stop(given(table, kept="4455W").state, end.TakeTile(23))
    assert words == StopWords("Take 23", "1 worm", target=23)  # D9, D14


def test_every_kind_of_ending_is_in_the_list() -> None:
    assert {type(ending) for ending, _ in ENDINGS} == set(get_args(Ending))
    reasons = {ending.why for ending, _ in ENDINGS if isinstance(ending, end.Nothing)}
    assert reasons == set(end.WhyNothing)


def test_in_junior_nothing_fails() -> None:
    state = final_state(junior_throw())
    assert phrases().stop(state, end.Nothing(end.WhyNothing.NO_WORM)).title == "Stop: no tile"


@pytest.mark.parametrize("language", languages())
def test_every_language_has_words_for_everything(language: str) -> None:
    speaker = phrases(language)
    for ending, _ in ENDINGS:
        assert speaker.stop(STATE, ending).title
    for text in ["roll", "roll:golden", "keep:W", "stop", "reroll", "bust", "rob:1", "pinch:2"]:
        assert speaker.move(text)
    for specialist in Specialist:
        assert speaker.move(f"return:{specialist}")
    for edition in ("classic", "junior"):
        assert all(speaker.face(face) for face in new_game(edition, 2).turn.kept or "W1B")


@pytest.mark.parametrize(
    ("chance", "language", "text"),
    [
        (0.254, "en", "25%"),
        (0.037, "en", "3.7%"),
        (0.037, "de", "3,7\u00a0%"),
        (0.99, "it", "99,0%"),
        (1.0, "fr", "100\u00a0%"),
        (0.0, "en", "0%"),
    ],
)
def test_chances(chance: float, language: str, text: str) -> None:
    assert phrases(language).percent(chance) == text


def test_worths() -> None:
    assert phrases().worth(2.414, "worms") == "+2.41"
    assert phrases("de").worth(-1.5, "worms") == "-1,50"
    assert phrases().worth(0.512, "win") == "51.2%"
