"""Records as JSON data: what is read, what is written, and every sentence of refusal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import (
    MAX_MOVES,
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
from heckmeck.record.forms import OUR_KEYS, parse_moves
from heckmeck.record.json_text import dumps
from heckmeck.rules import HouseRules, parse
from tests.record.games import Played, play
from tests.record.refusals import refusal
from tests.record.strategies import changed, extras, games, names

WORDS = ["roll", "=11234WWW", "keep:W", "roll", "=12455", "keep:5", "stop"]


def a_record(**changes: JsonValue) -> JsonObject:
    """The example of the contract, with changes."""
    return {
        "heckmeck": 1,
        "edition": "classic",
        "seats": ["Ada", "Ben"],
        "first": 0,
        "options": {},
        "moves": [*WORDS],
        **changes,
    }


def a_finished_record() -> JsonObject:
    data = record_to_json(play("junior", 2, seed=3).record)
    assert "result" in data
    return data


def why_not(data: JsonValue) -> str:
    return str(refusal(BadRecord, lambda: record_from_json(data)))


# --- what is read ---------------------------------------------------------------------------------


def test_the_example_of_the_contract() -> None:
    record = record_from_json(a_record())
    assert record == Record("classic", ("Ada", "Ben"), moves=tuple(map(parse, WORDS)))
    assert record_to_json(record) == a_record()


def test_keys_are_written_in_the_order_of_the_contract() -> None:
    usual = [key for key in OUR_KEYS if key != "position"]
    assert [*record_to_json(record_from_json(a_finished_record()))] == usual


def test_first_and_options_may_be_missing() -> None:
    data = a_record()
    del data["first"], data["options"]
    assert record_from_json(data) == record_from_json(a_record())


def test_the_first_seat_is_kept() -> None:
    record = record_from_json(a_record(first=1))
    assert record.first == record.start().seat == 1
    assert record_to_json(record)["first"] == 1


@pytest.mark.parametrize(
    ("options", "house"),
    [
        ({}, HouseRules()),
        ({"flip_always": True}, HouseRules(flip_always=True)),
        ({"flip_returned": True}, HouseRules(flip_returned=True)),
        ({"flip_returned": True, "flip_always": True}, HouseRules(True, True)),
        ({"flip_returned": True, "flip_always": False}, HouseRules(flip_returned=True)),
        ({"flip_returned": False, "flip_always": False}, HouseRules()),
    ],
)
@pytest.mark.parametrize("edition", ["classic", "deluxe"])
def test_house_rules_are_options(edition: str, options: JsonObject, house: HouseRules) -> None:
    record = record_from_json(a_record(edition=edition, options=options))
    assert record.house == house
    assert record_to_json(record)["options"] == {name: on for name, on in options.items() if on}


@pytest.mark.parametrize("edition", ["barbecue", "junior"])
def test_other_editions_have_no_house_rules(edition: str) -> None:
    data = a_record(edition=edition, moves=[], options={"flip_always": False})
    assert record_from_json(data).house == HouseRules()
    data["options"] = {"flip_returned": True}
    assert why_not(data) == f"{edition} has no house rules."


def test_dice_may_come_in_any_order_and_are_written_in_face_order() -> None:
    record = record_from_json(a_record(moves=["roll", "=W1W3W214"]))
    assert record_to_json(record)["moves"] == ["roll", "=11234WWW"]


def test_names_are_anything() -> None:
    seats: list[JsonValue] = ["", "Ada", "Ada", " \n,#\"'", "😀", "\ud800"]
    record = record_from_json(a_record(seats=seats, moves=[]))
    assert record.seats == tuple(seats)
    assert record_to_json(record)["seats"] == seats


def test_unknown_keys_are_kept_and_ignored() -> None:
    more: JsonObject = {"date": "2031-02-03", "bots": {"0": None}, "Moves": [1.5], "": True}
    record = record_from_json(a_record(**more))
    assert record.extra == more
    assert record.moves == record_from_json(a_record()).moves
    assert record_to_json(record) == a_record(**more)


@given(games(), extras, st.data())
def test_what_is_written_is_read_back_the_same(
    game: Played, more: JsonObject, data: st.DataObject
) -> None:
    plain = game.record
    seats = tuple(data.draw(names) for _ in plain.seats)
    record = Record(plain.edition, seats, plain.first, plain.house, plain.moves, more)
    written = record_to_json(record)
    assert record_from_json(written) == record
    assert dumps(record_to_json(record_from_json(written))) == dumps(written)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [None, True, 1, 1.5, "{}", []])
def test_a_record_is_an_object(data: JsonValue) -> None:
    assert why_not(data).startswith("Expected `object`, got ")


@pytest.mark.parametrize("key", ["heckmeck", "edition", "seats", "moves"])
def test_what_cannot_be_missing(key: str) -> None:
    data = a_record()
    del data[key]
    assert why_not(data) == f"missing key `{key}`"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("heckmeck", "1", "Expected `int`, got `str` - at `record.heckmeck`"),
        ("heckmeck", 2, "format 2 is not supported; this program reads 1"),
        ("heckmeck", 0, "format 0 is not supported; this program reads 1"),
        ("edition", None, "Expected `str`, got `null` - at `record.edition`"),
        (
            "edition",
            "poker",
            "There is no edition 'poker'. The editions are classic, deluxe, barbecue, junior.",
        ),
        (
            "edition",
            "Classic",
            "There is no edition 'Classic'. The editions are classic, deluxe, barbecue, junior.",
        ),
        ("seats", 2, "Expected `array`, got `int` - at `record.seats`"),
        ("seats", ["Ada", 1], "Expected `str`, got `int` - at `record.seats[1]`"),
        ("seats", [], "classic is for 2 to 7 players, not for 0."),
        ("seats", ["Ada"], "classic is for 2 to 7 players, not for 1."),
        ("seats", ["x"] * 8, "classic is for 2 to 7 players, not for 8."),
        ("first", True, "Expected `int`, got `bool` - at `record.first`"),
        ("first", 2, "first must be a seat from 0 to 1, not 2."),
        ("first", -1, "first must be a seat from 0 to 1, not -1."),
        ("options", [], "Expected `object`, got `array` - at `record.options`"),
        (
            "options",
            {"flip": True},
            "unknown key `flip` - at `record.options`",
        ),
        (
            "options",
            {"flip": False},
            "unknown key `flip` - at `record.options`",
        ),
        (
            "options",
            {"flip_always": 1},
            "Expected `bool`, got `int` - at `record.options.flip_always`",
        ),
        (
            "options",
            {"flip_always": None},
            "Expected `bool`, got `null` - at `record.options.flip_always`",
        ),
        ("moves", None, "Expected `array`, got `null` - at `record.moves`"),
        ("moves", ["roll", 1], "Expected `str`, got `int` - at `record.moves[1]`"),
    ],
)
def test_wrong_values_are_refused_in_words(key: str, value: JsonValue, message: str) -> None:
    assert why_not(a_record(**{key: value})) == message


@pytest.mark.parametrize("key", ["heckmeck", "first"])
def test_one_and_a_half_is_no_whole_number_and_neither_is_one_point_nothing(key: str) -> None:
    for number in (1.0, 1.5, 0.0, -0.0):
        assert why_not(a_record(**{key: number})).startswith("Expected `int`, got `float`")


def test_a_refusal_without_a_bad_move_has_no_index() -> None:
    error = refusal(BadRecord, lambda: record_from_json(a_record(first=5)))
    assert error.index is None


# --- moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("index", "word", "why"),
    [
        (0, "stop", "stop is not allowed: nothing is kept yet. Legal here: roll."),
        (
            1,
            "keep:W",
            "keep:W is not allowed: the dice are in the air, and next 8 white dice fall.",
        ),
        (1, "=11234WW", "=11234WW is not allowed: 8 white dice of this edition have to fall."),
        (1, "=112346WW", "=11234WW6 is not allowed: 8 white dice of this edition have to fall."),
        (2, "keep:5", "keep:5 is not allowed: the roll shows no 5. Legal here: keep:1, keep:2, "),
        (5, "keep:W", "keep:W is not allowed: W was already kept this turn. Legal here: keep:1, "),
        (
            6,
            "pinch:1",
            "pinch:1 is not allowed: there is no such question to answer. Legal here: roll, stop.",
        ),
    ],
)
def test_a_bad_move_is_refused_with_its_index(index: int, word: str, why: str) -> None:
    data = changed(a_record(), ("moves", index), word)
    error = refusal(BadRecord, lambda: record_from_json(data))
    assert error.index == index
    assert str(error).startswith(f"move {index}: {why}")


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("", "'' is not a move. Moves are roll, roll:golden, =<dice>, keep:<face>, stop, reroll, "),
        ("Roll", "'Roll' is not a move. Moves are roll, "),
        (" roll", "' roll' is not a move. Moves are roll, "),
        ("keep:7", "'keep:7' is not a move. Moves are roll, "),
        ("=", "'=' is not a roll. Write =1124W, or =1124W+1 with the golden die."),
        ("=12x", "'=12x' is not a roll: no die has the face 'x'."),
        ("\ud800", "'\\ud800' is not a move. Moves are roll, "),
        ("x" * 1000, f"'{'x' * 40}…' is not a move. Moves are roll, "),
    ],
)
def test_a_word_that_is_no_move_is_refused_with_its_index(word: str, why: str) -> None:
    data = changed(a_record(), ("moves", 4), word)
    error = refusal(BadRecord, lambda: record_from_json(data))
    assert error.index == 4
    assert str(error).startswith(f"move 4: {why}")


def test_words_are_read_before_they_are_played() -> None:
    assert why_not(a_record(moves=["stop", "nonsense"])).startswith(
        "move 1: 'nonsense' is not a move"
    )


def test_parse_moves_reads_a_list_of_words() -> None:
    assert parse_moves(WORDS) == tuple(map(parse, WORDS))
    assert refusal(BadRecord, lambda: parse_moves(["roll", "rool"])).index == 1


def test_moves_after_the_end_are_refused() -> None:
    data = a_finished_record()
    moves = data["moves"]
    assert isinstance(moves, list)
    error = refusal(BadRecord, lambda: record_from_json({**data, "moves": [*moves, "roll"]}))
    assert error.index == len(moves)
    assert str(error) == f"move {len(moves)}: roll is not allowed: the game is over."


def test_there_may_be_so_many_moves_and_no_more() -> None:
    words: list[JsonValue] = ["hop"] * MAX_MOVES
    assert why_not(a_record(moves=words)).startswith("move 0: 'hop' is not a move.")
    assert why_not(a_record(moves=[*words, "hop"])) == (
        f"{MAX_MOVES + 1} moves are too many; a record has at most {MAX_MOVES}"
    )


@pytest.mark.soak
def test_a_game_of_as_many_moves_as_there_may_be() -> None:
    turn = ["roll", "=11111111", "keep:1"]  # without a worm, and without a tile to lose
    longest: list[JsonValue] = [*turn * (MAX_MOVES // 3), *turn[: MAX_MOVES % 3]]
    record = record_from_json(a_record(moves=longest))
    assert len(record.moves) == MAX_MOVES
    assert read_record(write_json(record).encode()) == record
    assert read_record(write_text(record).encode()) == record


# --- the result -----------------------------------------------------------------------------------


def test_a_result_before_the_end_is_refused() -> None:
    message = "there is a result, but the game is not over after the last move"
    assert why_not(a_record(result={"scores": [2, 0], "winners": [0]})) == message
    assert why_not(a_record(result=None)) == message


def test_an_end_without_a_result_is_refused() -> None:
    data = a_finished_record()
    result = data.pop("result")
    assert why_not(data) == f"the game is over, so the record needs its result: {dumps(result)}"


@pytest.mark.parametrize("result", [None, 0, [], {}, {"scores": [0, 0]}, {"winners": [0]}])
def test_a_result_of_another_shape_is_refused(result: JsonValue) -> None:
    data = a_finished_record()
    message = f"the result must be {dumps(data['result'])}, as the moves show"
    assert why_not({**data, "result": result}) == message


def test_a_result_that_the_moves_do_not_show_is_refused() -> None:
    data = a_finished_record()
    truth = data["result"]
    assert isinstance(truth, dict)
    scores, winners = truth["scores"], truth["winners"]
    assert isinstance(scores, list)
    assert isinstance(winners, list)
    wrongs: list[JsonObject] = [
        {"scores": [*scores, 0], "winners": winners},
        {"scores": scores[::-1], "winners": winners},
        {"scores": scores, "winners": []},
        {"scores": scores, "winners": [0, 1]},
        {"scores": scores, "winners": [*map(bool, winners)]},
        {"scores": [float(str(score)) for score in scores], "winners": winners},
        {"scores": scores, "winners": winners, "reason": "grill_empty"},
    ]
    for wrong in wrongs:
        assert dumps(wrong) != dumps(truth)
        assert why_not({**data, "result": wrong}) == (
            f"the result must be {dumps(truth)}, as the moves show"
        )


def test_the_order_of_keys_in_a_result_does_not_matter() -> None:
    data = a_finished_record()
    result = data["result"]
    assert isinstance(result, dict)
    backwards: JsonObject = dict(reversed(result.items()))
    assert [*backwards] != [*result]
    assert record_from_json({**data, "result": backwards}) == record_from_json(data)
