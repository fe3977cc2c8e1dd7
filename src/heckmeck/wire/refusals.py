"""Refusals: a code for programs, and a sentence for people with the reason and a remedy."""

from enum import StrEnum


class Code(StrEnum):
    """Why something was refused."""

    BAD_MESSAGE = "bad_message"  # not a message of the protocol, or a value out of range
    HELLO_FIRST = "hello_first"  # the first message on a connection must be hello
    TOO_FAST = "too_fast"  # too many messages or requests
    TOO_MANY = "too_many"  # too many tables or connections from one address
    TOO_LARGE = "too_large"  # more bytes than accepted
    TOO_LONG = "too_long"  # the log of the table is full
    BAD_HOST = "bad_host"  # not a name of this server
    BAD_ORIGIN = "bad_origin"  # a page of another origin
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_PAGE = "no_such_page"
    NO_SUCH_BOOK = "no_such_book"  # or not with this secret
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_BOT = "no_such_bot"
    BAD_NAME = "bad_name"
    BAD_SALT = "bad_salt"
    BAD_SETUP = "bad_setup"
    BAD_RECORD = "bad_record"
    NO_SEAT = "no_seat"  # a watcher tries to play
    NOT_YOUR_SEAT = "not_your_seat"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_HOST = "not_host"
    SEAT_TAKEN = "seat_taken"
    TABLE_FULL = "table_full"
    EMPTY_SEATS = "empty_seats"
    ALREADY_STARTED = "already_started"
    NOT_PLAYING = "not_playing"
    NOT_OVER = "not_over"
    CLOSED = "closed"
    STALE = "stale"  # the position has changed since
    ILLEGAL_MOVE = "illegal_move"
    CANNOT_UNDO = "cannot_undo"
    NO_HINTS = "no_hints"
    NO_PUSH = "no_push"  # no push messages, or not to this address
    UNAVAILABLE = "unavailable"  # the store cannot be written right now
    INTERNAL = "internal"  # an error in the server

    @classmethod
    def _missing_(cls, value: object) -> "Code":
        """Return the code of a newer server as it is."""
        code = str.__new__(cls, str(value))
        code._name_ = code._value_ = str(value)
        return code


class Refused(Exception):
    """A request is refused."""

    def __init__(self, code: Code, message: str, wait: float | None = None) -> None:
        """Store the code; the message is a whole sentence.

        ``wait`` is the number of seconds after which asking again may help, if known.
        """
        self.code = code
        self.wait = wait
        super().__init__(message)

    def __reduce__(self) -> tuple[type["Refused"], tuple[Code, str, float | None]]:
        """Support pickling: another process of ours may raise it."""
        return Refused, (self.code, str(self), self.wait)
