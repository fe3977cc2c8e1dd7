"""What a client knows of a table, from what it was told."""

from heckmeck.client import Happening, RemoteTable, TableInfo
from heckmeck.client.wire import Events, Ok, Refusal, Welcome, You, YouNow
from heckmeck.rules import AnyState, new_game

STATE = new_game("classic", 2)


def info(status: str = "playing") -> TableInfo:
    return TableInfo("x", status, "classic", (None, None), False, False, True, 900)


def welcome(
    n: int, missed: tuple[Happening, ...] | None, state: AnyState | None = STATE
) -> Welcome:
    return Welcome("1", n, 1, You((0,)), info(), state, missed)


def happened(*numbers: int) -> tuple[Happening, ...]:
    return tuple(Happening(n, "emoted") for n in numbers)


def test_the_first_welcome_is_all_new() -> None:
    table = RemoteTable()
    heard = table.hear(welcome(2, happened(0, 1, 2)))
    assert heard.anew
    assert heard.happened == happened(0, 1, 2)
    assert (table.n, table.state, table.you) == (2, STATE, You((0,)))
    assert table.my_turn


def test_what_was_missed_is_learnt_without_a_gap() -> None:
    table = RemoteTable()
    table.hear(welcome(1, happened(0, 1)))
    heard = table.hear(welcome(3, happened(2, 3)))
    assert not heard.anew
    assert heard.happened == happened(2, 3)


def test_too_much_was_missed() -> None:
    table = RemoteTable()
    table.hear(welcome(1, happened(0, 1)))
    heard = table.hear(welcome(500, None))
    assert heard.anew
    assert heard.happened == ()
    assert table.n == 500


def test_nothing_was_missed() -> None:
    table = RemoteTable()
    table.hear(welcome(1, happened(0, 1)))
    heard = table.hear(welcome(1, ()))
    assert (heard.anew, heard.happened) == (False, ())


def test_nothing_is_learnt_twice() -> None:
    table = RemoteTable()
    table.hear(welcome(1, happened(0, 1)))
    assert table.hear(Events(happened(1, 2), None, None)).happened == happened(2)
    assert table.n == 2


def test_with_a_rematch_the_last_game_is_gone() -> None:
    table = RemoteTable()
    table.hear(welcome(1, happened(0, 1)))
    table.hear(Events(happened(2), info("waiting"), None))
    assert table.state is None
    assert not table.my_turn


def test_rights_change() -> None:
    table = RemoteTable()
    assert not table.my_turn
    table.hear(welcome(0, happened(0)))
    table.hear(YouNow(You()))
    assert not table.my_turn


def test_a_refusal_shows_how_things_stand() -> None:
    table = RemoteTable()
    table.hear(welcome(1, happened(0, 1)))
    later = new_game("classic", 2, 1)
    heard = table.hear(Refusal("2", "stale", "", 5, info(), later))
    assert heard.anew
    assert (table.n, table.state) == (5, later)
    assert not table.hear(Refusal("3", "stale", "", 4, info(), STATE)).anew
    assert table.state == later
    assert not table.hear(Refusal("4", "too_fast", "", None, None, None)).anew
    assert not table.hear(Ok("5", 6)).anew
