"""Keys mean what they mean in the browser."""

import pytest

from heckmeck.record import Record, final_state
from heckmeck.rules import legal, word
from heckmeck.tui.choices import move_of, wish_of
from heckmeck.tui.dice import Tray, on_table
from heckmeck.tui.source import Seat, View, Wish
from tests.tui.positions import (
    barbecue_go_on,
    classic_start,
    classic_steal,
    deluxe_question,
    deluxe_throw,
    junior_throw,
)


def view_of(record: Record, *wishes: Wish) -> View:
    state = final_state(record)
    seats = tuple(Seat(name, mine=True) for name in record.seats)
    moves = tuple(word(move) for move in legal(state))
    return View(record.edition, seats, state, moves, frozenset(wishes))


def key_in(record: Record, key: str) -> str | None:
    return move_of(key, view_of(record), on_table(final_state(record)))


@pytest.mark.parametrize(
    ("record", "key", "expected"),
    [
        (classic_start(), "r", "roll"),
        (classic_start(), "space", "roll"),
        (classic_start(), "s", None),
        (classic_steal(), "s", "stop"),
        (classic_steal(), "x", None),
        (deluxe_throw(), "1", "keep:1"),
        (deluxe_throw(), "w", "keep:W"),
        (deluxe_throw(), "5", None),
        (deluxe_throw(), "a", "reroll"),
        (deluxe_throw(), "g", None),
        (deluxe_question(), "1", "return:weasel"),
        (deluxe_question(), "2", "return:golden"),
        (deluxe_question(), "3", None),
        (deluxe_question(), "r", None),
        (junior_throw(), "g", "keep:G"),
        (junior_throw(), "k", "keep:K"),
        (barbecue_go_on(), "s", None),
    ],
)
def test_a_key_plays_a_word(record: Record, key: str, expected: str | None) -> None:
    assert key_in(record, key) == expected


def test_another_face_can_be_kept_instead_until_the_next_throw() -> None:
    record = deluxe_throw().first_moves(len(deluxe_throw().moves) - 2)
    tray = Tray(0, "11123455", kept="5")
    assert move_of("1", view_of(record, Wish.UNDO), tray) == "swap:1"
    assert move_of("5", view_of(record, Wish.UNDO), tray) is None
    assert move_of("w", view_of(record, Wish.UNDO), tray) is None
    assert move_of("1", view_of(record), tray) is None


@pytest.mark.parametrize(
    ("key", "wishes", "expected"),
    [
        ("u", [Wish.UNDO], Wish.UNDO),
        ("u", [], None),
        ("h", [Wish.HINTS], Wish.HINTS),
        ("left", [Wish.BACK], Wish.BACK),
        ("right", [Wish.FORWARD], Wish.FORWARD),
        ("home", [Wish.FIRST], Wish.FIRST),
        ("end", [Wish.LAST], Wish.LAST),
        ("space", [Wish.PLAY], Wish.PLAY),
        ("enter", [Wish.START], Wish.START),
        ("plus", [Wish.FASTER], Wish.FASTER),
        ("minus", [Wish.SLOWER], Wish.SLOWER),
    ],
)
def test_a_key_asks_for_a_wish(key: str, wishes: list[Wish], expected: Wish | None) -> None:
    assert wish_of(key, view_of(classic_start(), *wishes)) == expected
