"""A series: rematches keep the score, whoever sits where."""

from heckmeck.dice import SeededLuck
from heckmeck.rules import outcome
from heckmeck.table.keys import hash_of
from heckmeck.table.model import Table
from heckmeck.table.views import table_view
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.setup import Setup, Status
from tests.server.tables import HOST, do, follow, full, played_out, player, secret
from tests.table.test_own_dice import Table as OwnDice
from tests.table.test_own_dice import play_on

JUNIOR = Setup("junior", first=0)


def one_game(table: Table) -> Table:
    return played_out(do(table, m.Start("x"), HOST))


def test_a_series_counts_games_wins_and_worms() -> None:
    table = one_game(full(JUNIOR))
    assert table.match is not None
    first = outcome(table.match.state)
    assert first is not None
    lines = {line.name: line for line in table_view("fox", table).series}
    for seat, name in enumerate(("Ada", "Ben")):
        assert (lines[name].games, lines[name].worms) == (1, first.scores[seat])
        assert lines[name].wins == (seat in first.winners)
    table = one_game(do(table, m.Rematch("r"), player(0)))
    assert [score.games for score in table.series] == [2, 2]
    assert sum(score.wins for score in table.series) >= 2
    wins = [(score.wins, score.worms) for score in table.series]
    assert wins == sorted(wins, reverse=True)


def test_who_comes_later_has_a_line_and_who_is_renamed_keeps_theirs() -> None:
    table = do(one_game(full(JUNIOR)), m.Rematch("r"), player(0))
    table = follow(
        table,
        a.Named(0, "Countess"),
        a.Left(1),
        a.Sat(1, "Cleo", hash_of(secret(5))),
    )
    table = one_game(table)
    games = {score.name: score.games for score in table.series}
    assert games == {"Countess": 2, "Ben": 1, "Cleo": 1}


def test_a_game_that_was_not_finished_does_not_count() -> None:
    assert do(do(full(JUNIOR), m.Start("x"), HOST), m.Close("c"), HOST).series == ()


def test_a_game_that_ended_by_dice_entered_wrongly_counts_once() -> None:
    for seed in range(200):
        table = OwnDice("junior")
        luck = SeededLuck(seed)
        while table.table.status is Status.PLAYING:
            play_on(table, luck)
        if table.can_correct():  # the last roll was dead, so it ended the game
            break
    assert [score.games for score in table.table.series] == [1, 1]
    table.undo("host")
    assert [score.games for score in table.table.series] == []
    while table.table.status is Status.PLAYING:
        play_on(table, luck)
    end = outcome(table.match.state)
    assert end is not None
    assert {score.name: score.worms for score in table.table.series} == dict(
        zip(("Ada", "Ben"), end.scores, strict=True)
    )
    assert [score.games for score in table.table.series] == [1, 1]
