"""Texts with a place of a fixed size fit into it: buttons on a phone, lines of a small terminal.

The browser's tests look at the places themselves; here are their limits in letters, for whoever
writes a text or adds a language.
"""

import re

import pytest
from rich.cells import cell_len

from heckmeck.narration import Messages, table_words
from heckmeck.tui.cells import wrapped
from tests.narration.wording import FACTS, texts

LANGUAGES = list(FACTS)
#: The line of keys below a table of 80 columns, without its margins.
FOOT = 78
#: The left side of such a table: the line above the dice, and what a button of two has inside.
LEFT, BUTTON, BUTTON_LINES = 48, 21, 3

#: The most letters of a text, blanks left out, by the keys that share a kind of place: all but the
#: last rows are for a window of 320 x 568 pixels.
MOST = {
    r"table:(stop\.[a-z]+|act\.(reroll|bust)|roll\.(one|other))": 24,  # the first line of a button
    r"table:(stop\.\w+\..*|act\.\w+\.why|roll\.(dead|junior)|why\..*)": 30,  # and the second
    r"table:(pace\.\w+|worm\.\w+|seat\.away|turn\.of|lobby\.(start|free))": 14,
    r"table:(turn\.yours\.title|table\.watching|hint\.title)": 18,
    r"table:(move\..*)": 28,
    r"web:home\.(play|invite|device|begin|continue|addplayer)": 22,
    r"web:home\.((invite|watch|learn|odds|play)\.why|device\.short)": 48,
    r"web:(edition\.short\..*|speed\.(normal|fast|off)|share\.(copy|copied|send))": 10,
    r"web:(home\.status\..*|turn\.yours|lobby\.(sit|addbot|first\.drawn)|table\.of)": 16,
    r"web:(seat\.(here|stand_in|bot)|worms\.sofar\..*|tip\.(kept|closed))": 16,
    r"web:(review\.(best|played|all|next|mark\..*)|odds\.(atleast|exactly|clear|new))": 16,
    r"web:(review\.(lost|luck)|end\.(tiles|score)|odds\.gold\.(hand|kept|out))": 14,
    r"web:(end\.(rematch|review)(\.why)?|end\.dice|close\.no|hand\..*|plates\..*|snails\..*)": 22,
    r"web:(menu\.\w+|learn\.(try|again|playon)|lobby\.start\..*|lobby\.sub)": 30,
    r"web:(review\.play.*|lobby\.(undo|first\.is_drawn)|house\.\w+)": 46,
    r"table:ask\.\w+": LEFT,
    r"table:key\.\w+": 42,  # in a sheet of 80 columns, beside its key
    r"table:short\.(apple|canned|golden|hen|raven|weasel|face\.\w)": 7,  # on a tile
    r"table:short\.snail": 6,
}


@pytest.mark.parametrize("place", MOST)
def test_a_place_has_texts(place: str) -> None:
    assert any(re.fullmatch(place, f"{each.folder}:{each.key}") for each in texts("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_longer_than_its_place(language: str) -> None:
    long = [
        f"{each} has {cell_len(each.words())} letters of at most {most}"
        for place, most in MOST.items()
        for each in texts(language)
        if re.fullmatch(place, f"{each.folder}:{each.key}") and cell_len(each.words()) > most
    ]
    assert long == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "keys",
    [
        "1 2 3 4 5 W=keep H=hints + -=pace ?=keys Q=leave",
        "R=roll S=stop U=undo H=hints + -=pace ?=keys Q=leave",
        "1-6=answer H=hints + -=pace ?=keys Q=leave",
        "␣=play ← →=step + -=pace ?=keys Q=leave",
        "⏎=start ?=keys Q=leave",
        "H=hints ␣=hurry + -=pace ?=keys Q=leave",
        "H=hints X=reclaim ␣=hurry + -=pace ?=keys Q=leave",
        "H=hints X=fill_in + -=pace ?=keys Q=leave",
    ],
)
def test_the_line_of_keys_fits_on_80_columns(language: str, keys: str) -> None:
    words = table_words(language)
    line = re.sub(r"=(\w+)", lambda key: f" {words.say(f'short.{key[1]}')}  ", keys)
    assert cell_len(line.rstrip()) <= FOOT, line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_of_two_fits_on_80_columns(language: str) -> None:
    words = table_words(language)
    cut = [
        f"{title} / {detail}"
        for title, detail in _buttons(words)
        if len(wrapped(f"S {title}", BUTTON)) + len(wrapped(detail, BUTTON)) > BUTTON_LINES
    ]
    assert cut == []


def _buttons(words: Messages) -> list[tuple[str, str]]:
    """Return what buttons say, with a name of three letters."""
    say = words.say
    worms = words.count("worms", 4)
    stolen = say("stop.from", name="Ada", worms=worms)
    return [
        (words.count("roll", 1), say("roll.dead", chance="12,5\u00a0%")),
        (words.count("roll", 8), say("roll.junior")),
        (words.count("roll", 9), say("act.golden.why")),
        (say("act.reroll"), say("act.reroll.why")),
        (say("act.bust"), say("act.bust.why")),
        (say("stop.take", tile=36), say("stop.take.lower", result=36, worms=worms)),
        (say("stop.steal", tile=36), stolen),
        (say("stop.hen"), say("stop.hen.why", name="Ada", tile=36)),
        (say("stop.pinch", tile=10), stolen),
        (say("stop.pinch", tile=10), say("stop.pinch.choose")),
        (say("stop.plate", spot=36), say("stop.plate.from", name="Ada", worms=worms)),
        (say("stop.close", spot=36), say("stop.close.why", worms=worms)),
        (say("stop.snail"), say("stop.snail.pool")),
        (say("stop.snail"), say("stop.snail.spot", spot=36)),
        (say("stop.end"), say("stop.end.why")),
        *((say("stop.fails"), say(f"why.{why}")) for why in ("no_worm", "too_low", "dead_throw")),
        (say("stop.fails"), say("why.spot_closed")),
        (say("stop.fails"), say("why.no_plate")),
        (say("stop.miss"), say("why.too_low")),
    ]
