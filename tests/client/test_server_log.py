"""The log of a server's table, to somebody who plays there."""

from heckmeck.client import Happening, RemoteTable
from heckmeck.tui.server_log import ServerLog


def told(*happened: Happening, you: int | None) -> tuple[str, ...]:
    return ServerLog("en").tell(happened, RemoteTable(), you)


def test_the_reader_is_you() -> None:
    went = Happening(3, "went_away", 0)
    assert told(went, you=0) == ("You are away for a moment.",)
    assert told(Happening(3, "started", 0), you=0) == ("The game begins. You start.",)


def test_others_are_called_by_name() -> None:
    assert told(Happening(3, "sat", 1, "Ben"), you=0) == ("Ben sits down.",)
    assert told(Happening(3, "sat", 1, "Ben"), you=None) == ("Ben sits down.",)


def test_who_had_the_seat_before_was_somebody_else() -> None:
    sat = [Happening(at, "sat", 0, name) for at, name in ((1, "Ben"), (3, "Ada"))]
    lines = told(sat[0], Happening(2, "left", 0), sat[1], Happening(4, "emoted", 0, "worm"), you=0)
    assert lines[0] == "Ben sits down."
    assert "You" not in lines[1]
    assert lines[2:] == ("You sit down.", "You: Worms!")


def test_what_happens_to_everybody_happens_to_nobody_alone() -> None:
    assert told(Happening(3, "closed"), you=0) == ("The host has closed the table.",)
