"""Events at tables, for the log of a server and for its metrics.

Never pass anything secret to `note`: no secrets of seats, no seeds, no query strings.
"""

import logging
from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

Field: TypeAlias = str | int | float | bool | None

#: The name of the logger.
LOGGER: Final = "heckmeck.server"
_log: Final = logging.getLogger(LOGGER)


class EventListener(Protocol):
    """Hears every event, whether it is logged or not."""

    def __call__(self, event: str, fields: Mapping[str, Field], *, failed: bool) -> None:
        """Hear of an event; ``failed``: it is an unexpected error."""


_listeners: Final[list[EventListener]] = []


def listen(listener: EventListener) -> None:
    """Let this listener, and no earlier one, hear every event."""
    _listeners[:] = [listener]


def _tell(event: str, fields: Mapping[str, Field], *, failed: bool = False) -> None:
    for listener in _listeners:
        listener(event, fields, failed=failed)


def note(event: str, **fields: Field) -> None:
    """Log that something happened."""
    _tell(event, fields)
    if _log.isEnabledFor(logging.INFO):
        _log.info(event, extra={"fields": fields})


def detail(event: str, **fields: Field) -> None:
    """Log a frequent event at debug level."""
    _tell(event, fields)
    if _log.isEnabledFor(logging.DEBUG):
        _log.debug(event, extra={"fields": fields})


def trouble(event: str, error: BaseException | None, **fields: Field) -> None:
    """Log an unexpected error."""
    _tell(event, fields, failed=True)
    _log.error(event, extra={"fields": fields}, exc_info=error)
