"""States as JSON: exactly the keys, kinds and orders that the contract promises."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from heckmeck.record import JsonObject, JsonValue, state_to_json
from heckmeck.record.state_json import options_to_json, table_facts
from heckmeck.rules import (
    EDITIONS,
    AnyState,
    HouseRules,
    Specialist,
    apply,
    legal,
    new_game,
    outcome,
    parse,
    scores,
    throws,
    word,
)
from heckmeck.rules.barbecue import WITH_SNAIL, BarbecueTable, Spot
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.dice import in_face_order
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import PinchQuestion, ReturnQuestion, RobQuestion, State
from heckmeck.rules.turn import Turn
from tests.record.games import Played, play
from tests.record.strategies import games

STATE_KEYS = [
    "edition",
    "seats",
    "options",
    "to_move",
    "awaits",
    "legal",
    "turn",
    "table",
    "scores",
    "over",
    "winners",
]
TURN_KEYS = ["kept", "total", "hand", "golden", "roll", "golden_roll", "weasel_used"]
TABLE_KEYS = {
    "classic": ["grill", "face_down", "stacks"],
    "junior": ["grill", "face_down", "stacks"],
    "deluxe": ["grill", "face_down", "stacks", "on_grill", "held", "bratworms", "supply"],
    "barbecue": ["spots", "pool", "snails", "worms", "plates"],
}


def after(edition: str, seats: int, words: str) -> AnyState:
    state = new_game(edition, seats)
    for text in words.split():
        state = apply(state, parse(text)).state
    return state


def turn_after(edition: str, words: str) -> JsonValue:
    return state_to_json(after(edition, 2, words))["turn"]


# --- examples -------------------------------------------------------------------------------------


def test_a_new_game() -> None:
    assert state_to_json(new_game("classic", 2, 1, HouseRules(flip_returned=True))) == {
        "edition": "classic",
        "seats": 2,
        "options": {"flip_returned": True},
        "to_move": 1,
        "awaits": "player",
        "legal": ["roll"],
        "turn": {
            "kept": "",
            "total": 0,
            "hand": 8,
            "golden": False,
            "roll": None,
            "golden_roll": None,
            "weasel_used": False,
        },
        "table": {"grill": [*range(21, 37)], "face_down": [], "stacks": [[], []]},
        "scores": [0, 0],
        "over": False,
        "winners": [],
    }


def test_the_example_of_the_contract() -> None:
    table = new_game("deluxe", 3).table
    assert isinstance(table, DeluxeTable)
    with_weasel = replace(
        table, held=(None, Specialist.WEASEL, None), bratworms=(0, 1, 0), supply=6
    )
    data = state_to_json(State(with_weasel, 1, Turn(6, "44", 8), Throw("1133WW")))
    assert data["legal"] == ["keep:1", "keep:3", "keep:W", "reroll"]
    assert data["turn"] == {
        "kept": "44",
        "total": 8,
        "hand": 6,
        "golden": False,
        "roll": "1133WW",
        "golden_roll": None,
        "weasel_used": False,
    }
    assert (data["to_move"], data["awaits"]) == (1, "player")
    assert (data["scores"], data["over"], data["winners"]) == ([0, 1, 0], False, [])


@pytest.mark.parametrize(
    ("edition", "table"),
    [
        ("classic", {"grill": [*range(21, 37)], "face_down": [], "stacks": [[], []]}),
        (
            "deluxe",
            {
                "grill": [11, 13, *range(21, 37)],
                "face_down": [],
                "stacks": [[], []],
                "on_grill": {
                    "11": "canned",
                    "21": "hen",
                    "23": "raven",
                    "25": "weasel",
                    "27": "golden",
                    "29": "apple",
                },
                "held": [None, None],
                "bratworms": [0, 0],
                "supply": 7,
            },
        ),
        (
            "barbecue",
            {"spots": {}, "pool": 12, "snails": [0, 0], "worms": [0, 0], "plates": [10, 10]},
        ),
        (
            "junior",
            {
                "grill": [4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9],
                "face_down": [],
                "stacks": [[], []],
            },
        ),
    ],
)
def test_tables_at_the_start(edition: str, table: JsonObject) -> None:
    assert state_to_json(new_game(edition, 2))["table"] == table


def test_only_occupied_spots_are_listed() -> None:
    table = new_game("barbecue", 2).table
    assert isinstance(table, BarbecueTable)
    table = table.with_spot(23, Spot((0,))).with_spot(30, Spot((1, 1))).with_spot(36, WITH_SNAIL)
    data = state_to_json(State(table, 0, Turn(8), new_game("barbecue", 2).phase))["table"]
    assert isinstance(data, dict)
    assert data["spots"] == {"23": [0], "30": [1, 1], "36": ["snail"]}


def test_stacks_are_written_from_bottom_to_top() -> None:
    # Ada takes 25 and then 24: below it in number, above it in her stack.
    state = after(
        "classic",
        2,
        "roll =11234WWW keep:W roll =12455 keep:5 stop "
        "roll =11111111 keep:1 "
        "roll =11234WWW keep:W roll =12344 keep:4 roll =123 keep:1 stop",
    )
    data = state_to_json(state)
    assert data["scores"] == [3, 0]
    table = data["table"]
    assert isinstance(table, dict)
    assert table["stacks"] == [[25, 24], []]
    assert table["grill"] == [21, 22, 23, *range(26, 37)]


def test_a_turn_step_by_step() -> None:
    fresh = turn_after("classic", "")
    assert isinstance(fresh, dict)
    assert turn_after("classic", "roll") == fresh
    assert turn_after("classic", "roll =W4321W1W") == {**fresh, "roll": "11234WWW"}
    kept: JsonObject = {**fresh, "kept": "WWW", "total": 15, "hand": 5}
    assert turn_after("classic", "roll =11234WWW keep:W") == kept
    assert turn_after("classic", "roll =11234WWW keep:W roll") == kept
    assert turn_after("classic", "roll =11234WWW keep:W roll =12455 keep:5") == {
        **kept,
        "kept": "55WWW",
        "total": 25,
        "hand": 3,
    }
    assert turn_after("classic", "roll =11234WWW keep:W roll =12455 keep:5 stop") == fresh


def test_only_house_rules_that_are_on_are_options() -> None:
    assert options_to_json(HouseRules()) == {}
    assert options_to_json(HouseRules(flip_always=True)) == {"flip_always": True}
    both = options_to_json(HouseRules(True, True))
    assert both == {"flip_always": True, "flip_returned": True}


def test_the_golden_die_in_hand_and_thrown() -> None:
    table = new_game("deluxe", 2).table
    assert isinstance(table, DeluxeTable)
    state: AnyState = State(
        replace(table, held=(Specialist.GOLDEN, None)), 0, Turn(8), new_game("deluxe", 2).phase
    )
    assert state_to_json(state)["legal"] == ["roll", "roll:golden"]
    turns = []
    for text in ("roll:golden", "=11234555+W", "keep:5", "roll", "=11234+1", "keep:1"):
        state = apply(state, parse(text)).state
        turns.append(state_to_json(state)["turn"])
    golden = [turn["golden"] for turn in turns if isinstance(turn, dict)]
    shown = [(turn["roll"], turn["golden_roll"]) for turn in turns if isinstance(turn, dict)]
    hands = [(turn["kept"], turn["hand"]) for turn in turns if isinstance(turn, dict)]
    assert golden == [True, True, True, True, True, False]
    assert shown == [
        (None, None),
        ("11234555", "W"),
        (None, None),
        (None, None),
        ("11234", "1"),
        (None, None),
    ]
    assert hands[-1] == ("111555", 3), "nine dice in all"


def test_the_golden_die_thrown_alone() -> None:
    table = new_game("deluxe", 2).table
    assert isinstance(table, DeluxeTable)
    held = replace(table, held=(Specialist.GOLDEN, None))
    turn = Turn(0, "22333455", 28, golden=True)
    data = state_to_json(State(held, 0, turn, Throw("", "W")))["turn"]
    assert isinstance(data, dict)
    assert (data["hand"], data["roll"], data["golden_roll"]) == (0, "", "W")


def test_facts_are_kept_only_for_the_very_same_table() -> None:
    table = after("classic", 2, "roll =11234WWW keep:W").table
    known = table_facts(table)
    assert table_facts(table, known) is known
    other = table_facts(replace(table), known)
    assert other is not known
    assert other == known


# --- all states of all games ----------------------------------------------------------------------


@given(games())
def test_a_state_has_exactly_the_keys_and_orders_of_the_contract(game: Played) -> None:
    for state in game.states[:: 1 + len(game.states) // 40]:
        data = state_to_json(state)
        assert [*data] == STATE_KEYS
        assert isinstance(data["turn"], dict)
        assert [*data["turn"]] == TURN_KEYS
        assert isinstance(data["table"], dict)
        assert [*data["table"]] == TABLE_KEYS[game.record.edition]
        assert data["legal"] == sorted(map(word, legal(state)))
        assert data["scores"] == [*scores(state)]
        assert data["to_move"] == state.seat
        assert json.loads(json.dumps(data)) == data, "plain data"


@given(games())
def test_a_state_says_what_it_awaits(game: Played) -> None:
    for state in game.states[:: 1 + len(game.states) // 40]:
        data = state_to_json(state)
        end = outcome(state)
        awaited = "nobody" if end else "dice" if throws(state).total else "player"
        assert data["awaits"] == awaited
        assert (data["legal"] != []) == (awaited == "player")
        assert data["over"] is (end is not None)
        assert data["winners"] == ([*end.winners] if end else [])


@given(games())
def test_a_turn_is_shown_as_it_is(game: Played) -> None:
    for state in game.states[:: 1 + len(game.states) // 40]:
        turn = state_to_json(state)["turn"]
        assert isinstance(turn, dict)
        kept, roll = turn["kept"], turn["roll"]
        assert isinstance(kept, str)
        assert kept == in_face_order(kept)
        points = EDITIONS[game.record.edition].dice.points_for
        assert turn["total"] == sum(map(points, kept))
        assert (roll is not None) == isinstance(state.phase, Throw)
        if isinstance(roll, str):
            assert len(roll) == turn["hand"]
            assert (turn["golden_roll"] is not None) == turn["golden"]


@pytest.mark.parametrize(
    ("edition", "question", "word"),
    [
        ("deluxe", RobQuestion, "rob"),
        ("deluxe", ReturnQuestion, "return"),
        ("junior", PinchQuestion, "pinch"),
    ],
)
def test_while_a_choice_is_awaited_no_throw_lies_on_the_table(
    edition: str, question: type[object], word: str
) -> None:
    seats = 4 if edition == "junior" else 3
    states = play(edition, seats, seed=0).states
    asked = [state for state in states if isinstance(state.phase, question)]
    assert asked
    for state in asked:
        data = state_to_json(state)
        assert data["awaits"] == "player"
        assert isinstance(data["legal"], list)
        assert {str(answer).partition(":")[0] for answer in data["legal"]} == {word}
        assert len(data["legal"]) >= 2
        turn = data["turn"]
        assert isinstance(turn, dict)
        assert (turn["roll"], turn["golden_roll"]) == (None, None)
        assert turn["kept"] != "", "the turn stays to be seen"
