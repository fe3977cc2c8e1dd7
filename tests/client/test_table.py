"""What a client knows of a table, from what it was told."""

import msgspec
import pytest

from heckmeck.client.table import Happened, RemoteTable
from heckmeck.rules import new_game
from heckmeck.rules.events import DiceCast
from heckmeck.wire.answers import (
    BadAnswer,
    DiceInfo,
    Entries,
    NumberedEntry,
    Ok,
    Played,
    Refusal,
    TableInfo,
    Welcome,
    You,
    YouNow,
)
from heckmeck.wire.entries import Emoted
from heckmeck.wire.refusals import Code
from heckmeck.wire.setup import Setup, Status
from heckmeck.wire.states import game_state

STATE = new_game("classic", 2)


def info(status: Status = Status.PLAYING) -> TableInfo:
    return TableInfo("x", status, 0, Setup("classic"), [None, None], DiceInfo(""))


def welcome(n: int, missed: list[NumberedEntry] | None) -> Welcome:
    return Welcome("1", 1, n, You([0], host=False), info(), game_state(STATE), missed)


def entries(*numbers: int) -> list[NumberedEntry]:
    return [NumberedEntry(n, Emoted(n, "worm")) for n in numbers]


def happened(*numbers: int) -> tuple[Happened, ...]:
    return tuple(Happened(Emoted(n, "worm")) for n in numbers)


def test_the_first_welcome_is_all_new() -> None:
    table = RemoteTable()
    heard = table.hear(welcome(2, entries(0, 1, 2)))
    assert heard.reset
    assert heard.happened == happened(0, 1, 2)
    assert (table.n, table.state, table.you) == (2, STATE, You([0], host=False))
    assert table.my_turn


def test_what_was_missed_is_learnt_without_a_gap() -> None:
    table = RemoteTable()
    table.hear(welcome(1, entries(0, 1)))
    heard = table.hear(welcome(3, entries(2, 3)))
    assert not heard.reset
    assert heard.happened == happened(2, 3)


def test_too_much_was_missed() -> None:
    table = RemoteTable()
    table.hear(welcome(1, entries(0, 1)))
    heard = table.hear(welcome(500, None))
    assert heard.reset
    assert heard.happened == ()
    assert table.n == 500


def test_nothing_was_missed() -> None:
    table = RemoteTable()
    table.hear(welcome(1, entries(0, 1)))
    heard = table.hear(welcome(1, []))
    assert (heard.reset, heard.happened) == (False, ())


def test_nothing_is_learnt_twice() -> None:
    table = RemoteTable()
    table.hear(welcome(1, entries(0, 1)))
    assert table.hear(Entries(entries(1, 2))).happened == happened(2)
    assert table.n == 2


def test_a_move_comes_with_its_events() -> None:
    fact = {"event": "dice_cast", "seat": 0, "dice": 8, "golden": False}
    played = Played(0, "roll", [fact])
    (first,) = RemoteTable().hear(Entries([NumberedEntry(3, played)])).happened
    assert first == Happened(played, (DiceCast(0, 8, golden=False),))


def test_what_the_rules_do_not_know_cannot_be_followed() -> None:
    with pytest.raises(BadAnswer, match="There is no event 'tile_eaten'"):
        RemoteTable().hear(Entries([NumberedEntry(3, Played(0, "eat", [{"event": "tile_eaten"}]))]))
    impossible = msgspec.structs.replace(game_state(STATE), table={})
    with pytest.raises(BadAnswer, match=r"missing key `grill`"):
        RemoteTable().hear(Entries([], state=impossible))


def test_with_a_rematch_the_last_game_is_gone() -> None:
    table = RemoteTable()
    table.hear(welcome(1, entries(0, 1)))
    table.hear(Entries(entries(2), info(Status.WAITING)))
    assert table.state is None
    assert not table.my_turn


def test_rights_change() -> None:
    table = RemoteTable()
    assert not table.my_turn
    table.hear(welcome(0, entries(0)))
    table.hear(YouNow(You([], host=False)))
    assert not table.my_turn


def test_a_refusal_shows_how_things_stand() -> None:
    table = RemoteTable()
    table.hear(welcome(1, entries(0, 1)))
    later = new_game("classic", 2, 1)
    heard = table.hear(Refusal("2", Code.STALE, "", 5, info(), game_state(later)))
    assert heard.reset
    assert (table.n, table.state) == (5, later)
    assert not table.hear(Refusal("3", Code.STALE, "", 4, info(), game_state(STATE))).reset
    assert table.state == later
    assert not table.hear(Refusal("4", Code.TOO_FAST, "")).reset
    assert not table.hear(Ok("5", 6)).reset


def test_the_server_says_whether_a_keep_can_be_taken_back() -> None:
    table, seen = RemoteTable(), []
    for answer in (
        welcome(1, None),
        Entries(entries(2), info(), game_state(STATE, undo=True)),
        Entries(entries(3), info(Status.WAITING)),
    ):
        table.hear(answer)
        seen.append(table.can_undo)
    assert seen == [False, True, False]
