"""A table, a turn and what a stop would do, in lines of text."""

import pytest

from heckmeck.cli.line_texts import LineTexts
from heckmeck.record import final_state
from heckmeck.rules import EDITIONS, AnyState, legal, new_game, word
from heckmeck.rules.grill import Grill
from heckmeck.rules.junior import JuniorTable
from heckmeck.rules.state import DECIDING, State
from heckmeck.rules.turn import Turn
from heckmeck.tui.source import Seat, View
from tests.cli.records import read
from tests.rules.story import APPLE, deluxe_table, given

NAMES = ("Ada", "Ben", "Cleo")


def state_after(edition: str, *turns: str) -> AnyState:
    header = f"heckmeck: 1\nedition: {edition}\nseats: {', '.join(NAMES)}\n\n"
    return final_state(read(header + "\n".join(turns)))


def view_of(state: AnyState) -> View:
    moves = tuple(word(move) for move in legal(state))
    return View("deluxe", tuple(map(Seat, NAMES)), state, moves)


TAKE_25 = "roll =11234WWW keep:W roll =12455 keep:5 stop"
TAKE_27 = "roll =11234WWW keep:W roll =12344 keep:4 roll =123 keep:3 roll =12 keep:1 stop"
TAKE_33 = "roll =11234WWW keep:W roll =12355 keep:5 roll =344 keep:4 stop"
FAIL = "roll =11112345 keep:5 stop"

TABLES = [
    (
        state_after("classic", TAKE_25, FAIL, TAKE_25),
        """\
Grill: 21 22 23 24 26 27 28 29 30 31 32 33 34 35 36
  Ada: 0 (no tile)
  Ben: 0 (no tile)
  Cleo: 2 (top tile 25, 1 in all)""",
    ),
    (
        state_after("classic", TAKE_25, FAIL, FAIL, TAKE_33),
        """\
Grill: 21 22 23 24 26 27 28 29 30 31 32 34 35 36
  Ada: 6 (top tile 33, 2 in all)
  Ben: 0 (no tile)
  Cleo: 0 (no tile)""",
    ),
    (
        state_after("deluxe", TAKE_25, "roll =11234WWW keep:W"),
        """\
Grill: 11(Canned worm) 13 21(Sitting hen) 22 23(Raven) 24 26 27(Golden die) 28 29(Apple) 30 31 \
32 33 34 35 36
Bratworms in the supply: 7
  Ada: 2 (top tile 25, 1 in all, 0 Bratworms, Specialist: Weasel)
  Ben: 0 (no tile, 0 Bratworms)
  Cleo: 0 (no tile, 0 Bratworms)""",
    ),
    (
        state_after(
            "barbecue",
            "roll =1234WWW6 keep:W roll =12346 keep:6 roll =1234 keep:4 stop",
            "roll =1111112W keep:1 roll =11",
            "roll =1111112W keep:1 roll =11",
        ),
        """\
Grill: 23 24 25(Ada) 26 27 28 29 30 31 32 33 34 35(snail) 36(snail)
Grill snails in the pool: 10
  Ada: 2 (2 worms, 0 snails, 9 plates in hand)
  Ben: 0 (0 worms, 0 snails, 10 plates in hand)
  Cleo: 0 (0 worms, 0 snails, 10 plates in hand)""",
    ),
    (
        state_after("junior", "roll =WWWWBC keep:W roll =BC keep:C stop", "roll =BBBBBB keep:B"),
        """\
Grill: 4 4 5 6 6 7 7 8 8 9
  Ada: 1 (top tile 5, 1 in all)
  Ben: 0 (no tile)
  Cleo: 0 (no tile)""",
    ),
]


@pytest.mark.parametrize(
    ("state", "text"), TABLES, ids=[str(number) for number in range(len(TABLES))]
)
def test_a_table_reads(state: AnyState, text: str) -> None:
    assert LineTexts(NAMES).table(state) == text


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_table_shows_every_player(edition: str) -> None:
    for seats in EDITIONS[edition].players:
        names = [f"Player {seat}" for seat in range(seats)]
        shown = LineTexts(names).table(new_game(edition, seats)).splitlines()
        assert shown[0].startswith("Grill: ")
        assert [line.split(":")[0].strip() for line in shown[-seats:]] == names


def test_an_empty_grill_says_so() -> None:
    table = JuniorTable(Grill((), (9,)), ((4, 5), ()))
    assert LineTexts(NAMES[:2]).table(State(table, 0, Turn(6), DECIDING)) == (
        "Grill: nothing\n  Ada: 2 (top tile 5, 2 in all)\n  Ben: 0 (no tile)"
    )


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ("roll =11234WWW keep:4", "Kept 4: 4, no worm yet. In hand: 7."),
        ("roll =11234WWW keep:W", "Kept W W W: 15, with a worm. In hand: 5."),
        (
            "roll =11234WWW keep:W roll =12455 keep:1",
            "Kept 1 W W W: 16, with a worm. In hand: 4.",
        ),
    ],
)
def test_a_turn_reads(moves: str, text: str) -> None:
    state = state_after("classic", moves)
    assert LineTexts(NAMES).turn(view_of(state), state) == text


def test_a_turn_with_the_golden_die_in_hand() -> None:
    state = state_after("deluxe", TAKE_27, FAIL, FAIL, "roll:golden =11234WWW+1 keep:W")
    assert LineTexts(NAMES).turn(view_of(state), state) == (
        "Kept W W W: 15, with a worm. In hand: 5 and the golden die."
    )


def test_what_stopping_would_do_reads() -> None:
    take = view_of(state_after("classic", "roll =11234WWW keep:W roll =12455 keep:5"))
    assert LineTexts(NAMES).stop(take) == "stop: Take 25 (2 worms)"
    assert LineTexts(NAMES).choices(take) == [("roll", "roll"), ("stop", "Take 25 (2 worms)")]
    fail = view_of(state_after("classic", "roll =11234WWW keep:4"))
    assert LineTexts(NAMES).stop(fail) == "Stop: attempt fails (no worm yet)"


def test_what_comes_with_a_tile_reads() -> None:
    apple = given(deluxe_table(3, on_grill={29: APPLE}), kept="4555WW").state
    assert LineTexts(NAMES).stop(view_of(apple)) == "stop: Take 29 (3 worms + Apple)"


def test_the_reader_is_you_in_the_table() -> None:
    rows = LineTexts(NAMES, "de", you=1).table(new_game("classic", 3)).splitlines()[1:]
    assert [row.split(":")[0].strip() for row in rows] == ["Ada", "Du", "Cleo"]


def test_french_has_no_line_break_before_a_colon() -> None:
    said = LineTexts(NAMES, "fr").table(new_game("classic", 3))
    assert f"  {NAMES[0]}\u00a0: 0 (aucun Pickomino)" in said.splitlines()
