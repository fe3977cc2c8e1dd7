"""States from JSON: each state is read as what it is, and everything else is refused."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import BadState, JsonObject, JsonValue, state_from_json, state_to_json
from heckmeck.rules import EDITIONS, AnyState, Specialist, apply, legal, new_game, throws
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.outcome import EndReason
from heckmeck.rules.state import Over, ReturnQuestion, RobQuestion
from tests.record.games import Played, play
from tests.record.refusals import REFUSED, done_or_refused, refusal
from tests.record.strategies import (
    WRONG_VALUES,
    JsonPath,
    changed,
    damaged,
    games,
    paths,
    value_at,
    without,
)

START = {edition: state_to_json(new_game(edition, 3)) for edition in EDITIONS}


def canonical(data: JsonValue) -> str:
    """JSON text that tells apart what == does not: true and 1, 1 and 1.0."""
    return json.dumps(data, sort_keys=True)


def why_not(data: JsonValue) -> str:
    return str(refusal(BadState, lambda: state_from_json(data)))


def with_changes(data: JsonValue, changes: dict[str, JsonValue]) -> JsonValue:
    """Return ``data`` with changes: ``turn.hand`` is the key ``hand`` of the key ``turn``."""
    for path, value in changes.items():
        data = changed(data, tuple(path.split(".")), value)
    return data


# --- parse(print(state)) == state -----------------------------------------------------------------


def is_ambiguous(state: AnyState) -> bool:
    """Whether this is one of the two things that JSON does not tell apart."""
    table, turn = state.table, state.turn
    if isinstance(table, DeluxeTable):
        no_raven = Specialist.RAVEN not in dict(table.on_grill).values()
        return isinstance(state.phase, RobQuestion) and no_raven and turn.kept.count("1") >= 2
    if isinstance(table, BarbecueTable):
        no_snail = not table.pool and not any(spot.snail for spot in table.spots)
        above = turn.total > 36 and "W" in turn.kept
        return isinstance(state.phase, Over) and no_snail and above
    return False


@pytest.mark.parametrize("edition", EDITIONS)
@given(data=st.data())
def test_a_state_is_read_as_what_it_is(edition: str, data: st.DataObject) -> None:
    game = data.draw(games(edition))
    for state in game.states[:: 1 + len(game.states) // 60] + game.states[-1:]:
        read = state_from_json(state_to_json(state))
        if is_ambiguous(state):
            read = replace(read, phase=state.phase)
        assert read == state


def test_every_question_is_read_as_what_it_is() -> None:
    asked = [
        state
        for game in (
            play("deluxe", 3, seed=0),
            play("deluxe", 4, seed=3),
            play("junior", 4, seed=0),
        )
        for state in game.states
        if state_to_json(state)["awaits"] == "player" and len(legal(state)) > 1
    ]
    kinds = {type(state.phase).__name__ for state in asked}
    assert kinds >= {"RobQuestion", "ReturnQuestion", "PinchQuestion", "Throw", "Deciding"}
    reasons = {state.phase.for_raven for state in asked if isinstance(state.phase, RobQuestion)}
    assert reasons == {True, False}
    for state in asked:
        assert is_ambiguous(state) or state_from_json(state_to_json(state)) == state


def test_a_state_goes_through_text_and_keys_may_be_in_any_order() -> None:
    for state in play("deluxe", 3, seed=0).states[::20]:
        data = state_to_json(state)
        backwards = json.loads(json.dumps(dict(reversed(data.items()))))
        assert state_from_json(backwards) == state_from_json(data)


# --- the two things that JSON does not tell apart -------------------------------------------------


def rob_state(**changes: JsonValue) -> JsonValue:
    """Seat 0 of three is asked whom to rob; the raven is away."""
    data = with_changes(
        START["deluxe"],
        {
            "table.bratworms": [0, 4, 3],
            "table.supply": 0,
            "scores": [0, 4, 3],
            "legal": ["rob:1", "rob:2"],
            "turn.kept": "114WW",
            "turn.total": 16,
            "turn.hand": 3,
        },
    )
    data = without(data, ("table", "on_grill", "23"))
    return with_changes(data, {key.replace("__", "."): value for key, value in changes.items()})


def took(tile: int, **changes: JsonValue) -> JsonValue:
    """The same with a tile on the stack of seat 0."""
    grill = [other for other in (11, 13, *range(21, 37)) if other != tile]
    on_grill = {
        str(at): name
        for at, name in ((11, "canned"), (21, "hen"), (25, "weasel"), (27, "golden"), (29, "apple"))
        if at != tile
    }
    worms = 1 if tile < 25 else 2
    defaults: dict[str, JsonValue] = {
        "table__grill": [*grill],
        "table__stacks": [[tile], [], []],
        "table__on_grill": {**on_grill},
        "scores": [worms, 4, 3],
    }
    return rob_state(**{**defaults, **changes})


@pytest.mark.parametrize(
    ("data", "for_raven"),
    [
        # two 1s kept, no tile taken
        (rob_state(), False),
        # two 1s kept, the own top tile is not what 16 takes
        (took(22), False),
        (took(23, turn__kept="1144455W", turn__total=29, turn__hand=0), False),
        # two 1s kept, the own top tile is what 23 takes: either is possible, read as the raven's
        (took(23, turn__kept="11344WW", turn__total=23, turn__hand=1), True),
        # fewer than two 1s kept: only the raven gives a Bratworm
        (took(23, turn__kept="1444WW", turn__total=23, turn__hand=2), True),
        (took(22, turn__kept="444WW", turn__total=22, turn__hand=3), True),
    ],
)
def test_whose_bratworm_it_is(data: JsonValue, for_raven: bool) -> None:
    assert state_from_json(data).phase == RobQuestion((1, 2), for_raven)


@pytest.mark.parametrize(
    "data",
    [
        rob_state(turn__kept="444WW", turn__total=22),
        took(23, turn__kept="444WW", turn__total=22),
        took(23, turn__kept="2444", turn__total=14, turn__hand=4),
    ],
)
def test_without_two_1s_and_without_the_ravens_tile_there_is_no_bratworm(data: JsonValue) -> None:
    assert why_not(data)


def test_a_raven_on_the_grill_gives_no_bratworm() -> None:
    data = took(22, turn__kept="11344WW", turn__total=23, turn__hand=1)
    data = changed(data, ("table", "on_grill", "23"), "raven")
    assert state_from_json(data).phase == RobQuestion((1, 2), for_raven=False)


def barbecue_that_ended(**changes: JsonValue) -> JsonValue:
    """All snails are with the players, so a failed attempt ends the game."""
    data = with_changes(
        START["barbecue"],
        {
            "table.pool": 0,
            "table.snails": [6, 3, 3],
            "scores": [18, 9, 9],
            "awaits": "nobody",
            "legal": [],
            "over": True,
            "winners": [0],
        },
    )
    return with_changes(data, {key.replace("__", "."): value for key, value in changes.items()})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, EndReason.POOL_EMPTY),
        ({"turn__kept": "WWWWWW66", "turn__total": 42, "turn__hand": 0}, EndReason.NO_SNAIL_LEFT),
        ({"turn__kept": "6666666", "turn__total": 42, "turn__hand": 1}, EndReason.POOL_EMPTY),
        (
            {
                "turn__kept": "WWWWWW66",
                "turn__total": 42,
                "turn__hand": 0,
                "table__spots": {"30": ["snail"]},
                "table__snails": [5, 3, 3],
                "scores": [15, 9, 9],
            },
            EndReason.POOL_EMPTY,
        ),
    ],
)
def test_why_a_barbecue_ended(changes: dict[str, JsonValue], reason: EndReason) -> None:
    assert state_from_json(barbecue_that_ended(**changes)).phase == Over(reason)


def test_a_barbecue_ends_when_the_grill_is_full() -> None:
    game = play("barbecue", 2, seed=17)
    assert game.states[-1].phase == Over(EndReason.GRILL_FULL)
    assert state_from_json(state_to_json(game.states[-1])) == game.states[-1]


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [None, True, 1, "state", [START["classic"]]])
def test_a_state_is_an_object(data: JsonValue) -> None:
    assert why_not(data).startswith("Expected `object`, got ")


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_key_may_be_missing(edition: str) -> None:
    for path in paths(START[edition]):
        if "on_grill" not in path[:-1]:  # a Specialist may be out of the game
            assert why_not(without(START[edition], path))


@pytest.mark.parametrize("key", ["edition", "options", "seats", "to_move", "turn", "table"])
def test_a_missing_key_is_named(key: str) -> None:
    message = f"missing key `{key}`"
    assert why_not(without(START["classic"], (key,))) == message


@pytest.mark.parametrize(
    ("edition", "changes", "message"),
    [
        # the frame
        (
            "classic",
            {"edition": "chess"},
            "There is no edition 'chess'. The editions are classic, deluxe, barbecue, junior.",
        ),
        ("classic", {"edition": 1}, "Expected `str`, got `int` - at `state.edition`"),
        ("classic", {"seats": 1}, "classic is for 2 to 7 players, not for 1."),
        ("classic", {"seats": True}, "Expected `int`, got `bool` - at `state.seats`"),
        ("classic", {"seats": 2}, "table.stacks must have 2 entries, one per seat"),
        ("classic", {"options": []}, "Expected `object`, got `array` - at `state.options`"),
        ("junior", {"options": {"flip_always": True}}, "junior has no house rules."),
        ("classic", {"options": {"flip_always": False}}, "options must be {}"),
        ("classic", {"to_move": 3}, "to_move must be a seat from 0 to 2"),
        ("classic", {"to_move": -1}, "to_move must be a seat from 0 to 2"),
        (
            "classic",
            {"awaits": "Godot"},
            "Invalid enum value 'Godot' - at `state.awaits`",
        ),
        ("classic", {"awaits": "dice"}, "legal must be []"),
        ("classic", {"legal": []}, 'legal must be ["roll"]'),
        ("classic", {"legal": ["roll", "stop"]}, 'legal must be ["roll"]'),
        ("classic", {"legal": [1, None]}, "Expected `str`, got `int` - at `state.legal[0]`"),
        ("classic", {"scores": [0, 0, 1]}, "scores must be [0, 0, 0]"),
        ("classic", {"scores": [0, 0, False]}, "Expected `int`, got `bool` - at "),
        ("classic", {"scores": [0, 0, 0.0]}, "Expected `int`, got `float` - at "),
        ("classic", {"over": True}, "over must be false"),
        ("classic", {"over": 0}, "Expected `bool`, got `int` - at `state.over`"),
        ("classic", {"winners": [0]}, "winners must be []"),
        ("classic", {"date": 1}, "a state has no key 'date'"),
        ("classic", {"x" * 99: 1}, f"a state has no key '{'x' * 39}"),
        ("classic", {"table.supply": 7}, "unknown key `supply`"),
        ("classic", {"turn.dice": 8}, "turn must be {"),
        # the turn
        ("classic", {"turn": None}, "Expected `object`, got `null` - at `state.turn`"),
        ("classic", {"turn.hand": 7}, "turn.hand and turn.kept must add up to 8 dice"),
        ("classic", {"turn.hand": 10}, "turn.hand and turn.kept must add up to 8 dice"),
        (
            "classic",
            {"turn.hand": -1, "turn.kept": "111111111"},
            "turn.hand and turn.kept must add up to 8 dice",
        ),
        (
            "deluxe",
            {"turn.hand": 8, "turn.kept": "1", "turn.golden": True},
            "turn.hand and turn.kept must add up to 8 dice",
        ),
        ("junior", {"turn.hand": 8}, "turn.hand and turn.kept must add up to 6 dice"),
        (
            "classic",
            {"turn.hand": 6, "turn.kept": "W5"},
            'legal must be ["roll", "stop"]',
        ),
        (
            "classic",
            {"turn.hand": 7, "turn.kept": "6"},
            "No die here shows '6'.",
        ),
        ("classic", {"turn.total": 1}, 'turn must be {"kept": "", "total": 0, '),
        ("classic", {"turn.hand": 0, "turn.kept": "1" * 8}, "no game can come to this turn"),
        (
            "classic",
            {"awaits": "dice", "turn.hand": 0, "turn.kept": "1" * 8},
            "no game can come to this turn at this table",
        ),
        (
            "junior",
            {"turn.hand": 1, "turn.kept": "WBCGK"},
            "no game can come to this turn at this table",
        ),
        (
            "classic",
            {"turn.roll": "1111111"},
            "turn.roll and turn.golden_roll must be a roll of the dice in hand",
        ),
        (
            "classic",
            {"turn.roll": "1111111W", "turn.golden_roll": "W"},
            "turn.roll and turn.golden_roll must be a roll of the dice in hand",
        ),
        (
            "classic",
            {"turn.roll": "W1111111"},
            "turn.roll and turn.golden_roll must be a roll of the dice in hand",
        ),
        (
            "classic",
            {"turn.kept": "11", "turn.hand": 6, "turn.roll": "111111"},
            "turn.roll is a dead roll, so the turn must have ended",
        ),
        ("classic", {"awaits": "dice", "turn.roll": "1" * 8, "legal": []}, "turn must be {"),
        # the grill
        (
            "classic",
            {"table.grill": [*range(21, 36)]},
            "Nobody has these tiles, and they are not on the grill: 36.",
        ),
        (
            "classic",
            {"table.stacks": [[21], [], []]},
            "The 21 is both on the grill and in the stack of seat 0.",
        ),
        (
            "classic",
            {"table.grill": [22, 21, *range(23, 37)]},
            'table must be {"grill": [21, 22, ',
        ),
        (
            "classic",
            {"table.grill": [*range(21, 35)], "table.face_down": [36, 35]},
            'table must be {"grill": [21, 22, ',
        ),
        ("classic", {"table.stacks": [[], []]}, "table.stacks must have 3 entries, one per seat"),
        (
            "classic",
            {"table.grill": [], "table.face_down": [*range(21, 37)]},
            "awaits must be nobody, with this turn at this table",
        ),
        (
            "junior",
            {"awaits": "nobody"},
            "awaits must be player or dice, with this turn at this table",
        ),
        # Specialists and Bratworms
        ("deluxe", {"table.on_grill.23": "fox"}, "Invalid enum value 'fox' - at "),
        ("deluxe", {"table.on_grill.23": "f" * 999}, f"Invalid enum value '{'f' * 39}"),
        ("deluxe", {"table.on_grill.37": "hen"}, "The hen stands on the 37, which is not "),
        (
            "deluxe",
            {"table.held": [None, "owl", None]},
            "Invalid enum value 'owl' - at `state.table.held[1]`",
        ),
        ("deluxe", {"table.held": [None, None]}, "table.held must have 3 entries, one per seat"),
        (
            "deluxe",
            {"table.held": ["hen", None, None]},
            "The hen is in two places.",
        ),
        (
            "deluxe",
            {"table.held": ["raven", None, None], "table.on_grill": {}},
            "Seat 0 holds the raven, which goes to no player.",
        ),
        (
            "deluxe",
            {"table.bratworms": [0, 0]},
            "table.bratworms must have 3 entries, one per seat",
        ),
        ("deluxe", {"table.supply": 6}, "table must be {"),
        (
            "deluxe",
            {"table.supply": 8, "table.bratworms": [-1, 0, 0]},
            "seat 0 must not have fewer than 0 worms, snails or Bratworms",
        ),
        # the board
        (
            "barbecue",
            {"table.spots": {"30": []}},
            "On spot 30 there can be a snail, or one or two plates of one player.",
        ),
        (
            "barbecue",
            {"table.spots": {"30": [0, 1]}},
            "On spot 30 there can be a snail, or one or two plates of one player.",
        ),
        (
            "barbecue",
            {"table.spots": {"30": [0, 0, 0]}},
            "On spot 30 there can be a snail, or one or two plates of one player.",
        ),
        (
            "barbecue",
            {"table.spots": {"30": [3]}},
            "On spot 30 there can be a snail, or one or two plates of one player.",
        ),
        ("barbecue", {"table.spots": {"30": ["slug"]}}, "On spot 30 there can be "),
        ("barbecue", {"table.spots": {"22": [0]}}, "There is no spot 22 on the board."),
        ("barbecue", {"table.snails": [0]}, "table.snails must have 3 entries, one per seat"),
        ("barbecue", {"table.worms": [0]}, "table.worms must have 3 entries, one per seat"),
        ("barbecue", {"table.plates": [10]}, "table.plates must have 3 entries, one per seat"),
        ("barbecue", {"table.pool": 11}, "table must be {"),
        (
            "barbecue",
            {"table.spots": {"36": ["snail"]}},
            "table must be {",
        ),
        (
            "barbecue",
            {"table.plates": [10, 9, 10]},
            "table must be {",
        ),
        (
            "barbecue",
            {"table.spots": {"30": [2]}},
            "Seat 2 has 0 worms, but its plates on the board brought 3.",
        ),
    ],
)
def test_what_is_wrong_is_said(edition: str, changes: dict[str, JsonValue], message: str) -> None:
    assert why_not(with_changes(START[edition], changes)).startswith(message)


def test_negative_worms_are_refused() -> None:
    data = with_changes(START["barbecue"], {"table.worms": [0, -1, 0], "scores": [0, -1, 0]})
    assert why_not(data).startswith("seat 1 must not have ")


# --- what no game can come to ---------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["classic", "barbecue", "junior"])
def test_only_the_deluxe_box_has_a_golden_die_and_a_weasel(edition: str) -> None:
    start = START[edition]
    dice = EDITIONS[edition].dice
    thrown: dict[str, JsonValue] = {"awaits": "dice", "legal": []}
    ninth: dict[str, JsonValue] = {"turn.kept": "WW", "turn.hand": dice.count - 1}
    ninth["turn.total"] = 2 * dice.points_for("W")
    for changes in (
        {**thrown, "turn.golden": True},
        {**thrown, "turn.weasel_used": True},
        {**thrown, **ninth},
    ):
        assert why_not(with_changes(start, changes))


@pytest.mark.parametrize(
    ("held", "changes"),
    [
        (None, {"turn.golden": True}),
        ("weasel", {"turn.golden": True}),
        (None, {"turn.weasel_used": True}),
        ("golden", {"turn.weasel_used": True}),
        ("golden", {"turn.golden": True, "turn.weasel_used": True}),
        (None, {"turn.kept": "11", "turn.total": 2, "turn.hand": 7}),
        ("golden", {"turn.kept": "22", "turn.total": 4, "turn.hand": 7}),
    ],
)
def test_the_golden_die_and_the_weasel_help_who_holds_them(
    held: str | None, changes: dict[str, JsonValue]
) -> None:
    data = with_changes(
        START["deluxe"],
        {"awaits": "dice", "legal": [], "table.held": [held, None, None], **changes},
    )
    for tile, name in (("25", "weasel"), ("27", "golden")):
        if held == name:
            data = without(data, ("table", "on_grill", tile))
    assert why_not(data)


@pytest.mark.parametrize(
    "changes",
    [
        {"legal": ["rob:7", "rob:8"]},
        {"legal": ["rob:0", "rob:1"]},
        {"legal": ["rob:1"]},
        {"legal": ["rob:2", "rob:1"]},
        {"legal": ["rob:1", "rob:x"]},
        {"legal": ["rob:" + "9" * 5000]},
        {"legal": ["rob"]},
        {"table__bratworms": [0, 7, 0], "scores": [0, 7, 0]},
        {"table__bratworms": [0, 3, 3], "table__supply": 1, "scores": [0, 3, 3]},
        {"table__bratworms": [7, 0, 0], "scores": [7, 0, 0]},
        {"turn__kept": "14WW", "turn__total": 15, "turn__hand": 4},
        {"table__grill": [], "table__face_down": [11, 13, *range(21, 37)], "table__on_grill": {}},
    ],
)
def test_a_rob_that_nobody_can_be_asked_is_refused(changes: dict[str, JsonValue]) -> None:
    assert state_from_json(rob_state()).phase == RobQuestion((1, 2), for_raven=False)
    assert why_not(rob_state(**changes))


def return_state(**changes: JsonValue) -> JsonValue:
    """Seat 0 holds the hen, has taken 29, and received the apple."""
    data = with_changes(
        START["deluxe"],
        {
            "table.held": ["hen", None, None],
            "table.on_grill": {"11": "canned", "23": "raven", "25": "weasel", "27": "golden"},
            "table.grill": [11, 13, *range(21, 29), *range(30, 37)],
            "table.stacks": [[29], [], []],
            "scores": [3, 0, 0],
            "legal": ["return:apple", "return:hen"],
            "turn.kept": "4455WW",
            "turn.total": 28,
            "turn.hand": 2,
        },
    )
    return with_changes(data, {key.replace("__", "."): value for key, value in changes.items()})


def test_a_return_is_read() -> None:
    question = ReturnQuestion(Specialist.HEN, Specialist.APPLE)
    assert state_from_json(return_state()).phase == question


@pytest.mark.parametrize(
    "changes",
    [
        {"legal": ["return:hen"]},
        {"legal": ["return:apple", "return:canned"]},
        {"table__held": [None, None, None]},
        {"table__held": [None, None, None], "legal": ["return:apple"]},
        {"legal": ["return:hen", "return:owl"]},
        {"legal": ["return:hen", "return:apple"]},
        {"legal": ["return", "return:hen"]},
    ],
)
def test_a_bad_return_is_refused(changes: dict[str, JsonValue]) -> None:
    assert why_not(return_state(**changes)).startswith("legal must be [")


@pytest.mark.parametrize("received", ["canned", "raven", "weasel", "golden"])
def test_a_specialist_that_is_elsewhere_was_not_received(received: str) -> None:
    assert why_not(return_state(legal=["return:hen", f"return:{received}"]))


def test_a_specialist_that_another_player_holds_was_not_received() -> None:
    assert why_not(return_state(table__held=["hen", "apple", None]))


def test_the_raven_is_never_received() -> None:
    on_grill: JsonObject = {"11": "canned", "25": "weasel", "27": "golden"}
    assert why_not(return_state(legal=["return:hen", "return:raven"], table__on_grill=on_grill))


def pinch_state(**changes: JsonValue) -> JsonValue:
    """Seat 0 of three has a result of 7, and both others have a 7 on top."""
    data = with_changes(
        START["junior"],
        {
            "table.grill": [4, 4, 5, 5, 6, 6, 8, 8, 9, 9],
            "table.stacks": [[], [7], [7]],
            "scores": [0, 2, 2],
            "legal": ["pinch:1", "pinch:2"],
            "turn.kept": "WWBBK",
            "turn.total": 7,
            "turn.hand": 1,
        },
    )
    return with_changes(data, {key.replace("__", "."): value for key, value in changes.items()})


def test_a_pinch_is_read_and_can_be_answered() -> None:
    state = state_from_json(pinch_state())
    for move, stacks in zip(legal(state), (((7,), (), (7,)), ((7,), (7,), ())), strict=True):
        after = apply(state, move).state
        assert not isinstance(after.table, BarbecueTable)
        assert after.table.stacks == stacks


@pytest.mark.parametrize(
    "changes",
    [
        {"legal": ["pinch:1", "pinch:7"]},
        {"legal": ["pinch:0", "pinch:1"]},
        {"legal": ["pinch:1"]},
        {"legal": ["pinch:1", "pinch:" + "9" * 5000]},
        {"legal": ["pinch:1", "pinch:x"]},
        {"turn__kept": "WWWWBB", "turn__total": 8, "turn__hand": 0},
        {"turn__kept": "BBCGK", "turn__total": 7, "turn__hand": 1},
        {"table__grill": [], "table__face_down": [4, 4, 5, 5, 6, 6, 8, 8, 9, 9]},
        {
            "table__grill": [4, 4, 5, 5, 6, 6, 7, 8, 8, 9, 9],
            "table__stacks": [[], [7], []],
            "scores": [0, 2, 0],
        },
    ],
)
def test_a_pinch_that_nobody_can_be_asked_is_refused(changes: dict[str, JsonValue]) -> None:
    assert why_not(pinch_state(**changes))


@pytest.mark.parametrize("word", ["return:hen", "rob:1", "pinch:1"])
def test_questions_of_another_edition_are_refused(word: str) -> None:
    for edition in ("classic", "barbecue", "deluxe" if word == "pinch:1" else "junior"):
        assert why_not({**START[edition], "legal": [word]}) == 'legal must be ["roll"]'


def test_a_throw_with_nothing_left_to_win_is_refused() -> None:
    data = with_changes(
        START["classic"],
        {
            "table.grill": [],
            "table.face_down": [*range(21, 37)],
            "turn.roll": "11111111",
            "legal": ["keep:1"],
        },
    )
    assert why_not(data) == "awaits must be nobody, with this turn at this table"


def test_a_plate_on_the_grill_has_brought_its_worms() -> None:
    changes: dict[str, JsonValue] = {"table.spots": {"30": [1, 1]}, "table.plates": [10, 8, 10]}
    worms: dict[str, JsonValue] = {"table.worms": [0, 6, 0], "scores": [0, 6, 0]}
    data = with_changes(START["barbecue"], {**changes, **worms})
    assert state_to_json(state_from_json(data)) == data
    fewer: dict[str, JsonValue] = {"table.worms": [0, 5, 0], "scores": [0, 5, 0]}
    assert why_not(with_changes(START["barbecue"], {**changes, **fewer})).startswith("Seat 1 has 5")


def test_a_barbecue_is_not_over_while_a_snail_has_room() -> None:
    over: dict[str, JsonValue] = {
        "awaits": "nobody",
        "legal": [],
        "over": True,
        "winners": [0, 1, 2],
    }
    assert why_not(with_changes(START["barbecue"], over))


# --- damage ---------------------------------------------------------------------------------------


def check_damaged(data: JsonValue) -> None:
    """Whatever is accepted is shown as it was given, and the game can go on from there."""
    state = done_or_refused(BadState, lambda: state_from_json(data))
    if state is REFUSED:
        return
    assert canonical(state_to_json(state)) == canonical(data)
    for move in (*legal(state), *throws(state).throws[:3]):
        after = state_to_json(apply(state, move).state)
        assert canonical(state_to_json(state_from_json(after))) == canonical(after)


def one_state_of_each_kind() -> dict[str, AnyState]:
    kinds: dict[str, AnyState] = {}
    for edition, seats, seed in (
        ("classic", 2, 1),
        ("deluxe", 3, 0),
        ("barbecue", 2, 17),
        ("junior", 4, 0),
    ):
        for state in play(edition, seats, seed).states[30:]:
            awaits = state_to_json(state)["awaits"]
            kinds.setdefault(f"{edition}, {type(state.phase).__name__}, {awaits}", state)
    return kinds


KINDS = one_state_of_each_kind()


def test_there_is_a_state_of_each_kind() -> None:
    assert len(KINDS) == 4 * 4 + len(("rob", "return", "pinch"))


@pytest.mark.parametrize("kind", KINDS)
def test_each_value_replaced_by_each_other_kind_of_value(kind: str) -> None:
    data = state_to_json(KINDS[kind])
    ways: list[JsonPath] = [*paths(data)]
    for path in ways:
        for wrong in WRONG_VALUES:
            check_damaged(changed(data, path, wrong))
        check_damaged(without(data, path))


@pytest.mark.parametrize("kind", KINDS)
def test_each_number_replaced_by_each_other_number(kind: str) -> None:
    data = state_to_json(KINDS[kind])
    numbers = [path for path in paths(data) if type(value_at(data, path)) is int]
    for path in numbers:
        for number in range(-1, 12):
            check_damaged(changed(data, path, number))


@given(games(), st.data())
def test_damaged_states_are_refused_or_are_states(game: Played, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(game.states))
    check_damaged(data.draw(damaged(state_to_json(state))))


@given(
    st.recursive(
        st.sampled_from(WRONG_VALUES),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from([*START["deluxe"], "kept", "hand", "grill", "stacks", "spots"]),
                inner,
            )
        ),
    )
)
def test_any_data_is_refused(data: JsonValue) -> None:
    assert why_not(data)
