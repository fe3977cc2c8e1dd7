"""What a request does: pure decisions from a table, a request and who sent it.

`decide` returns the entries to write, or the number of an earlier entry, or raises `Refused`. The
rules decide which moves are legal.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias, assert_never

from heckmeck.server import actions as a
from heckmeck.server import lobby, permissions, play
from heckmeck.server import messages as m
from heckmeck.server.keys import Vault, Who
from heckmeck.server.play import Entries
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.table import Table


@dataclass(frozen=True, slots=True)
class SitDown:
    """A `Sit` with a hashed secret."""

    name: str
    seat: int | None
    hash: str


@dataclass(frozen=True, slots=True)
class BotMove:
    """A bot chose this word for the position of entry ``at``."""

    at: int
    word: str


@dataclass(frozen=True, slots=True)
class Begin:
    """The words that entry ``at`` called for were waited for long enough."""

    at: int


@dataclass(frozen=True, slots=True)
class MarkAway:
    """No client is connected for this seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class MarkBack:
    """A client is connected for this seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class StandIn:
    """A bot should play for this seat at the position of entry ``at``."""

    at: int
    seat: int


#: Requests that are answered by a single action.
SimpleRequest: TypeAlias = (
    m.Leave
    | m.Rename
    | m.PromiseWords
    | m.SetBot
    | m.RemoveBot
    | m.Options
    | m.SetPace
    | m.Emote
    | m.Reclaim
    | m.Rematch
    | m.Undo
)
#: Everything that changes a table; those that are not messages come from the server itself.
Command: TypeAlias = (
    SimpleRequest
    | m.MoveRequest
    | m.Start
    | m.ShowWords
    | m.Close
    | SitDown
    | Begin
    | BotMove
    | MarkAway
    | MarkBack
    | StandIn
)


#: The maximum number of entries of a log: a hundred long games.
MAX_ENTRIES: Final = 200_000


class Write(NamedTuple):
    """Append these entries."""

    entries: Entries


class Already(NamedTuple):
    """It was already done, by entry ``n``."""

    n: int


Decision: TypeAlias = Write | Already


def decide(table: Table, command: Command, who: Who, vault: Vault) -> Decision:
    """Decide what ``command`` does; raise `Refused` if nothing."""
    again = _done_before(table, command, who)
    if again is not None:
        return Already(again)
    permissions.open_table(table)
    if table.n >= MAX_ENTRIES:
        raise Refused(
            Code.TOO_LONG,
            f"This table has reached its limit of {MAX_ENTRIES:,} log entries. Open a new one.",
        )
    return Write(_entries(table, command, who, vault))


def _done_before(table: Table, command: Command, who: Who) -> int | None:
    """Return the number of the entry that already carried out this command, if there is one."""
    match command:
        case m.MoveRequest():
            return play.played_before(table, command, who)
        case SitDown():
            return None if lobby.seat_of(table, command.hash) is None else table.n
        case m.Start():
            return table.called
        case m.ShowWords():
            return table.n if lobby.are_shown(table, command.seat, command.words) else None
        case m.Reclaim():
            return table.n if lobby.plays_themselves(table, command.seat, who) else None
        case _:
            return None


def _entries(table: Table, command: Command, who: Who, vault: Vault) -> Entries:
    match command:
        case m.MoveRequest():
            return play.move(table, command, who, vault)
        case BotMove(at, word):
            return play.bot_move(table, at, word, vault)
        case m.Start():
            return lobby.start(table, who, vault)
        case m.ShowWords():
            return lobby.show_words(table, command.seat, command.words, who, vault)
        case Begin(at):
            return lobby.begin_at_last(table, at, vault)
        case m.Close():
            return lobby.close(table, who, vault)
        case SitDown(name, seat, hashed):
            return (lobby.sit(table, name, seat, hashed),)
        case MarkAway(seat):
            return (lobby.mark_away(table, seat),)
        case MarkBack(seat):
            return (lobby.mark_back(table, seat),)
        case StandIn(at, seat):
            return (lobby.stand_in(table, at, seat),)
        case _:
            return (_action(table, command, who, vault),)


def _action(table: Table, request: SimpleRequest, who: Who, vault: Vault) -> a.AnyAction:
    match request:
        case m.Leave():
            return lobby.leave(table, request.seat, who)
        case m.Rename():
            return lobby.rename(table, request.seat, request.name, who)
        case m.PromiseWords():
            return lobby.promise_words(table, request.seat, request.promise, who)
        case m.SetBot():
            return lobby.set_bot(table, request, who)
        case m.RemoveBot():
            return lobby.remove_bot(table, request.seat, who)
        case m.Options():
            return lobby.options(table, request, who)
        case m.SetPace():
            return lobby.pace(table, request.pace, who)
        case m.Rematch():
            return lobby.rematch(table, who, vault)
        case m.Undo():
            return play.undo(table, request.at, who)
        case m.Emote():
            permissions.own_seat(table, request.seat, who)
            return a.Emoted(request.seat, request.emote)
        case m.Reclaim():
            return lobby.mark_back(table, request.seat)
        case _:
            assert_never(request)
