"""Strict JSON: what other programs could not read back is refused, at a place that is named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import BadJson, JsonValue
from heckmeck.record.json_text import MAX_DEPTH, decode, dumps, loads
from tests.record.refusals import REFUSED, done_or_refused
from tests.record.strategies import json_values

LONG = "k" * 99


def refusal(text: str) -> str:
    with pytest.raises(BadJson) as caught:
        loads(text)
    return str(caught.value)


# --- bytes ----------------------------------------------------------------------------------------


def test_bytes_are_utf8() -> None:
    assert decode("Zoë 😀".encode()) == "Zoë 😀"


def test_the_mark_that_some_editors_put_in_front_is_dropped() -> None:
    assert decode(b"\xef\xbb\xbf{}") == "{}"


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"abc\xff", 3),
        (b"\xff\xfe{\x00}\x00", 0),  # UTF-16
        (b"a\xed\xa0\x80", 1),  # half of a surrogate pair
        (b"ab\xc3", 2),  # cut off within a letter
        (b"\xc0\x80", 0),  # NUL in two bytes
    ],
)
def test_other_bytes_are_refused_with_their_place(data: bytes, place: int) -> None:
    with pytest.raises(BadJson, match=rf"^byte {place} is not UTF-8 text$"):
        decode(data)


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        (" [1, 2.5, -3e2] ", [1, 2.5, -300.0]),
        ('{"a": {"b": [true, false]}}', {"a": {"b": [True, False]}}),
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\ud800"', "\ud800"),
        ("9" * 4300, int("9" * 4300)),
    ],
)
def test_json_is_read(text: str, value: JsonValue) -> None:
    read = loads(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_none_are_refused(name: str) -> None:
    assert refusal(f'{{"a": [{name}]}}') == f"{name} is not JSON"


@pytest.mark.parametrize("digits", ["1e999", "-1e999", "1" * 400 + ".0"])
def test_infinite_numbers_are_refused(digits: str) -> None:
    assert refusal(f"[{digits}]") == f"the number {digits[:40]} is too large"


def test_numbers_of_thousands_of_digits_are_refused() -> None:
    assert refusal("[" + "9" * 5000 + "]").startswith("not JSON: Exceeds the limit")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"a": 1, "b": 2, "a": 1}', "'a'"),
        ('[{"x": {"b": 1, "b": 2}}]', "'b'"),
        ('{"\\u0061": 1, "a": 2}', "'a'"),
        ('{"\\ud800": 1, "\\ud800": 2}', r"'\ud800'"),
        (f'{{"{LONG}": 1, "{LONG}": 2}}', "'" + LONG[:39]),
    ],
)
def test_a_key_that_is_there_twice_is_refused(text: str, key: str) -> None:
    assert refusal(text) == f"the key {key} appears twice"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value at line 1, column 1"),
        ('{"a"', "not JSON: Expecting ':' delimiter at line 1, column 5"),
        ('{\n "a": 1,\n b: 2}', "not JSON: Expecting property name enclosed in double quotes at "),
        ("[1] 2", "not JSON: Extra data at line 1, column 5"),
        ("[1,\n 2,\n x]", "not JSON: Expecting value at line 3, column 2"),
        ('"a\nb"', "not JSON: Invalid control character at at line 1, column 3"),
        ("\ufeff{}", "not JSON: Unexpected UTF-8 BOM"),
        ("{'a': 1}", "not JSON: Expecting property name"),
        ("01", "not JSON: Extra data at line 1, column 2"),
    ],
)
def test_other_text_is_refused_with_its_place(text: str, message: str) -> None:
    assert refusal(text).startswith(message)


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
def test_nesting_is_limited(opened: str, closed: str) -> None:
    value = loads(opened * MAX_DEPTH + "1" + closed * MAX_DEPTH)
    assert dumps(value).count(opened[0]) == MAX_DEPTH
    deeper = MAX_DEPTH + 1
    too_deep = f"nested deeper than {MAX_DEPTH} levels"
    assert refusal(opened * deeper + "1" + closed * deeper) == too_deep
    assert refusal(opened * 500 + "1" + closed * 500) == too_deep
    assert refusal(opened * 500_000) == too_deep


def test_wide_data_is_not_deep() -> None:
    assert loads("[" + "[[]]," * 1000 + "{}]") == [*([[[]]] * 1000), {}]


# --- writing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [1, True, None], "b": 0.5}, '{"a": [1, true, null], "b": 0.5}'),
        ("Zoë 😀", '"Zoë 😀"'),
        ("a\nb\t\x00", '"a\\nb\\t\\u0000"'),
        (["Zoë", "\ud800"], '["Zo\\u00eb", "\\ud800"]'),
    ],
)
def test_data_is_written_on_one_line(value: JsonValue, text: str) -> None:
    assert dumps(value) == text


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_could_not_be_read_back_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        dumps([number])
    with pytest.raises(ValueError, match="JSON compliant"):
        dumps(["\ud800", number])


@given(json_values)
def test_what_is_written_is_read_back_the_same(value: JsonValue) -> None:
    text = dumps(value)
    assert "\n" not in text
    assert decode(text.encode()) == text
    # Text tells apart what == does not: true and 1, 1 and 1.0, 0.0 and -0.0.
    assert json.dumps(loads(text)) == json.dumps(value)


@given(st.one_of(st.text(), st.text('{}[]:,"\\ue0+-.1tfn ')))
def test_any_text_is_read_or_refused(text: str) -> None:
    value = done_or_refused(BadJson, lambda: loads(text))
    assert value is REFUSED or loads(dumps(value)) == value
