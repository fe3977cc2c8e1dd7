"""Typed access to JSON data."""

from collections.abc import Callable

import pytest

from heckmeck.record import BadState, JsonValue
from heckmeck.record.reader import Reader

#: One value of each kind that JSON has, and both numbers that look like truths.
KINDS: tuple[JsonValue, ...] = (None, True, 0, 1, 1.0, "1", [], [1], [[1]], ["1"], [True], {})


@pytest.mark.parametrize(
    ("read", "right", "expected"),
    [
        (Reader.integer, [0, 1], "a whole number"),
        (Reader.boolean, [True], "true or false"),
        (Reader.text, ["1"], "text"),
        (Reader.text_or_null, ["1", None], "text"),
        (Reader.items, [[], [1], [[1]], ["1"], [True]], "a list"),
    ],
)
def test_a_value_is_what_it_should_be_or_refused(
    read: Callable[[Reader, str], JsonValue], right: list[JsonValue], expected: str
) -> None:
    wrong = [kind for kind in KINDS if repr(kind) not in map(repr, right)]
    assert len(wrong) + len(right) == len(KINDS)
    for value in right:
        assert read(Reader({"key": value}), "key") == value
    for value in wrong:
        with pytest.raises(BadState) as caught:
            read(Reader({"key": value}), "key")
        assert str(caught.value) == f"key must be {expected}"


def test_lists_of_whole_numbers() -> None:
    reader = Reader({"row": [3, 1], "rows": [[1], [], [2, 3]]})
    assert reader.integers("row") == (3, 1)
    assert reader.rows_of_integers("rows") == ((1,), (), (2, 3))


@pytest.mark.parametrize("row", [[True], [1, 1.0], ["1"], [None], [[1]]])
def test_rows_of_anything_else_are_refused(row: list[JsonValue]) -> None:
    with pytest.raises(BadState, match=r"^row must be made of whole numbers$"):
        Reader({"row": row}).integers("row")
    with pytest.raises(BadState, match=r"^rows must be made of whole numbers$"):
        Reader({"rows": [[1], row]}).rows_of_integers("rows")


@pytest.mark.parametrize("rows", [[1], [None], ["12"], [{}]])
def test_rows_must_be_lists(rows: list[JsonValue]) -> None:
    with pytest.raises(BadState, match=r"^rows must be made of whole numbers$"):
        Reader({"rows": rows}).rows_of_integers("rows")


@pytest.mark.parametrize("value", [kind for kind in KINDS if kind != {}])
def test_an_object_must_be_one(value: JsonValue) -> None:
    with pytest.raises(BadState, match=r"^key must be an object$"):
        Reader({"key": value}).object("key")


def test_errors_name_the_way_to_the_value() -> None:
    reader = Reader({"table": {"spots": {"23": "x"}}}).object("table").object("spots")
    assert reader.path == "table.spots."
    with pytest.raises(BadState, match=r"^table\.spots\.23 must be a list$"):
        reader.integers("23")
    with pytest.raises(BadState, match=r"^table\.spots\.24 is missing$"):
        reader.integers("24")


def test_null_is_a_value_that_is_there() -> None:
    assert Reader({"key": None}).value("key") is None
    with pytest.raises(BadState, match=r"^key is missing$"):
        Reader({}).value("key")
