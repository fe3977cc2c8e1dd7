"""Logs: one line for each event."""

import io
import json
import logging
import threading
from collections.abc import Iterator

import pytest

from heckmeck.hosting.events import detail, note, trouble
from heckmeck.server import logs
from heckmeck.server.logs import LogForm, LogLevel, Queued, set_up


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    ours = logging.getLogger("heckmeck.server")
    before = root.handlers[:], root.level, ours.level
    yield io.StringIO()
    root.handlers[:], root.level, ours.level = before


def lines(stream: io.StringIO) -> str:
    """What has been logged so far."""
    (handler,) = logging.getLogger().handlers
    assert isinstance(handler, Queued)
    handler.drain(60)
    return stream.getvalue()


def written(stream: io.StringIO, form: LogForm) -> str:
    set_up(form, stream=stream)
    note("moved", table="boka-miru-tela", n=17, ms=1.234, who=None, odd="a b\nc")
    return lines(stream)


def test_text_for_people(stream: io.StringIO) -> None:
    line = written(stream, "text")
    assert line[8:] == ' moved table=boka-miru-tela n=17 ms=1.2 who=None odd="a b\\nc"\n'


def test_json_for_programs(stream: io.StringIO) -> None:
    line = json.loads(written(stream, "json"))
    assert line["event"] == "moved"
    assert line["at"].endswith("Z")
    assert (line["table"], line["n"], line["odd"]) == ("boka-miru-tela", 17, "a b\nc")


@pytest.mark.parametrize("form", ["text", "json"])
def test_trouble_is_told_in_full(stream: io.StringIO, form: LogForm) -> None:
    set_up(form, stream=stream)
    trouble("bot_failed", ValueError("no idea"), bot="chick")
    assert "ValueError: no idea" in lines(stream)
    if form == "json":
        assert json.loads(lines(stream))["level"] == "error"


def test_what_others_log_stays_on_one_line_and_small_talk_is_left_out(
    stream: io.StringIO,
) -> None:
    set_up("text", stream=stream)
    logging.getLogger("uvicorn.error").info("Started server process")
    logging.getLogger("uvicorn.error").warning("two\nlines")
    assert lines(stream)[8:] == " two lines\n"


@pytest.mark.parametrize(
    ("level", "logged"),
    [
        ("debug", ["move", "created", "store_unavailable"]),
        ("info", ["created", "store_unavailable"]),
        ("error", ["store_unavailable"]),
    ],
)
def test_moves_are_logged_for_those_who_ask(
    stream: io.StringIO, level: LogLevel, logged: list[str]
) -> None:
    set_up("text", level, stream)
    detail("move", n=1)
    note("created")
    trouble("store_unavailable", None, cause="It is away.")
    assert [line.split()[1] for line in lines(stream).splitlines()] == logged


class Blocked(io.StringIO):
    """A log that nobody reads until it is released."""

    def __init__(self) -> None:
        super().__init__()
        self.released = threading.Event()

    def write(self, text: str) -> int:
        self.released.wait()
        return super().write(text)


def test_a_log_that_nobody_reads_stops_nobody(
    stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    del stream  # it puts logging back as it was
    monkeypatch.setattr(logs, "MAX_WAITING", 10)
    blocked = Blocked()
    set_up("text", stream=blocked)
    for n in range(30):
        note("moved", n=n)
    blocked.released.set()
    shown = lines(blocked).splitlines()
    assert 10 <= len(shown) <= 12  # in the queue, and perhaps one being written
    note("moved", n=30)
    *_, lost, last = lines(blocked).splitlines()
    assert f"log_lost lines={30 - len(shown)}" in lost
    assert last.endswith("moved n=30")
