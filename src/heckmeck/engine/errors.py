"""Errors of the engine protocol, with their codes."""

from enum import StrEnum


class Code(StrEnum):
    """The protocol's error codes."""

    BAD_JSON = "bad_json"
    BAD_REQUEST = "bad_request"
    NO_GAME = "no_game"
    ILLEGAL_MOVE = "illegal_move"
    BAD_RECORD = "bad_record"
    UNKNOWN_BOT = "unknown_bot"


class RequestError(Exception):
    """A request that cannot be answered; ``index`` is that of a bad move."""

    def __init__(self, code: Code, message: str, index: int | None = None) -> None:
        """Store the parts of the answer."""
        self.code = code
        self.index = index
        super().__init__(message)
