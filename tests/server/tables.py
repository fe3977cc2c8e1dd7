"""Tables for unit tests, made of entries without a server."""

from collections.abc import Sequence

from heckmeck.rules import legal, outcome, stopping, word
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import STOP
from heckmeck.table.commands import Already, Command, decide
from heckmeck.table.keys import Vault, Who, hash_of
from heckmeck.table.model import Table, after, begin
from heckmeck.table.play import Steps
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.setup import Setup

VAULT = Vault(b"v" * 32)
HOST = Who(frozenset(), host=True)
WATCHER = Who(frozenset(), host=False)
HOST_HASH = hash_of("h" * 32)


def player(*seats: int, host: bool = False) -> Who:
    """Somebody who holds these seats."""
    return Who(frozenset(seats), host)


def secret(seat: int) -> str:
    """The secret of a seat."""
    return f"{seat}" * 32


def new(setup: Setup | None = None, *entries: a.AnyEntry | a.LoggedMove) -> Table:
    """A table after these entries."""
    created = a.Created(setup or Setup("classic"), HOST_HASH, VAULT.commitment(0))
    return follow(begin(created).table, *entries)


def follow(table: Table, *entries: a.AnyEntry | a.LoggedMove) -> Table:
    """The table after some more entries."""
    for entry in entries:
        table = after(table, entry).table
    return table


def full(setup: Setup | None = None) -> Table:
    """A table with a person on each seat."""
    setup = setup or Setup("classic")
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus")
    return new(
        setup,
        *(a.Sat(seat, names[seat], hash_of(secret(seat))) for seat in range(setup.seats)),
    )


def playing(setup: Setup | None = None) -> Table:
    """A game that has just begun, seat 0 to move."""
    setup = setup or Setup("classic", first=0)
    return do(full(setup), m.Start("x"), HOST)


def entries_of(table: Table, command: Command, who: Who) -> Sequence[a.AnyEntry | a.LoggedMove]:
    """What the command writes."""
    return tuple(a.read(step.text) for step in steps_of(table, command, who))


def steps_of(table: Table, command: Command, who: Who) -> Steps:
    """What the command does. What it writes leads to the same tables when the log is read."""
    decision = decide(table, command, who, VAULT)
    assert not isinstance(decision, Already), decision
    before = table
    for step in decision:
        assert after(before, a.read(step.text)) == step
        before = step.table
    return decision


def do(table: Table, command: Command, who: Who) -> Table:
    """The table after a command."""
    return steps_of(table, command, who)[-1].table


def again(table: Table, command: Command, who: Who) -> int:
    """The number of the entry that did the command before."""
    decision = decide(table, command, who, VAULT)
    assert isinstance(decision, Already), decision
    return decision.n


def refusal(table: Table, command: Command, who: Who) -> tuple[Code, str]:
    """How a command is refused."""
    try:
        decision = decide(table, command, who, VAULT)
    except Refused as refused:
        return refused.code, str(refused)
    raise AssertionError(f"not refused: {decision}")


def move(table: Table, text: str, name: str = "x") -> Table:
    """The table after the player to move has played a word."""
    assert table.match is not None
    return do(table, m.Move(name, table.n, text), player(table.match.state.seat))


def played_out(table: Table) -> Table:
    """The table after a whole game."""
    while table.match is not None and outcome(table.match.state) is None:
        moves = legal(table.match.state)
        stops = STOP in moves and not isinstance(stopping(table.match.state), Nothing)
        choice = (
            STOP
            if stops
            else next(move for move in reversed(moves) if move != STOP or len(moves) == 1)
        )
        table = move(table, word(choice))
    return table
