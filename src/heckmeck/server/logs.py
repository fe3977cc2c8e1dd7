"""One line per request and event: text for people, or JSON for programs.

Lines go through a queue to a thread that writes them, so a slow or blocked reader of the log does
not slow the game; if the queue is full, lines are dropped and their number is logged later. Never
pass anything secret to `note`: no secrets of seats, no seeds, no query strings.
"""

import atexit
import json
import logging
import time
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener
from queue import Full, Queue
from typing import Final, Literal, TextIO, TypeAlias

from heckmeck.hosting.events import LOGGER, Field

LogForm: TypeAlias = Literal["text", "json"]
LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]

_log: Final = logging.getLogger(LOGGER)
#: The maximum number of lines that wait to be written.
MAX_WAITING: Final = 10_000
#: How long the end of the process waits for them, in seconds.
_FLUSH_SECONDS: Final = 2.0


def set_up(form: LogForm, level: LogLevel = "info", stream: TextIO | None = None) -> None:
    """Send all logs of ``level`` and above to ``stream`` (default: standard error) in this form.

    The debug messages of libraries are left out, and uvicorn logs only warnings and errors.
    """
    writer = logging.StreamHandler(stream)
    writer.setFormatter(JsonLines() if form == "json" else TextLines())
    handler = Queued()
    QueueListener(handler.queue, writer).start()
    atexit.register(handler.drain)
    # These are not shown, and looking them up for each line takes time.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(logging.INFO, logging.getLevelNamesMapping()[level.upper()]))
    _log.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.setLevel(logging.WARNING)
        logger.propagate = True


class Queued(QueueHandler):
    """Queues records for the thread that writes them."""

    queue: Queue[logging.LogRecord]

    def __init__(self) -> None:
        """Begin with an empty queue."""
        super().__init__(Queue(MAX_WAITING))
        self._lost = 0

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        """Return the record as it is: it stays in this process."""
        return record

    def enqueue(self, record: logging.LogRecord) -> None:
        """Queue the record, or count it as lost."""
        try:
            if self._lost:
                self.queue.put_nowait(_lost(self._lost))
                self._lost = 0
            self.queue.put_nowait(record)
        except Full:
            self._lost += 1

    def drain(self, seconds: float = _FLUSH_SECONDS) -> None:
        """Wait until all lines are written, but not forever: nobody may be reading them."""
        until = time.monotonic() + seconds
        while self.queue.unfinished_tasks and time.monotonic() < until:
            time.sleep(0.005)


def _lost(lines: int) -> logging.LogRecord:
    fields = {"fields": {"lines": lines}}
    return _log.makeRecord(_log.name, logging.WARNING, "", 0, "log_lost", (), None, extra=fields)


class TextLines(logging.Formatter):
    """``12:00:01 moved table=boka-miru-tela n=17``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(record.created, UTC)
        parts = [f"{moment:%H:%M:%S}", record.getMessage().replace("\n", " ")]
        parts += [f"{name}={_text(value)}" for name, value in _fields(record).items()]
        line = " ".join(parts)
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """``{"at": "2025-01-01T12:00:01.000Z", "event": "moved", "table": "boka-miru-tela"}``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Field] = {
            "at": moment.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


def _fields(record: logging.LogRecord) -> dict[str, Field]:
    fields: dict[str, Field] = getattr(record, "fields", {})
    return fields


def _text(value: Field) -> str:
    match value:
        case float():
            return f"{value:.1f}"
        case str() if not value or not value.isprintable() or " " in value:
            return json.dumps(value)
        case _:
            return str(value)
