"""Permissions. Each check passes, or raises `Refused` with advice."""

from collections.abc import Collection
from typing import Final

from heckmeck.rules import game
from heckmeck.table import keys, model
from heckmeck.wire import answers, setup
from heckmeck.wire.refusals import Code, Refused

_NO_GAME: Final = {
    setup.Status.WAITING: "The game has not begun yet.",
    setup.Status.PLAYING: "There is no game in progress.",
    setup.Status.OVER: "The game is over. Ask for a rematch.",
    setup.Status.CLOSED: "This table is closed. Open a new one.",
}


def open_table(table: model.Table) -> None:
    """Check that the table is not closed."""
    if table.status is setup.Status.CLOSED:
        raise Refused(Code.CLOSED, _NO_GAME[setup.Status.CLOSED])


def seat_exists(table: model.Table, seat: int) -> None:
    """Check that there is such a seat."""
    if seat not in range(len(table.seats)):
        raise Refused(
            Code.NO_SUCH_SEAT,
            f"There is no seat {seat}; the seats here are 0 to {len(table.seats) - 1}.",
        )


def own_seat(table: model.Table, seat: int, who: keys.Who) -> model.Person:
    """Check that the seat belongs to the sender."""
    seat_exists(table, seat)
    person = table.person(seat)
    if person is None or seat not in who.seats:
        raise Refused(
            Code.NOT_YOUR_SEAT if who.seats else Code.NO_SEAT,
            f"Seat {seat} is not yours. Take a free seat, or return with your seat's link.",
        )
    return person


def host(who: keys.Who, what: str) -> None:
    """Check that the sender is the host."""
    if not who.host:
        raise Refused(Code.NOT_HOST, f"Only the host of the table can {what}.")


def manages(table: model.Table, who: keys.Who) -> bool:
    """Whether the sender is the host or, at a table that is not public, a player."""
    return who.host or bool(who.seats and not table.setup.public)


def takes_part(who: keys.Who) -> bool:
    """Whether the sender is more than a spectator."""
    return bool(who.seats or who.host)


def manager(table: model.Table, who: keys.Who) -> None:
    """Check that the sender `manages` the table."""
    if manages(table, who):
        return
    if table.setup.public:
        raise Refused(Code.NOT_HOST, "Only the host can do that at a public table.")
    raise Refused(Code.NOT_HOST, "Only the host and players can do that. Take a seat first.")


def may(table: model.Table, who: keys.Who) -> answers.May:
    """Return what a client may do at the table as it is now."""
    manage = manages(table, who)
    if table.status is setup.Status.CLOSED:
        return answers.May()
    if table.status is not setup.Status.WAITING:
        rematch = table.status is setup.Status.OVER and takes_part(who)
        return answers.May(manage, rematch=rematch, throw_for=tuple(sorted(throws_for(table, who))))
    set_up = who.host and not table.opening and table.called is None
    return answers.May(manage, set_up, _seats_to_start(table) if manage else None)


def throws_for(table: model.Table, who: keys.Who) -> frozenset[int]:
    """Return the seats whose dice the sender may enter, where people roll their own.

    Players enter their own and those of bots; the host enters anybody's.
    """
    if not (table.setup.own_dice and takes_part(who)):
        return frozenset()
    return frozenset(
        seat
        for seat, sitter in enumerate(table.seats)
        if who.host or seat in who.seats or isinstance(sitter, model.BotSeat) or _stands_in(sitter)
    )


def _stands_in(sitter: model.Sitter) -> bool:
    return isinstance(sitter, model.Person) and sitter.stand_in is not None


def to_throw(table: model.Table, seat: int, who: keys.Who) -> None:
    """Check that the sender may enter what the dice of this seat show."""
    if not table.setup.own_dice:
        raise Refused(Code.ILLEGAL_MOVE, "The table rolls the dice. Send roll.")
    if not takes_part(who):
        raise Refused(Code.NO_SEAT, "You are watching. Only players can enter dice.")
    if seat not in throws_for(table, who):
        name = table.name_of(seat)
        raise Refused(
            Code.NOT_YOUR_TURN,
            f"These are the dice of {name} on seat {seat}. {name} or the host enters them.",
        )


def _seats_to_start(table: model.Table) -> int | None:
    """Return the number of players a game can begin with; free seats may be removed."""
    taken = len([sitter for sitter in table.seats if sitter is not None])
    if taken == len(table.seats):
        return taken
    enough = taken in game(table.setup.edition).players
    return taken if enough and not table.opening and table.called is None else None


def waiting(table: model.Table, rule: str) -> None:
    """Check that the game has not begun."""
    if table.status is setup.Status.OVER:
        raise Refused(Code.ALREADY_STARTED, f"{rule}. Ask for a rematch first.")
    if table.status is not setup.Status.WAITING:
        raise Refused(Code.ALREADY_STARTED, f"{rule}. This game has already begun.")
    not_called(table, rule)


def not_called(table: model.Table, rule: str) -> None:
    """Check that the game is not about to begin."""
    if table.called is not None:
        raise Refused(Code.ALREADY_STARTED, f"{rule}. This game is about to begin.")


def playing(table: model.Table) -> model.Match:
    """Check that a game is in progress; return it."""
    if table.match is not None and table.status is setup.Status.PLAYING:
        return table.match
    closed = table.status is setup.Status.CLOSED
    raise Refused(Code.CLOSED if closed else Code.NOT_PLAYING, _NO_GAME[table.status])


def to_move(table: model.Table, match: model.Match, who: keys.Who) -> int:
    """Check that the sender has the seat to move; return it."""
    seat = match.state.seat
    if seat in who.seats:
        return seat
    if not who.seats:
        raise Refused(Code.NO_SEAT, "You are watching. Only players can move.")
    raise Refused(Code.NOT_YOUR_TURN, f"It is the turn of {table.name_of(seat)} on seat {seat}.")


def up_to_date(table: model.Table, match: model.Match, at: int) -> None:
    """Check that the position has not changed since entry ``at``."""
    if at > table.n:
        raise Refused(Code.BAD_MESSAGE, f"There is no event {at} yet; the last one is {table.n}.")
    if at < match.changed:
        raise Refused(
            Code.STALE,
            f"The game has moved on since event {at}. Look at the table, and move again.",
        )


def is_alone(table: model.Table, seats: Collection[int]) -> bool:
    """Whether these are the seats of one player, and everybody else at the table is a bot."""
    others = (sitter for seat, sitter in enumerate(table.seats) if seat not in seats)
    return len(seats) == 1 and all(isinstance(sitter, model.BotSeat) for sitter in others)
