"""What a table owes to a family book: every game once, as it ended, whatever happens since."""

from heckmeck.dice import SeededLuck
from heckmeck.table.commands import MarkKept, PutIn
from heckmeck.table.model import Owed, Table
from heckmeck.table.play import Wait, turn_wait, wait
from heckmeck.table.views import table_view
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.refusals import Code
from heckmeck.wire.setup import Setup, Status, Tempo
from tests.server.tables import (
    HOST,
    WATCHER,
    again,
    do,
    entries_of,
    full,
    move,
    played_out,
    player,
    refusal,
)
from tests.table.test_own_dice import Table as OwnDice
from tests.table.test_own_dice import play_on

JUNIOR = Setup("junior", first=0)
BOOK = "boka-miru-tela"


def one_game(table: Table) -> Table:
    return played_out(do(table, m.Start("x"), HOST))


def in_book(setup: Setup = JUNIOR) -> Table:
    return do(full(setup), PutIn(BOOK), player(0))


def kept(table: Table) -> Table:
    (owed,) = table.owed
    return do(table, MarkKept(owed.game, owed.n), WATCHER)


def test_a_game_is_owed_when_it_is_over_and_until_it_is_kept() -> None:
    table = in_book()
    assert table_view("fox", table).book == BOOK
    assert wait(do(table, m.Start("x"), HOST)) is None
    over = one_game(table)
    (owed,) = over.owed
    assert owed.book == BOOK
    assert wait(over) == Wait(owed.n, 0)
    assert turn_wait(over) is None
    assert entries_of(over, MarkKept(0, owed.n), WATCHER) == (a.Kept(0),)
    assert kept(over).owed == ()
    assert refusal(kept(over), MarkKept(0, owed.n), WATCHER)[0] == Code.STALE
    assert refusal(over, MarkKept(0, owed.n + 1), WATCHER)[0] == Code.STALE


def test_rematches_stay_in_the_book_and_may_come_before_the_last_game_is_kept() -> None:
    table = do(one_game(in_book()), m.Rematch("r"), player(0))
    assert [owed.game for owed in table.owed] == [0]
    table = one_game(table)
    assert [(owed.game, owed.book) for owed in table.owed] == [(0, BOOK), (1, BOOK)]
    closed = do(table, m.Close("c"), HOST)
    for owed in closed.owed:
        closed = do(closed, MarkKept(owed.game, owed.n), WATCHER)
    assert wait(closed) is None


def test_a_finished_game_can_be_put_into_a_book_moved_and_taken_out() -> None:
    over = one_game(full(JUNIOR))
    assert over.owed == ()
    first = do(over, PutIn(BOOK), player(1))
    assert [(owed.game, owed.book) for owed in first.owed] == [(0, BOOK)]
    assert again(first, PutIn(BOOK), player(1)) == first.n
    second = do(first, PutIn("tela-miru-boka"), player(1))
    assert [owed.book for owed in second.owed] == ["tela-miru-boka"]
    out = do(kept(second), PutIn(""), player(0))
    assert [owed.book for owed in out.owed] == [""]


def test_only_people_at_the_table_choose_its_book() -> None:
    assert refusal(full(JUNIOR), PutIn(BOOK), WATCHER)[0] == Code.NOT_HOST
    public = full(Setup("junior", public=True))
    assert refusal(public, PutIn(BOOK), player(0))[0] == Code.NOT_HOST
    assert do(public, PutIn(BOOK), HOST).book == BOOK
    closed = do(full(JUNIOR), m.Close("c"), HOST)
    assert refusal(closed, PutIn(BOOK), HOST)[0] == Code.CLOSED


def test_a_slow_table_gives_the_whole_time_after_a_game_was_kept() -> None:
    """A game may begin while the last one is not kept; what is due in the store is one moment."""
    table = do(one_game(in_book(Setup("junior", first=0, tempo=Tempo.DAYS))), m.Rematch("r"), HOST)
    table = move(do(table, m.Start("x"), HOST), "roll")
    assert wait(table) == Wait(table.owed[0].n, 0)
    later = kept(table)
    assert wait(later) == turn_wait(later) == Wait(later.n, 3 * 86_400)


def test_dice_entered_wrongly_take_the_game_out_until_it_is_over_again() -> None:
    for seed in range(200):
        table = OwnDice("junior")
        table.do(PutIn(BOOK), "host")
        luck = SeededLuck(seed)
        while table.table.status is Status.PLAYING:
            play_on(table, luck)
        if table.can_correct():  # the last roll was dead, so it ended the game
            break
    (owed,) = table.table.owed
    table.undo("host")
    assert table.table.owed == (Owed(0, table.table.n, ""),)
    while table.table.status is Status.PLAYING:
        play_on(table, luck)
    (anew,) = table.table.owed
    assert (anew.game, anew.book) == (0, BOOK)
    assert anew.n > owed.n
