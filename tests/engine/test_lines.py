"""The transport: one answer a line, whatever the bytes are."""

import io
import time

import pytest

from heckmeck.engine import MAX_LINE, serve
from heckmeck.record import JsonObject
from tests.engine.talk import as_line, at, serve_bytes, text_at

BOTS = as_line({"do": "bots", "id": "after"})


def answer_to(line: bytes) -> JsonObject:
    """The answer to one line, after which the engine has to answer the next as ever."""
    answer, after = serve_bytes(line + b"\n" + BOTS)
    assert after["ok"] is True
    assert after["id"] == "after"
    return answer


def padded(size: int) -> bytes:
    """A good request of exactly so many bytes."""
    line = b'{"do": "bots", "id": "' + b"x" * (size - 24) + b'"}'
    assert len(line) == size
    return line


def test_a_line_may_have_a_mebibyte() -> None:
    assert MAX_LINE == 1024 * 1024
    answer = answer_to(padded(MAX_LINE))
    assert answer["ok"] is True
    assert len(text_at(answer, "id")) == MAX_LINE - 24


@pytest.mark.parametrize("size", [MAX_LINE + 1, 2 * MAX_LINE, 2 * MAX_LINE + 1, 5 * MAX_LINE + 7])
def test_a_longer_line_is_refused_whole(size: int) -> None:
    answer = answer_to(padded(size))
    assert answer == {
        "ok": False,
        "error": {"code": "bad_json", "message": "A line is longer than 1048576 bytes."},
    }


@pytest.mark.parametrize("size", [MAX_LINE, MAX_LINE + 1, 3 * MAX_LINE])
def test_the_last_line_may_be_long_and_without_an_end_too(size: int) -> None:
    first, last = serve_bytes(BOTS + padded(size))
    assert first["ok"] is True
    assert last["ok"] is (size == MAX_LINE)


def test_a_long_line_is_not_kept() -> None:
    """A stream without an end of line costs no more memory than a line may have."""

    class Endless(io.RawIOBase):
        """Half a gigabyte of the letter x, counted and not stored."""

        block = b"x" * (MAX_LINE + 1)
        left = 512 * 1024 * 1024

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= MAX_LINE + 1
            size = min(size, self.left)
            self.left -= size
            return self.block[:size]

    answers = io.BytesIO()
    serve(Endless(), answers)  # type: ignore[arg-type]
    assert answers.getvalue().count(b"\n") == 1
    assert b"bad_json" in answers.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" ",
        b"\r",
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b'{"do": "bots", "id": "\xff"}',
        b"{",
        b"}",
        b'{"do"}',
        b'{"do": "bots"',
        b'{"do": "bots"} {"do": "bots"}',
        b"{'do': 'bots'}",
        b'{"do": "bots", "do": "quit"}',
        b'{"do": "bots", "id": NaN}',
        b'{"do": "bots", "id": -Infinity}',
        b'{"do": "bots", "id": 1e999}',
        b'{"do": "bots", "id": ' + b"9" * 5000 + b"}",
        b'{"do": "bots", "id": "\t"}',
        b'{"do": "bots", "id": "\\x"}',
        b'{"do": "bots", "id": 01}',
        b"quit",
        b"[" * 100_000,
        b'{"id":' * 100_000,
        b'{"do": "bots", "id": ' + b"[" * 100 + b"]" * 100 + b"}",
        b"\xef\xbb\xbf",
        b"\xff\xfe{\0",
    ],
    ids=lambda line: repr(line)[:30],
)
def test_a_line_that_is_no_json(line: bytes) -> None:
    answer = answer_to(line)
    assert answer["ok"] is False
    assert list(answer) == ["ok", "error"]
    assert at(answer, "error", "code") == "bad_json"
    assert text_at(answer, "error", "message").startswith(
        "A request must be one JSON object on one line: "
    )
    assert len(text_at(answer, "error", "message")) < 500


@pytest.mark.parametrize(
    "line", [b"null", b"7", b'"quit"', b"[]", b'[{"do": "quit"}]', b"true", b"1.5"]
)
def test_json_that_is_no_object_is_a_bad_request(line: bytes) -> None:
    assert at(answer_to(line), "error", "code") == "bad_request"


@pytest.mark.parametrize(
    "line",
    [
        b'  {"do":"bots"}  ',
        b'{"do": "bots"}\r',
        b'\xef\xbb\xbf{"do": "bots"}',
        b'{"\\u0064o": "\\u0062ots"}',
        b'{"do": "bots", "unknown": [1, 2, {}]}',
        '{"do": "bots", "id": "Würmer"}'.encode(),
    ],
)
def test_a_request_may_be_written_in_many_ways(line: bytes) -> None:
    assert answer_to(line)["ok"] is True


def test_no_input_makes_no_output() -> None:
    assert serve_bytes(b"") == []


def test_the_last_line_needs_no_end() -> None:
    first, last = serve_bytes(BOTS + BOTS.rstrip())
    assert first == last


def test_empty_lines_are_answered_too() -> None:
    """One answer a line, so that a program can count on it."""
    answers = serve_bytes(b"\n\n" + BOTS + b"\n")
    assert [answer["ok"] for answer in answers] == [False, False, True, False]


@pytest.mark.parametrize("end", [b"\n", b"", b"\nnot read"])
def test_quit_ends_it_at_once(end: bytes) -> None:
    assert serve_bytes(b'{"do": "quit"}' + end) == [{"ok": True}]


def test_an_answer_is_sent_before_the_next_line_is_read() -> None:
    """Else two programs would wait for each other."""
    answers = io.BytesIO()

    class OneByOne(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            seen.append(answers.getvalue().count(b"\n"))
            return super().readline(size)

    seen: list[int] = []
    serve(OneByOne(BOTS * 3), answers)
    assert seen == [0, 1, 2, 3]


def test_answers_are_flushed_one_by_one() -> None:
    class Flushed(io.BytesIO):
        def flush(self) -> None:
            flushed.append(self.getvalue().count(b"\n"))

    flushed: list[int] = []
    answers = Flushed()
    serve(io.BytesIO(BOTS * 3), answers)
    assert flushed[:3] == [1, 2, 3]


@pytest.mark.parametrize(
    "line",
    [
        b'{"do": "bots", "x": ' + b"[" * 500_000 + b"]" * 500_000 + b"}",
        b'{"do": "play", "moves": [' + b'"roll", ' * 120_000 + b'"roll"]}',
        b"{" + b",".join(b'"%d": 0' % number for number in range(30_000)) + b', "29999": 0}',
        b'{"do": "bots", "id": [' + b"1," * 500_000 + b"1]}",
        b'{"do": "' + b"x" * 1_000_000 + b'"}',
        b'{"do": "new", "edition": "classic", "seats": [' + b'"",' * 300_000 + b'""]}',
    ],
    ids=["nested", "a game of rolls", "a key twice", "a long id", "a long name", "many seats"],
)
def test_no_line_keeps_the_engine_busy_for_long(line: bytes) -> None:
    assert len(line) <= MAX_LINE
    new = as_line({"do": "new", "edition": "classic", "seats": 2})
    began = time.process_time()
    answers = serve_bytes(new + line + b"\n" + BOTS)
    assert len(answers) == 3
    assert time.process_time() - began < 5
