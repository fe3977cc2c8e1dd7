"""Logs: one line for each event."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from heckmeck.server.logs import LogForm, note, set_up, trouble


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:], root.level = before


def written(stream: io.StringIO, form: LogForm) -> str:
    set_up(form, stream)
    note("moved", table="boka-miru-tela", n=17, ms=1.234, who=None, odd="a b\nc")
    return stream.getvalue()


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
    set_up(form, stream)
    trouble("bot_failed", ValueError("no idea"), bot="chick")
    assert "ValueError: no idea" in stream.getvalue()
    if form == "json":
        assert json.loads(stream.getvalue())["level"] == "error"


def test_what_others_log_stays_on_one_line_and_small_talk_is_left_out(
    stream: io.StringIO,
) -> None:
    set_up("text", stream)
    logging.getLogger("uvicorn.error").info("Started server process")
    logging.getLogger("uvicorn.error").warning("two\nlines")
    assert stream.getvalue()[8:] == " two lines\n"
