"""The log of a server's table, to somebody who plays there."""

from heckmeck.client.table import Happened, RemoteTable
from heckmeck.tui.server_view import ServerLog
from heckmeck.wire.answers import What
from heckmeck.wire.entries import Closed, Emoted, Left, Sat, Started, Unknown, WentAway


def told(*whats: What, you: int | None) -> tuple[str, ...]:
    return ServerLog("en").add(tuple(map(Happened, whats)), RemoteTable(), you)


def test_the_reader_is_you() -> None:
    went = WentAway(0)
    assert told(went, you=0) == ("You are away for a moment.",)
    assert told(Started(0, False, ()), you=0) == ("The game begins. You start.",)


def test_others_are_called_by_name() -> None:
    assert told(Sat(1, "Ben"), you=0) == ("Ben sits down.",)
    assert told(Sat(1, "Ben"), you=None) == ("Ben sits down.",)


def test_who_had_the_seat_before_was_somebody_else() -> None:
    sat = [Sat(0, "Ben"), Sat(0, "Ada")]
    lines = told(sat[0], Left(0), sat[1], Emoted(0, "worm"), you=0)
    assert lines[0] == "Ben sits down."
    assert "You" not in lines[1]
    assert lines[2:] == ("You sit down.", "You: Worms!")


def test_what_happens_to_everybody_happens_to_nobody_alone() -> None:
    assert told(Closed(), you=0) == ("The host has closed the table.",)


def test_what_nobody_knows_yet_is_not_mentioned() -> None:
    assert told(Unknown(), you=0) == ()
