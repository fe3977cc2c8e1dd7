"""What clients may do, as they are told it and as requests are decided."""

import pytest

from heckmeck.table.commands import Already, Command, decide
from heckmeck.table.keys import Who, hash_of
from heckmeck.table.model import Table, begin
from heckmeck.table.permissions import may
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.answers import May
from heckmeck.wire.refusals import Refused
from heckmeck.wire.setup import Setup
from tests.server.tables import (
    HOST,
    VAULT,
    WATCHER,
    do,
    follow,
    full,
    new,
    played_out,
    player,
    playing,
)

FOUR = Setup("classic", seats=4)
PUBLIC = Setup("classic", public=True)
RECORDED = a.Created(
    Setup("classic", seats=2, first=0), names=("Ada", "Ben"), moves="roll =11234WWW keep:W"
)


def sat(*seats: int) -> tuple[a.AnyEntry, ...]:
    return tuple(a.Sat(seat, "Ada", hash_of(f"{seat}" * 32)) for seat in seats)


TABLES = {
    "empty": new(FOUR),
    "one seat taken": new(FOUR, *sat(0)),
    "two seats taken": new(FOUR, *sat(0, 1)),
    "a gap": new(FOUR, *sat(0, 2)),
    "full": full(FOUR),
    "goes on from a record": begin(RECORDED).table,
    "goes on from a record, full": follow(begin(RECORDED).table, *sat(0, 1)),
    "public": full(PUBLIC),
    "salt is called for": follow(full(), a.PromisedSalt(0, "a" * 64), a.Called()),
    "playing": playing(),
    "public, playing": do(full(PUBLIC), m.Start("x"), HOST),
    "over": played_out(playing()),
    "closed": follow(full(), a.Closed()),
}
PEOPLE = {
    "host": HOST,
    "hosting player": player(0, host=True),
    "player": player(0),
    "spectator": WATCHER,
}


def after_it(table: Table, command: Command, who: Who) -> Table | None:
    """The table after the command; None if it is refused."""
    try:
        decision = decide(table, command, who, VAULT)
    except Refused:
        return None
    return table if isinstance(decision, Already) else decision[-1].table


@pytest.mark.parametrize("who", PEOPLE.values(), ids=PEOPLE)
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_clients_are_told_what_the_table_allows(table: Table, who: Who) -> None:
    rights = may(table, who)
    assert rights.manage == (after_it(table, m.SetPace("1", 300), who) is not None)
    junior = m.Options("1", edition="junior")
    assert rights.set_up == (after_it(table, junior, who) is not None)
    assert rights.rematch == (after_it(table, m.Rematch("1"), who) is not None)
    # Once salt is called for, anyone may ask again for the start that is already under way.
    assert rights.start == (most_seats_to_start(table, who) if rights.manage else None)


def most_seats_to_start(table: Table, who: Who) -> int | None:
    """With how many seats the game begins, tried out."""
    begun = after_it(table, m.Start("1", "remove"), who)
    return None if begun is None else len(begun.seats)


def test_the_host_may_do_more_than_a_player() -> None:
    assert may(TABLES["two seats taken"], HOST) == May(manage=True, set_up=True, start=2)
    assert may(TABLES["two seats taken"], player(0)) == May(manage=True, start=2)
    assert may(TABLES["public"], player(0)) == May()
    assert may(TABLES["over"], player(0)) == May(manage=True, rematch=True)
