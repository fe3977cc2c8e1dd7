"""Records from and to bytes: which form it is shows in the first letter."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import (
    MAX_BYTES,
    MAX_MOVES,
    BadRecord,
    JsonObject,
    Record,
    read_record,
    record_to_json,
    write_json,
    write_text,
)
from heckmeck.rules import parse
from tests.record.games import Played
from tests.record.refusals import refusal
from tests.record.strategies import extras, games, names

AS_JSON = """{
  "heckmeck": 1,
  "edition": "classic",
  "seats": ["Ada", "Ben"],
  "first": 0,
  "options": {},
  "moves": ["roll", "=11234WWW", "keep:W"],
  "note": "😀"
}
"""
AS_TEXT = """heckmeck: 1
edition: classic
seats: Ada, Ben
first: 0
note: "😀"

roll =11234WWW keep:W
"""
RECORD = Record(
    "classic",
    ("Ada", "Ben"),
    moves=tuple(map(parse, ("roll", "=11234WWW", "keep:W"))),
    extra={"note": "😀"},
)


def why_not(data: bytes) -> str:
    return str(refusal(BadRecord, lambda: read_record(data)))


def test_both_forms_are_written() -> None:
    assert write_json(RECORD) == AS_JSON
    assert write_text(RECORD) == AS_TEXT == write_text(RECORD)


@pytest.mark.parametrize("text", [AS_JSON, AS_TEXT])
def test_both_forms_are_read(text: str) -> None:
    assert read_record(text.encode()) == RECORD
    assert read_record(b"\xef\xbb\xbf" + text.encode()) == RECORD
    assert read_record(b" \r\n\t" + text.encode() + b"\n \n") == RECORD


@given(games(), extras, st.data())
def test_the_json_form_is_read_back_the_same(
    game: Played, more: JsonObject, data: st.DataObject
) -> None:
    plain = game.record
    seats = tuple(data.draw(names) for _ in plain.seats)
    record = Record(plain.edition, seats, plain.first, plain.house, plain.moves, more)
    text = write_json(record)
    assert read_record(text.encode()) == record
    assert json.loads(text) == record_to_json(record)
    assert text.count("\n") == len(record_to_json(record)) + 2


def test_what_is_no_utf8_is_refused() -> None:
    assert why_not(b"\x89PNG\r\n") == "byte 0 is not UTF-8 text"
    assert why_not(AS_JSON.encode("utf-16")) == "byte 0 is not UTF-8 text"
    assert why_not(AS_TEXT.encode().replace(b"Ada", b"Ad\xe4")) == "byte 38 is not UTF-8 text"


def test_bad_json_is_refused_with_its_place() -> None:
    message = "not JSON: Expecting ',' delimiter at line 4, column 3"
    assert why_not(AS_JSON.replace('"classic",', '"classic"').encode()) == message
    assert why_not(b'{"heckmeck": 1, "heckmeck": 1}') == "the key 'heckmeck' appears twice"


def test_a_file_may_be_large_but_not_too_large() -> None:
    note = "x" * (MAX_BYTES - len(write_json(RECORD).encode()) + len("😀".encode()))
    large = Record("classic", ("Ada", "Ben"), moves=RECORD.moves, extra={"note": note})
    data = write_json(large).encode()
    assert len(data) == MAX_BYTES
    assert read_record(data) == large
    assert why_not(data + b"\n") == (
        f"{MAX_BYTES + 1} bytes are too many; a record has at most {MAX_BYTES}"
    )


def test_the_longest_record_of_the_longest_words_is_not_too_large() -> None:
    longest_word = len('"=11111111+W", ')
    assert MAX_MOVES * longest_word < MAX_BYTES
