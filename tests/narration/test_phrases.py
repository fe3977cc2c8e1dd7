"""What a table says of moves, numbers and the end of a turn, in a few words."""

import pytest

from heckmeck.narration import Phrases, StopWords, languages
from heckmeck.record import final_state
from heckmeck.rules import AnyState, Specialist, new_game
from heckmeck.tui.source import Seat, View
from tests.rules.story import APPLE, RAVEN, deluxe_table, given
from tests.tui.positions import TAKE_25, TAKE_27, junior_throw
from tests.tui.tables import played, record_of

NAMES = ("Ada", "Ben", "Cleo")
KEPT_26 = "roll =11234WWW keep:W roll =12455 keep:5 roll =124 keep:1"


def phrases(language: str = "en") -> Phrases:
    return Phrases(language, NAMES)


def stop_at(state: AnyState) -> StopWords | None:
    return View("deluxe", tuple(map(Seat, NAMES)), state).stop_words(phrases())


def test_what_stopping_would_do() -> None:
    state = final_state(played(record_of("deluxe", TAKE_25, TAKE_27), KEPT_26))
    assert stop_at(state) == StopWords("Take 26", "2 worms", target=26)


def test_before_a_keep_nobody_can_stop() -> None:
    assert stop_at(new_game("deluxe", 3)) is None
    assert View("deluxe", (), None).stop_words(phrases()) is None


def test_what_comes_with_a_tile() -> None:
    apple = deluxe_table(3, on_grill={29: APPLE})
    words = stop_at(given(apple, kept="4555WW").state)
    assert words == StopWords("Take 29", "3 worms + Apple", target=29)


def test_the_raven_promises_no_bratworm_that_cannot_be_had() -> None:
    some = deluxe_table(3, on_grill={23: RAVEN})
    words = stop_at(given(some, kept="4455W").state)
    assert words == StopWords("Take 23", "1 worm + 1 Bratworm", target=23)
    none = deluxe_table(3, on_grill={23: RAVEN}, bratworms=(7,))
    words = stop_at(given(none, kept="4455W").state)
    assert words == StopWords("Take 23", "1 worm", target=23)  # D9, D14


def test_in_junior_nothing_fails() -> None:
    words = stop_at(final_state(played(junior_throw(), "keep:B")))
    assert words is not None
    assert words.title == "Stop: no tile"


@pytest.mark.parametrize("language", languages())
def test_every_language_has_words_for_everything(language: str) -> None:
    speaker = phrases(language)
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
        (0.99, "it", "99%"),
        (1.0, "fr", "100\u00a0%"),
        (0.037, "nl", "3,7%"),
        (0.037, "es", "3,7\u00a0%"),
        (0.0, "en", "0%"),
    ],
)
def test_chances(chance: float, language: str, text: str) -> None:
    assert phrases(language).percent(chance) == text


def test_values() -> None:
    assert phrases().value(2.414, "worms") == "+2.41"
    assert phrases("de").value(-1.5, "worms") == "-1,50"
    assert phrases().value(0.512, "win") == "51.2%"
