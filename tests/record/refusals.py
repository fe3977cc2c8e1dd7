"""Errors as answers: what a reader says to data that is wrong."""

from collections.abc import Callable
from enum import Enum
from typing import Final, Literal, TypeAlias, TypeVar

ErrorT = TypeVar("ErrorT", bound=Exception)
ValueT = TypeVar("ValueT")


class _Refused(Enum):
    REFUSED = "refused"


Refused: TypeAlias = Literal[_Refused.REFUSED]
REFUSED: Final = _Refused.REFUSED


def refusal(error: type[ErrorT], action: Callable[[], object]) -> ErrorT:
    """Return the error that an action meets, which any terminal can print."""
    try:
        done = action()
    except error as refused:
        str(refused).encode()
        return refused
    raise AssertionError(f"this was not refused: {done!r:.400}")


def done_or_refused(error: type[Exception], action: Callable[[], ValueT]) -> ValueT | Refused:
    """Return what an action returns, or that it was refused with this error; let others through."""
    try:
        return action()
    except error as refused:
        message = str(refused)
    assert message.encode(), "an error says what is wrong"
    return REFUSED
