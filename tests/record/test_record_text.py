"""The text form: for people and for diffs, and with nothing lost on the way there and back."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import BadRecord, JsonObject, Record, read_record, record_to_json, replay
from heckmeck.record.forms import record_from_text, write_text
from heckmeck.record.json_text import dumps
from heckmeck.rules import HouseRules, parse, word
from heckmeck.rules.events import TurnStarted
from tests.record.games import Played, play
from tests.record.refusals import refusal
from tests.record.strategies import extras, games, names

CONTRACT = Path(__file__).parents[2] / "docs" / "record.md"

HEADER = "heckmeck: 1\nedition: classic\nseats: Ada, Ben\nfirst: 0\n"
TURN = "roll =11234WWW keep:W roll =12455 keep:5 stop"
MOVES = tuple(map(parse, TURN.split()))
EXAMPLE = Record("classic", ("Ada", "Ben"), moves=MOVES)


def why_not(text: str) -> str:
    return str(refusal(BadRecord, lambda: record_from_text(text)))


def seats(line: str) -> tuple[str, ...]:
    """The names that a ``seats`` line is read as."""
    return record_from_text(f"heckmeck: 1\nedition: classic\nseats: {line}\n").seats


def seats_line(*names: str) -> str:
    (line,) = re.findall(r"^seats: (.*)$", write_text(Record("classic", names)), re.MULTILINE)
    assert isinstance(line, str)
    return line


# --- writing --------------------------------------------------------------------------------------


def test_a_record_as_text() -> None:
    record = Record(
        "deluxe",
        ("Ada", "Ben, Jr."),
        first=1,
        house=HouseRules(flip_always=True, flip_returned=True),
        moves=tuple(map(parse, f"{TURN} roll =11234WWW keep:2".split())),
        extra={"date": "2031-02-03", "Who won?": None, "a:b": [1, {"c": "#"}]},
    )
    assert write_text(record) == (
        "heckmeck: 1\n"
        "edition: deluxe\n"
        'seats: Ada, "Ben, Jr."\n'
        "first: 1\n"
        "options: flip_always, flip_returned\n"
        'date: "2031-02-03"\n'
        "Who won?: null\n"
        '"a:b": [1, {"c": "#"}]\n'
        "\n"
        "roll =11234WWW keep:W roll =12455 keep:5 stop\n"
        "roll =11234WWW keep:2\n"
    )


def test_a_record_without_moves_ends_with_its_header() -> None:
    assert write_text(Record("classic", ("Ada", "Ben"))) == HEADER + "\n"


def test_the_result_of_a_finished_game_is_in_the_header() -> None:
    record = play("junior", 2, seed=3).record
    result = dumps(record_to_json(record)["result"])
    assert f"\nresult: {result}\n\n" in write_text(record)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ada", "Ada"),
        ("Ada B. Lovelace", "Ada B. Lovelace"),
        ("O'Neil: 100 % \\o/", "O'Neil: 100 % \\o/"),
        ("Zoë 😀", "Zoë 😀"),
        ("", '""'),
        (" ", '" "'),
        (" Ada", '" Ada"'),
        ("Ada\u3000", '"Ada\u3000"'),
        ("A,B", '"A,B"'),
        ('A"B', '"A\\"B"'),
        ("#1", '"#1"'),
        ("A\tB", '"A\\tB"'),
        ("A\x7fB", '"A\x7fB"'),
        ("A\u2028B", '"A\u2028B"'),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_a_name_is_written_plainly_where_that_can_be_read_back(name: str, written: str) -> None:
    assert seats_line(name, "Ben") == f"{written}, Ben"
    assert seats_line("Ben", name) == f"Ben, {written}"
    assert seats(f"{written}, Ben") == (name, "Ben")
    assert seats(f"Ben, {written}") == ("Ben", name)


@given(games())
def test_one_turn_a_line(game: Played) -> None:
    turns: list[list[str]] = [[]]
    for step in replay(game.record):
        turns[-1].append(word(step.move))
        if TurnStarted in map(type, step.events):
            turns.append([])
    _, _, body = write_text(game.record).partition("\n\n")
    assert body == "".join(" ".join(turn) + "\n" for turn in turns if turn)


# --- there and back -------------------------------------------------------------------------------


@given(games(), extras, st.data())
def test_both_forms_convert_into_each_other_without_loss(
    game: Played, more: JsonObject, data: st.DataObject
) -> None:
    plain = game.record
    seats = tuple(data.draw(names) for _ in plain.seats)
    record = Record(plain.edition, seats, plain.first, plain.house, plain.moves, more)
    text = write_text(record)
    again = read_record(text.encode())
    assert again == record
    assert dumps(record_to_json(again)) == dumps(record_to_json(record))
    assert write_text(again) == text


@given(extras)
def test_line_ends_of_another_system_change_nothing(more: JsonObject) -> None:
    record = Record("classic", ("Ada, B", "#2"), moves=MOVES, extra=more)
    text = write_text(record)
    assert read_record(text.replace("\n", "\r\n").encode()) == record
    assert read_record(b"\xef\xbb\xbf" + text.encode()) == record


# --- written by hand ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}\n{TURN}",
        f"{HEADER}\n\n\n{TURN}\n\n",
        f"\n \n{HEADER}\n{TURN}\n",
        f"{HEADER}options:\n\n{TURN}\n",
        f"heckmeck:1\nedition:classic\nseats:Ada,Ben\n\n{TURN}\n",
        f"  seats :  Ada ,\tBen  \nedition: classic\n heckmeck : 1 \n \t \n{TURN}\n",
        f'heckmeck: 1\nedition: classic\nseats: "Ada" ,"\\u0042en" \n\n{TURN}\n',
        HEADER + "\n" + TURN.replace(" ", "\n"),
        HEADER + "\n" + TURN.replace(" ", "\n\n  \t"),
        HEADER + "\n" + TURN.replace(" ", "\u3000"),
        HEADER.replace("\n", "\r\n") + "\r\n" + TURN.replace(" ", "\r\n") + "\r\n",
        f"{HEADER}\n{TURN.replace('=11234WWW', '=W1W2W314')}\n",
        f"# A game\n\n{HEADER}# and now\n\n{TURN}  # 25\n# that was it",
        f"{HEADER.replace('Ben', 'Ben # the second')}\n# roll\n{TURN}#stop",
        f"#\n # \n{HEADER}#\n  # no blank line\n\n{TURN}",
        HEADER.replace("\n", "\n  # not blank\n") + f"\n{TURN}",
    ],
)
def test_a_sloppy_hand_is_read(text: str) -> None:
    assert record_from_text(text) == EXAMPLE


def test_first_may_be_missing() -> None:
    assert record_from_text("seats: Ada, Ben\nheckmeck: 1\nedition: classic").first == 0


def test_without_a_blank_line_there_are_no_moves() -> None:
    assert why_not(HEADER + TURN).startswith("line 5: ")
    assert why_not(HEADER + "roll\n") == "line 5: a header line must be written as key: value"


@pytest.mark.parametrize(
    ("line", "house"),
    [
        ("flip_always", HouseRules(flip_always=True)),
        ("flip_returned", HouseRules(flip_returned=True)),
        (" flip_returned ,flip_always", HouseRules(True, True)),
        ("", HouseRules()),
        ("# none", HouseRules()),
    ],
)
def test_options_are_a_list_of_names(line: str, house: HouseRules) -> None:
    assert record_from_text(f"{HEADER}options: {line}\n").house == house


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ('note: "a # b"  # c', "note", "a # b"),
        ('note: "a \\" # b" # c', "note", 'a " # b'),
        ('note: "\\\\" # c', "note", "\\"),
        ('"#": ["#", "x"] # "', "#", ["#", "x"]),
        ('"a\\u0022:": {"#": 1}', 'a":', {"#": 1}),
        ("it's: 1", "it's", 1),
        ("back\\slash: 1 # c", "back\\slash", 1),
        ("a b :[ 1 , 2 ]", "a b", [1, 2]),
        ('" spaced ": null', " spaced ", None),
        ('"": 0', "", 0),
        ("Edition: 0", "Edition", 0),
    ],
)
def test_other_keys_hold_json(line: str, key: str, value: object) -> None:
    assert record_from_text(f"{HEADER}{line}\n").extra == {key: value}


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hello", "a header line must be written as key: value"),
        ('"hello"', "a header line must be written as key: value"),
        ('"hello": ', "not JSON: Expecting value at line 1, column 1"),
        ('"hello', "not a JSON string: Unterminated string starting at"),
        ('"a\tb": 1', "not a JSON string: Invalid control character at"),
        ("note: hello", "not JSON: Expecting value at line 1, column 1"),
        ("note: NaN", "NaN is not JSON"),
        ('note: {"a": 1, "a": 2}', "the key 'a' appears twice"),
        ("note: " + "[" * 100_000, "nested deeper than 64 levels"),
        ('note: "a', "not JSON: Unterminated string starting at at line 1, column 1"),
        ("first: 0", "'first' appears twice"),
        ("edition: deluxe", "'edition' appears twice"),
        ("seats: Ada, Ben", "'seats' appears twice"),
        ('"first": 0', "first must be written without quotes"),
        ('"moves": []', "moves must be written without quotes"),
        ('"\\u0073eats": 0', "seats must be written without quotes"),
        ("moves: roll", "moves must come after the blank line, without a key"),
        ("options: flip_always, flip_always", "an option appears twice"),
        ("options: ,", "an option appears twice"),
    ],
)
def test_a_bad_header_line_is_refused_with_its_number(line: str, message: str) -> None:
    assert why_not(f"# a comment\n\n{HEADER}{line}\n\n{TURN}\n") == f"line 7: {message}"
    assert why_not(f"{HEADER}{line}") == f"line 5: {message}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "the name '' must be written in quotes, as JSON"),
        ("Ada, ", "the name '' must be written in quotes, as JSON"),
        (",Ada", "the name '' must be written in quotes, as JSON"),
        ("Ada,,Ben", "the name '' must be written in quotes, as JSON"),
        ('Ada, B"en', "the name 'B\"en' must be written in quotes, as JSON"),
        ('Ada, "Ben" Jr.', "the name 'Ben' must be followed by a comma"),
        ('"Ada""Ben"', "the name 'Ada' must be followed by a comma"),
        ('Ada, "Ben', "not a JSON string: Unterminated string starting at"),
        ('"A\\x", Ben', "not a JSON string: Invalid \\escape"),
        ("Ada, #, Ben", "the name '' must be written in quotes, as JSON"),
    ],
)
def test_bad_names_are_refused_with_their_line(line: str, message: str) -> None:
    text = f"heckmeck: 1\nedition: classic\nseats: {line}\n"
    assert why_not(text).startswith(f"line 3: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "missing key `edition`"),
        ("\n\n# nothing here\n", "missing key `edition`"),
        ("heckmeck: 1\n", "missing key `edition`"),
        ("heckmeck: 1\n\nedition: classic\n", "missing key `edition`"),
        ('heckmeck: "1"\n', "Expected `int`, got `str` - at `record.heckmeck`"),
        (
            HEADER.replace("classic", '"classic"'),
            "There is no edition '\"classic\"'. The editions are ",
        ),
        (HEADER.replace("first: 0", "first: 2"), "first must be a seat from 0 to 1, not 2."),
        (HEADER.replace(", Ben", ""), "classic is for 2 to 7 players, not for 1."),
        (HEADER + "options: flip", "unknown key `flip` - at `record.options`"),
        (HEADER + "options: flip_always,", "unknown key `` - at `record.options`"),
        (HEADER + "result: null", "there is a result, but the game is not over after the last "),
    ],
)
def test_the_header_is_checked_as_json_is(text: str, message: str) -> None:
    assert why_not(text).startswith(message)


def test_a_bad_move_is_refused_with_its_index() -> None:
    text = f"{HEADER}\n# roll stop\n{TURN}\n\nroll =11234WWW\nstop # here\n"
    error = refusal(BadRecord, lambda: record_from_text(text))
    assert error.index == 9
    assert str(error).startswith("move 9: stop is not allowed: a face of this roll has to be kept")
    text = f"{HEADER}\n{TURN} roll: =11234WWW"
    assert why_not(text).startswith("move 7: 'roll:' is not a move. ")


# --- the contract ---------------------------------------------------------------------------------


def test_the_examples_of_the_contract_can_be_read() -> None:
    contract = CONTRACT.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:json|text)\n(.*?)^```$", contract, re.DOTALL | re.MULTILINE)
    as_json, as_text = (block for block in blocks if "keep:W roll" in re.sub('[",]', "", block))
    assert read_record(as_json.encode()) == EXAMPLE
    record = read_record(as_text.encode())
    assert record.edition == "deluxe"
    assert record.house == HouseRules(True, True)
    assert len(record.moves) == 15
