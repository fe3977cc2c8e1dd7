"""Reading is safe on any bytes: a record or a `BadRecord`, in bounded memory and time.

There is no stopwatch here. A reader that is not linear would take hours over these inputs.
"""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import (
    MAX_BYTES,
    BadRecord,
    JsonObject,
    JsonValue,
    Record,
    read_record,
    record_from_json,
    record_to_json,
    write_json,
    write_text,
)
from heckmeck.record.json_text import dumps
from heckmeck.rules import HouseRules
from tests.record.games import play
from tests.record.refusals import REFUSED, done_or_refused, refusal
from tests.record.strategies import WRONG_VALUES, changed, damaged, paths, without

MEGABYTE = 1_000_000

SMALL = Record(
    "deluxe",
    ("Ada", 'Ben, "Jr." 😀'),
    first=1,
    house=HouseRules(flip_always=True),
    moves=play("deluxe", 2, seed=1, words=12).record.moves,
    extra={"date": "2031-02-03", "#": [1.5, {"a": None}]},
)
FINISHED = play("junior", 2, seed=3).record
FORMS = [write_json(SMALL).encode(), write_text(SMALL).encode()]
FINISHED_FORMS = [write_json(FINISHED).encode(), write_text(FINISHED).encode()]


#: What text records are made of, right and wrong.
FRAGMENTS = (
    *("heckmeck: 1", "edition: classic", "seats: Ada, Ben", "first: 0", "options:", "result:"),
    *("roll", "=11234WWW", "keep:W", "stop", "moves:", "seats:", '"a": 1', "null", "{", "}"),
    *("\n", "\n\n", "\r\n", " ", ":", ",", '"', "#", "[", "\\", "\x00"),
)
#: Where something goes, how much it replaces, and what it is.
PIECES = st.tuples(st.integers(0, 2000), st.integers(0, 40), st.binary(max_size=8))


def why_not(data: bytes) -> str:
    return str(refusal(BadRecord, lambda: read_record(data)))


def check(data: bytes) -> None:
    """Whatever is accepted is a record like any other."""
    record = done_or_refused(BadRecord, lambda: read_record(data))
    if record is not REFUSED:
        assert read_record(write_json(record).encode()) == record
        assert read_record(write_text(record).encode()) == record


def check_data(data: JsonValue) -> None:
    record = done_or_refused(BadRecord, lambda: record_from_json(data))
    if record is not REFUSED:
        assert record_from_json(record_to_json(record)) == record


# --- damaged files --------------------------------------------------------------------------------


@pytest.mark.parametrize("data", FORMS, ids=["json", "text"])
def test_a_file_cut_off_at_any_byte(data: bytes) -> None:
    assert read_record(data) == SMALL
    for length in range(len(data)):
        check(data[:length])


def test_json_that_is_cut_off_is_always_refused() -> None:
    data = FORMS[0].rstrip()
    assert read_record(data) == SMALL
    for length in range(len(data)):
        assert why_not(data[:length])


@pytest.mark.parametrize("data", FORMS, ids=["json", "text"])
def test_a_file_with_any_byte_changed(data: bytes) -> None:
    for place, byte in enumerate(data):
        for other in (byte ^ 1, byte ^ 0x20, byte ^ 0x80, 0, ord('"'), ord("\n"), ord("#")):
            check(data[:place] + bytes([other]) + data[place + 1 :])


@pytest.mark.parametrize("data", FORMS, ids=["json", "text"])
def test_a_file_with_any_byte_missing_or_doubled(data: bytes) -> None:
    for place in range(len(data)):
        check(data[:place] + data[place + 1 :])
        check(data[:place] + data[place : place + 1] + data[place:])


@given(
    st.sampled_from(FORMS + FINISHED_FORMS),
    st.lists(
        st.tuples(st.integers(0, 2000), st.integers(0, 40), st.binary(max_size=8)), max_size=4
    ),
)
def test_a_file_with_pieces_replaced(data: bytes, pieces: list[tuple[int, int, bytes]]) -> None:
    for place, length, new in pieces:
        data = data[:place] + new + data[place + length :]
    check(data)


@given(st.permutations(FORMS[1].splitlines(keepends=True)), st.integers(0, 20))
def test_a_file_with_its_lines_shuffled(lines: list[bytes], count: int) -> None:
    check(b"".join(lines[:count]))


@pytest.mark.parametrize("record", [SMALL, FINISHED], ids=["small", "finished"])
def test_each_value_replaced_by_each_kind_of_value(record: Record) -> None:
    data = record_to_json(record)
    for path in paths(data):
        for wrong in WRONG_VALUES:
            check_data(changed(data, path, wrong))
        check_data(without(data, path))


@given(st.data())
def test_a_damaged_record_is_refused_or_a_record(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from((SMALL, FINISHED)))
    broken = data.draw(damaged(record_to_json(record)))
    check_data(broken)
    check(dumps(broken).encode())


# --- anything at all ------------------------------------------------------------------------------


@given(st.binary())
def test_any_bytes_are_refused(data: bytes) -> None:
    assert why_not(data)


@given(st.text().map(str.encode))
def test_any_text_is_refused(data: bytes) -> None:
    assert why_not(data)


@given(st.lists(st.sampled_from(FRAGMENTS)))
def test_the_words_of_a_record_in_any_order(words: list[str]) -> None:
    check("".join(words).encode())
    check("\n".join(words).encode())


@given(
    st.dictionaries(
        st.sampled_from(("heckmeck", "edition", "seats", "first", "options", "moves", "result")),
        st.sampled_from(
            (*WRONG_VALUES, "classic", "junior", ["Ada", "Ben"], {"flip_always": True}, ["roll"])
        ),
    )
)
def test_the_keys_of_a_record_with_any_values(data: JsonObject) -> None:
    check_data({"heckmeck": 1, "edition": "classic", **data})


# --- a lot of it ----------------------------------------------------------------------------------


class Filler(NamedTuple):
    """A file that is mostly the same few bytes again and again."""

    start: bytes
    unit: bytes
    end: bytes = b""

    def file(self, size: int = MAX_BYTES) -> bytes:
        """As many units between start and end as fit into a file of that size."""
        count = (size - len(self.start) - len(self.end)) // len(self.unit)
        return self.start + self.unit * count + self.end


JSON_START = b'{"heckmeck": 1, "edition": "classic", "seats": ["Ada", "Ben"], "moves": ['
TEXT_START = b"heckmeck: 1\nedition: classic\nseats: Ada, Ben\n\n"
LARGE = {
    "brackets": Filler(b"", b"["),
    "objects in objects": Filler(b"", b'{"a":'),
    "brackets in a header": Filler(b'a: {"a":', b"["),
    "short lines": Filler(b"", b"ab\n"),
    "blank lines": Filler(b"", b" " * 19 + b"\n"),
    "quotes": Filler(b"", b'"'),
    "quotes, comments and escapes": Filler(b"", b'"#\\'),
    "a long number": Filler(b"heckmeck: 1", b"1"),
    "small objects": Filler(b'{"a": [', b'{"b": {}, "c": []},', b"0]}"),
    "too many moves in JSON": Filler(JSON_START, b'"roll",', b'"roll"]}'),
    "too many moves as text": Filler(TEXT_START, b"roll "),
    "too many options": Filler(b"options: ", b"a,"),
}


@contextmanager
def little_memory(limit: int) -> Iterator[None]:
    """Fail when more memory than that is taken at any moment."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < limit, f"{peak / MEGABYTE:.0f} MB"


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_of_nonsense_is_refused(name: str) -> None:
    assert why_not(LARGE[name].file())


@pytest.mark.parametrize("name", ["brackets", "objects in objects", "short lines"])
def test_refusing_a_large_file_takes_little_memory(name: str) -> None:
    data = LARGE[name].file()
    with little_memory(200 * MEGABYTE):
        assert why_not(data)


def test_refusing_a_million_moves_takes_little_memory() -> None:
    moves: list[JsonValue] = ["roll"] * 1_000_000
    data: JsonObject = {"heckmeck": 1, "edition": "classic", "seats": ["A", "B"], "moves": moves}
    with little_memory(50 * MEGABYTE):
        error = refusal(BadRecord, lambda: record_from_json(data))
    assert str(error) == "1000000 moves are too many; a record has at most 200000"


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 10 * MEGABYTE, 100 * MEGABYTE])
@pytest.mark.parametrize("junk", [b"[", b"\xff"])
def test_a_file_that_is_too_large_is_not_even_looked_at(junk: bytes, size: int) -> None:
    data = junk * size
    with little_memory(MEGABYTE):
        assert why_not(data) == f"{size} bytes are too many; a record has at most {MAX_BYTES}"


def test_a_key_that_is_there_twice_among_hundreds_of_thousands() -> None:
    keys = b",".join(b'"%d":0' % number for number in range(300_000))
    assert why_not(b"{" + keys + b',"299999":0}') == "the key '299999' appears twice"


def test_hundreds_of_thousands_of_names_in_quotes() -> None:
    names = Filler(b"heckmeck: 1\nedition: classic\nseats: ", b'"A",', b'"B"')
    data = names.file(MAX_BYTES // 4)
    assert why_not(data) == f"classic is for 2 to 7 players, not for {data.count(b',') + 1}."
