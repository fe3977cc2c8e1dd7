"""What a request does: pure decisions from a table, a request and who sent it.

`decide` returns the entries to write and the tables after them, or the number of an earlier entry,
or raises `Refused`. The rules decide which moves are legal.
"""

from typing import Final, NamedTuple, TypeAlias, assert_never

from msgspec import Struct

from heckmeck.table import lobby, permissions, play
from heckmeck.table.keys import Vault, Who
from heckmeck.table.model import Table, after
from heckmeck.table.play import Steps
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.refusals import Code, Refused


class SitDown(Struct, frozen=True, tag="sat_down"):
    """A `Sit` with a hashed secret."""

    name: str
    seat: int | None
    hash: str


class BotMove(Struct, frozen=True, tag="bot_moved"):
    """A bot chose this move for the position of entry ``at``."""

    at: int
    move: str


class Begin(Struct, frozen=True, tag="begun"):
    """The salt that entry ``at`` called for was waited for long enough."""

    at: int


class MarkAway(Struct, frozen=True, tag="went_away"):
    """No client is connected for this seat."""

    seat: int


class MarkBack(Struct, frozen=True, tag="came_back"):
    """A client is connected for this seat."""

    seat: int


class StandIn(Struct, frozen=True, tag="stood_in"):
    """A bot should play for this seat, whose player has been asked since entry ``at``."""

    at: int
    seat: int


class PutIn(Struct, frozen=True, tag="put_in"):
    """A `KeepIn` whose secret is right; no book if it is empty."""

    book: str


class MarkKept(Struct, frozen=True, tag="marked_kept"):
    """What entry ``n`` changed about a game is in the family book."""

    game: int
    n: int


#: Commands of the server itself.
_OneEntry: TypeAlias = SitDown | MarkAway | MarkBack | StandIn | PutIn | MarkKept
OwnCommand: TypeAlias = _OneEntry | BotMove | Begin
#: Everything that changes a table.
Command: TypeAlias = m.SeatRequest | m.TableRequest | m.GameRequest | OwnCommand


#: The maximum number of entries of a log: a hundred long games.
MAX_ENTRIES: Final = 200_000


class Already(NamedTuple):
    """It was already done, by entry ``n``."""

    n: int


def decide(table: Table, command: Command, who: Who, vault: Vault) -> Steps | Already:
    """Decide which entries ``command`` appends; raise `Refused` if none."""
    again = _done_before(table, command, who)
    if again is not None:
        return Already(again)
    if isinstance(command, MarkKept):  # whatever else has become of the table
        return _steps(table, command, who, vault)
    permissions.open_table(table)
    if table.n >= MAX_ENTRIES:
        raise Refused(
            Code.TOO_LONG,
            f"This table has reached its limit of {MAX_ENTRIES:,} log entries. Open a new one.",
        )
    return _steps(table, command, who, vault)


def _done_before(table: Table, command: Command, who: Who) -> int | None:
    """Return the number of the entry that already carried out this command, if there is one."""
    match command:
        case m.Move():
            return play.played_before(table, command, who)
        case SitDown():
            return None if lobby.seat_of(table, command.hash) is None else table.n
        case m.Start():
            return table.called
        case m.Wait():
            return table.n if lobby.is_awaited(table, command.seat) else None
        case m.Hurry():
            return play.hurried_before(table, command.turn, who)
        case m.ShowSalt():
            return table.n if lobby.are_shown(table, command.seat, command.salt) else None
        case m.Reclaim():
            return table.n if lobby.plays_themselves(table, command.seat, who) else None
        case PutIn(book):
            return table.n if book == table.book else None
        case _:
            return None


def _steps(table: Table, command: Command, who: Who, vault: Vault) -> Steps:
    match command:
        case m.Move():
            return play.move(table, command, who, vault)
        case BotMove(at, move):
            return play.bot_move(table, at, move, vault)
        case m.Undo(_, at):
            return play.undo(table, at, who)
        case m.Start():
            return lobby.start(table, command.empty, who, vault)
        case m.ShowSalt():
            return lobby.show_salt(table, command.seat, command.salt, who, vault)
        case Begin(at):
            return lobby.begin_at_last(table, at, vault)
        case m.Close():
            return lobby.close(table, who, vault)
        case _:
            return (after(table, _entry(table, command, who, vault)),)


def _entry(
    table: Table, command: m.SeatRequest | m.TableRequest | _OneEntry, who: Who, vault: Vault
) -> a.AnyEntry:
    match command:
        case SitDown(name, seat, hashed):
            return lobby.sit(table, name, seat, hashed)
        case MarkAway(seat):
            return lobby.mark_away(table, seat)
        case MarkBack(seat):
            return lobby.mark_back(table, seat)
        case StandIn(at, seat):
            return lobby.stand_in(table, at, seat)
        case PutIn(book):
            permissions.manager(table, who)
            return a.Booked(book)
        case MarkKept(game, n):
            return lobby.mark_kept(table, game, n)
        case m.Options() | m.SetPace() | m.Hurry() | m.Rematch():
            return _about_table(table, command, who, vault)
        case _:
            return _about_seat(table, command, who)


def _about_seat(table: Table, request: m.SeatRequest, who: Who) -> a.AnyEntry:
    match request:
        case m.Leave():
            return lobby.leave(table, request.seat, who)
        case m.Rename():
            return lobby.rename(table, request.seat, request.name, who)
        case m.ChoosePlate():
            return lobby.choose_plate(table, request.seat, request.plate, who)
        case m.PromiseSalt():
            return lobby.promise_salt(table, request.seat, request.promise, who)
        case m.SetBot():
            return lobby.set_bot(table, request, who)
        case m.RemoveBot():
            return lobby.remove_bot(table, request.seat, who)
        case m.Emote():
            permissions.own_seat(table, request.seat, who)
            return a.Emoted(request.seat, request.emote)
        case m.FillIn():
            return lobby.fill_in(table, request.seat, who)
        case m.Wait():
            return lobby.wait(table, request.seat, who)
        case m.Reclaim():
            return lobby.mark_back(table, request.seat)
        case _:
            assert_never(request)


def _about_table(table: Table, request: m.TableRequest, who: Who, vault: Vault) -> a.AnyEntry:
    match request:
        case m.Options():
            return lobby.options(table, request, who)
        case m.SetPace():
            return lobby.pace(table, request.pace, who)
        case m.Hurry():
            return play.hurry(table, request.turn, who)
        case m.Rematch():
            return lobby.rematch(table, who, vault)
        case _:
            assert_never(request)
