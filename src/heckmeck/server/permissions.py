"""Permissions. Each check passes, or raises `Refused` with advice."""

from typing import Final

from heckmeck.server.keys import Who
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.store import Status
from heckmeck.server.table import Match, Person, Table

_NO_GAME: Final = {
    Status.WAITING: "The game has not begun yet.",
    Status.PLAYING: "There is no game in progress.",
    Status.OVER: "The game is over. Ask for a rematch.",
    Status.CLOSED: "This table is closed. Open a new one.",
}


def open_table(table: Table) -> None:
    """Check that the table is not closed."""
    if table.status is Status.CLOSED:
        raise Refused(Code.CLOSED, _NO_GAME[Status.CLOSED])


def seat_exists(table: Table, seat: int) -> None:
    """Check that there is such a seat."""
    if seat not in range(len(table.seats)):
        raise Refused(
            Code.NO_SUCH_SEAT,
            f"There is no seat {seat}; the seats here are 0 to {len(table.seats) - 1}.",
        )


def own_seat(table: Table, seat: int, who: Who) -> Person:
    """Check that the seat belongs to the sender."""
    seat_exists(table, seat)
    person = table.person(seat)
    if person is None or seat not in who.seats:
        raise Refused(
            Code.NOT_YOUR_SEAT if who.seats else Code.NO_SEAT,
            f"Seat {seat} is not yours. Take a free seat, or return with your seat's link.",
        )
    return person


def host(who: Who, what: str) -> None:
    """Check that the sender is the host."""
    if not who.host:
        raise Refused(Code.NOT_HOST, f"Only the host of the table can {what}.")


def manager(table: Table, who: Who) -> None:
    """Check that the sender is the host or, at a table that is not public, a player."""
    if who.host or (who.seats and not table.setup.public):
        return
    if table.setup.public:
        raise Refused(Code.NOT_HOST, "Only the host can do that at a public table.")
    raise Refused(Code.NOT_HOST, "Only the host and players can do that. Take a seat first.")


def waiting(table: Table, rule: str) -> None:
    """Check that the game has not begun."""
    if table.status is Status.OVER:
        raise Refused(Code.ALREADY_STARTED, f"{rule}. Ask for a rematch first.")
    if table.status is not Status.WAITING:
        raise Refused(Code.ALREADY_STARTED, f"{rule}. This game has already begun.")
    not_called(table, rule)


def not_called(table: Table, rule: str) -> None:
    """Check that the game is not about to begin."""
    if table.called is not None:
        raise Refused(Code.ALREADY_STARTED, f"{rule}. This game is about to begin.")


def playing(table: Table) -> Match:
    """Check that a game is in progress; return it."""
    if table.match is not None and table.status is Status.PLAYING:
        return table.match
    closed = table.status is Status.CLOSED
    raise Refused(Code.CLOSED if closed else Code.NOT_PLAYING, _NO_GAME[table.status])


def to_move(table: Table, match: Match, who: Who) -> int:
    """Check that the sender has the seat to move; return it."""
    seat = match.state.seat
    if seat in who.seats:
        return seat
    if not who.seats:
        raise Refused(Code.NO_SEAT, "You are watching. Only players can move.")
    raise Refused(Code.NOT_YOUR_TURN, f"It is the turn of {table.name_of(seat)} on seat {seat}.")


def up_to_date(table: Table, match: Match, at: int) -> None:
    """Check that the position has not changed since entry ``at``."""
    if at > table.n:
        raise Refused(Code.BAD_MESSAGE, f"There is no event {at} yet; the last one is {table.n}.")
    if at < match.changed:
        raise Refused(
            Code.STALE,
            f"The game has moved on since event {at}. Look at the table, and move again.",
        )
