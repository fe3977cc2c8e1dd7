"""Tables for unit tests, made of entries without a server."""

from collections.abc import Sequence

from heckmeck.rules import legal, outcome, stopping, word
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import STOP
from heckmeck.server import actions as a
from heckmeck.server import messages as m
from heckmeck.server.commands import Already, Command, Write, decide
from heckmeck.server.keys import Vault, Who, hash_of
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.setup import Setup
from heckmeck.server.table import Table, after, begin

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


def new(setup: Setup | None = None, *entries: a.AnyAction | a.Word) -> Table:
    """A table after these entries."""
    created = a.Created(setup or Setup("classic"), HOST_HASH, VAULT.commitment(0))
    return follow(begin(a.write(created)).table, *entries)


def follow(table: Table, *entries: a.AnyAction | a.Word) -> Table:
    """The table after some more entries."""
    for entry in entries:
        table = after(table, a.write(entry)).table
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


def entries_of(table: Table, command: Command, who: Who) -> Sequence[a.AnyAction | a.Word]:
    """What the command writes."""
    decision = decide(table, command, who, VAULT)
    assert isinstance(decision, Write), decision
    return decision.entries


def do(table: Table, command: Command, who: Who) -> Table:
    """The table after a command."""
    return follow(table, *entries_of(table, command, who))


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
    return do(table, m.MoveRequest(name, table.n, text), player(table.match.state.seat))


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
