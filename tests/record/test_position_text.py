"""Positions on one line: every state as text and back, and whatever is wrong said by name."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.record import (
    BadPosition,
    BadState,
    Draft,
    PlayerDraft,
    draft_of,
    read_draft,
    read_position,
    state_from_json,
    state_of,
    state_to_json,
    write_draft,
    write_position,
)
from heckmeck.record.draft import Flaw
from heckmeck.record.position_text import MAX_LENGTH
from heckmeck.rules import EDITIONS, AnyState, BadSetup, HouseRules, new_game
from heckmeck.rules.outcome import EndReason
from heckmeck.rules.state import Over, RobQuestion
from tests.property.positions import path, positions
from tests.record.games import play
from tests.record.refusals import REFUSED, done_or_refused, refusal
from tests.record.strategies import games

#: What a link can hold without escapes (RFC 3986, unreserved).
UNRESERVED = re.compile(r"[A-Za-z0-9._~-]+")


def flaws(text: str) -> list[str]:
    """Return what is wrong with a position, as sentences."""
    return [*map(str, refusal(BadPosition, lambda: read_position(text)).flaws)]


# --- read(write(state)) == state ------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@given(data=st.data())
def test_every_state_of_a_game_is_read_as_what_it_is(edition: str, data: st.DataObject) -> None:
    game = data.draw(games(edition))
    for state in game.states[:: 1 + len(game.states) // 12] + game.states[-1:]:
        text = write_position(state)
        assert read_position(text) == state
        assert UNRESERVED.fullmatch(text)
        assert len(text) < MAX_LENGTH / 2
        assert write_draft(read_draft(text)) == text
        assert state_of(draft_of(state)) == state


@pytest.mark.parametrize("edition", EDITIONS)
@given(data=st.data())
def test_any_table_that_the_pieces_allow_is_read_as_what_it_is(
    edition: str, data: st.DataObject
) -> None:
    start = data.draw(positions(edition))
    assert read_position(write_position(start)) == start
    choices = data.draw(st.lists(st.integers(0, 5000), min_size=4, max_size=4))
    for _, _, after in path(start, choices):
        assert read_position(write_position(after.state)) == after.state


@pytest.mark.parametrize("edition", EDITIONS)
@given(data=st.data())
def test_a_draft_goes_through_json(edition: str, data: st.DataObject) -> None:
    draft = draft_of(data.draw(positions(edition)))
    assert msgspec.json.decode(msgspec.json.encode(draft), type=Draft) == draft
    assert read_draft(write_draft(draft)) == draft


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("classic_36.21-35_-_-_0", "classic_21-36_-_-_0"),
        ("classic_21.22.23-36_-_-_0", "classic_21-36_-_-_0"),
        ("classic_21-34~36.35_-_-_0~-", "classic_21-34~35-36_-_-_0"),
        ("classic_21-36_-_-_0~W4~5W2111", "classic_21-36_-_-_0~4W~11125W"),
        ("classic~flip-returned~flip-always_21-36_-_-_0", None),
        ("junior_4.4.5.5.6.6.7.7.8.8.9.9_-_-_1", "junior_4-9.4-9_-_-_1"),
        ("barbecue_36s.23p0_1_0_0", "barbecue_23p0.36s_1_0_0"),
    ],
)
def test_order_does_not_matter_and_is_put_right(text: str, canonical: str | None) -> None:
    expected = canonical or "classic~flip-always~flip-returned_21-36_-_-_0"
    assert write_position(read_position(text)) == expected


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (new_game("classic", 2), "classic_21-36_-_-_0"),
        (new_game("classic", 3, 2, HouseRules(True)), "classic~flip-always_21-36_-_-_-_2"),
        (
            new_game("deluxe", 2),
            "deluxe_11c.13.21h.22.23r.24.25w.26.27g.28.29a.30-36_-_-_0",
        ),
        (new_game("barbecue", 3, 1), "barbecue_-_0_0_0_1"),
        (new_game("junior", 2), "junior_4-9.4-9_-_-_0"),
    ],
)
def test_the_start_of_a_game(state: AnyState, text: str) -> None:
    assert write_position(state) == text
    assert read_position(text) == state


def test_the_examples_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "record.md").read_text(encoding="utf-8")
    section = page.split("## Position (text on one line)")[1]
    examples = section.split("```text\n")[1].split("```")[0].split()
    assert {text.split("_")[0].split("~")[0] for text in examples} == {*EDITIONS}
    for text in examples:
        assert write_position(read_position(text)) == text


# --- what states in JSON do not tell apart --------------------------------------------------------

#: Seat 0 may have earned a Bratworm by either: two 1s are kept, and the raven's tile could be 23.
EITHER = "deluxe_11c.13.21h.22.24.25w.26.27g.28.29a.30-36_23_-~4_-~3_0~11344WW"


@pytest.mark.parametrize(
    ("coming", "for_raven"), [("rob", True), ("rob.raven", True), ("rob.ones", False)]
)
def test_why_a_bratworm_is_taken(coming: str, for_raven: bool) -> None:
    state = read_position(f"{EITHER}~{coming}")
    assert state.phase == RobQuestion((1, 2), for_raven)
    assert write_position(state) == f"{EITHER}~{'rob' if for_raven else 'rob.ones'}"


@pytest.mark.parametrize(
    ("kept", "coming", "reason", "written"),
    [
        ("WWWWW66", "over", EndReason.NO_SNAIL_LEFT, "over"),
        ("WWWWW66", "over.no-snail-left", EndReason.NO_SNAIL_LEFT, "over"),
        ("WWWWW66", "over.pool-empty", EndReason.POOL_EMPTY, "over.pool-empty"),
        ("1WW", "over.pool-empty", EndReason.POOL_EMPTY, "over"),
    ],
)
def test_why_a_barbecue_ended(kept: str, coming: str, reason: EndReason, written: str) -> None:
    state = read_position(f"barbecue_-_0~6_0~6_0~{kept}~{coming}")
    assert state.phase == Over(reason)
    assert write_position(state) == f"barbecue_-_0~6_0~6_0~{kept}~{written}"


def test_a_barbecue_that_a_result_ended_did_not_end_by_a_dead_roll() -> None:
    assert flaws("barbecue_-_0~6_0~6_0~WWWWWW66~over.pool-empty") == [
        "The game cannot be over here."
    ]


# --- what cannot be: one of each kind -------------------------------------------------------------

DELUXE = "11c.13.21h.22.23r.24.25w.26.27g.28.29a.30-36"


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        # the setup
        ("classic_21-36_-_0", "classic is for 2 to 7 players, not for 1."),
        ("junior_4-9.4-9_-_-_-_-_-_-_0", "junior is for 2 to 5 players, not for 6."),
        ("classic_21-36_-_-_2", "It is the turn of seat 2, but the seats are 0 to 1."),
        ("junior~flip-always_4-9.4-9_-_-_0", "junior has no house rules."),
        ("classic_21-36_-~h_-_0", "classic has no Specialists."),
        ("classic_21h.22-36_-_-_0", "classic has no Specialists."),
        ("junior_4-9.4-9_-~2_-_0", "junior has no Bratworms."),
        ("classic_21-36_-_-_0~44.g", "classic has no golden die."),
        ("barbecue_-_0_0_0~44.w", "barbecue has no weasel."),
        # tiles
        ("classic_21-37_-_-_0", "There is no tile 37 in this box."),
        ("classic_11.21-36_-_-_0", "There is no tile 11 in this box."),
        ("classic_21-36_24_-_0", "The 24 is both on the grill and in the stack of seat 0."),
        ("classic_21-36~36_-_-_0", "The 36 is both on the grill and face down on the grill."),
        ("deluxe_13.21-36_11_11_0", "The 11 is both in the stack of seat 0 and in the stack of "),
        ("classic_22-36_21.21_-_0", "There are 2 tiles 21, the box has 1."),
        ("junior_4-9.4-9_4_-_0", "There are 3 tiles 4, the box has 2."),
        ("classic_21-34_-_-_0", "Nobody has these tiles, and they are not on the grill: 35, 36."),
        ("junior_4-9.4-8_-_-_0", "Nobody has these tiles, and they are not on the grill: 9."),
        # Specialists and Bratworms
        (f"deluxe_{DELUXE}_-~h_-_0", "The hen is in two places."),
        (
            f"deluxe_{DELUXE.replace('23r', '23')}_-~r_-_0",
            "Seat 0 holds the raven, which goes to no player.",
        ),
        (f"deluxe_{DELUXE}_-~5_-~4_0", "There are 9 Bratworms, the box has 7."),
        # the board
        ("barbecue_22p0_1_0_0", "There is no spot 22 on the board."),
        ("barbecue_30p01_3_3_0", "On spot 30 there can be a snail, or one or two plates of one "),
        ("barbecue_30p000_9_0_0", "On spot 30 there can be a snail, or one or two plates of one "),
        ("barbecue_30sp0_9_0_0", "On spot 30 there can be a snail, or one or two plates of one "),
        ("barbecue_30p_9_0_0", "On spot 30 there can be a snail, or one or two plates of one "),
        ("barbecue_30p2_9_0_0", "On spot 30 there can be a snail, or one or two plates of one "),
        ("barbecue_30p1_0_2_0", "Seat 1 has 2 worms, but its plates on the board brought 3."),
        (
            "barbecue_23p00.24p00.25p00.26p00.27p00.28p0_20_0_0",
            "Seat 0 has 11 plates on the board, the box has 10 for each player.",
        ),
        ("barbecue_36s_0~6_0~6_0", "There are 13 snails, the box has 12."),
        # dice
        ("classic_21-36_-_-_0~6", "No die here shows '6'."),
        ("barbecue_-_0_0_0~5", "No die here shows '5'."),
        ("junior_4-9.4-9_-_-_0~1", "No die here shows '1'."),
        ("classic_21-36_-_-_0~-~1234566W", "No die here shows '6'."),
        ("classic_21-36_-_-_0~111222333", "9 dice are kept, but there are 8."),
        ("junior_4-9.4-9_-_-_0~WWWWWWW", "7 dice are kept, but there are 6."),
        ("classic_21-36_-_-_0~44W~1133", "4 dice are rolled, but 5 are in hand."),
        ("classic_21-36_-_-_0~44W~11335gW", "The golden die must be rolled exactly when it is "),
        ("classic_21-36_-_-_0~44W~44444", "All of these faces are kept, so this roll is dead "),
        ("junior_4-9.4-9_-_-_0~WWB~WWB", "All of these faces are kept, so this roll is dead "),
        (f"deluxe_{DELUXE}_-_-_0~44W.g", "The golden die is in this turn, but seat 0 does not "),
        (f"deluxe_{DELUXE}_-_-_1~44W.k", "The golden die is in this turn, but seat 1 does not "),
        (f"deluxe_{DELUXE}_-_-_0~44W.w", "The weasel was used in this turn, but seat 0 does not "),
        (
            f"deluxe_{DELUXE.replace('27g', '27')}_-~g_-_0~44.k",
            "The golden die is kept, but no kept die shows one of its faces.",
        ),
        (
            f"deluxe_{DELUXE.replace('27g', '27')}_-~g_-_0~44W.gw~dice",
            "The weasel was used in this turn, but seat 0 does not hold it.",
        ),
        (
            f"deluxe_{DELUXE.replace('27g', '27')}_-~g_-_0~-.g",
            "No die is kept, so neither golden die nor weasel can be in this turn.",
        ),
        (
            f"deluxe_{DELUXE.replace('27g', '27')}_-~g_-_0~44W.g~11335",
            "The golden die must be rolled exactly when it is in hand.",
        ),
        # what comes next
        ("classic_21-36_-_-_0~1112223W", "Nothing is left to roll, so the turn has ended."),
        ("junior_4-9.4-9_-_-_0~WBCGK", "Nothing is left to roll, so the turn has ended."),
        ("classic_-~21-36_-_-_0", "No tile is face up on the grill, so the game is over."),
        ("classic_-~21-36_-_-_0~-~1234555W", "No tile is face up on the grill, so the game is "),
        ("classic_21-36_-_-_0~-~over", "The game cannot be over here."),
        ("barbecue_-_0_0_0~-~over", "The game cannot be over here."),
        (f"deluxe_{DELUXE}_-_-_0~11~rob", "There is no choice whom to rob here."),
        (f"deluxe_{DELUXE}_-_-_0~11~return.hen", "There is no choice between these Specialists "),
        ("junior_4-9.4-9_-_-_0~WWWW~pinch", "There is no choice whom to pinch the tile from "),
        ("classic_21-36_-_-_0~-~lunch", "nothing is called 'lunch' in a position."),
    ],
)
def test_what_cannot_be_is_said(text: str, flaw: str) -> None:
    assert any(said.startswith(flaw) for said in flaws(text)), flaws(text)


def test_a_specialist_stands_on_a_tile_of_the_grill() -> None:
    draft = draft_of(new_game("deluxe", 2))
    moved = msgspec.structs.replace(draft, grill=draft.grill[:-1], face_down=draft.grill[-1:])
    state_of(moved)
    standing = {**draft.on_grill, 36: draft.on_grill[11]}
    del standing[11]
    wrong = msgspec.structs.replace(moved, on_grill=standing)
    assert refusal(BadPosition, lambda: state_of(wrong)).flaws == (
        Flaw("cannot_stand", who=draft.on_grill[11], tiles=(36,)),
    )


def test_all_flaws_of_the_pieces_are_found_at_once() -> None:
    assert flaws("deluxe_11-13.21-30.36_24~h9_25~h_0~7".replace("~7", "~6")) == [
        "There is no tile 12 in this box.",
        "The 24 is both on the grill and in the stack of seat 0.",
        "The 25 is both on the grill and in the stack of seat 1.",
        "Nobody has these tiles, and they are not on the grill: 31, 32, 33, 34, 35.",
        "The hen is in two places.",
        "There are 9 Bratworms, the box has 7.",
        "No die here shows '6'.",
    ]


def test_a_draft_may_be_of_no_edition() -> None:
    refusal(BadSetup, lambda: state_of(Draft("chess", (PlayerDraft(), PlayerDraft()))))


def test_a_roll_of_a_draft_is_a_roll() -> None:
    draft = Draft("classic", (PlayerDraft(), PlayerDraft()), grill=tuple(range(21, 37)), next="=")
    assert refusal(BadPosition, lambda: state_of(draft)).flaws == (Flaw("no_such_face", text="="),)


# --- text that is not a position ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Character 1: '' is not an edition: classic, deluxe, barbecue, junior."),
        ("chess_21-36_-_-_0", "Character 1: 'chess' is not an edition: "),
        ("classic", "Character 8: a position has an edition, the middle of the table, "),
        ("classic_21-36_0", "Character 16: a position has an edition, "),
        ("classic 21-36 - - 0", "Character 8: ' ' is not used in a position."),
        ("classic_21é36_-_-_0", "Character 11: 'é' is not used in a position."),
        ("classic_21-36_-_-_0\n", "Character 20: '\\n' is not used in a position."),
        ("classic_21-36_-_-_\ud800", "Character 19: '\\ud800' is not used in a position."),
        ("classic~nice_21-36_-_-_0", "Character 9: 'nice' is not a house rule: flip-always, "),
        ("classic_21-x_-_-_0", "Character 9: '21-x' is not a tile (21), a range (21-24), "),
        ("classic_21.22..24_-_-_0", "Character 15: '' is not a tile (21), "),
        ("classic__-_-_0", "Character 9: '' is not a tile (21), "),
        ("classic_021_-_-_0", "Character 9: '021' is not a tile (21), "),
        ("classic_21-36~36~35_-_-_0", "Character 18: the tiles face down come once."),
        ("deluxe_11-13~36h_-_-_0", "Character 14: nobody stands on a tile that is face down."),
        ("deluxe_21-36_2x_-_0", "Character 14: '2x' is not a tile of a stack."),
        ("deluxe_21-36_-~h~2_-_0", "Character 18: a player's belongings come once."),
        ("deluxe_21-36_-~2h_-_0", "Character 16: '2h' is not a Specialist (h), Bratworms (2), "),
        ("barbecue_30x_0_0_0", "Character 10: '30x' is not a spot with a snail (36s) or with "),
        ("barbecue_30s.30s_0_0_0", "Character 14: spot 30 was there before."),
        ("barbecue_-_-_0_0", "Character 12: '-' is not worms (7), or worms and snails (7~2)."),
        ("barbecue_-_0~0_0_0", "Character 12: '0~0' is not worms (7), "),
        ("classic_21-36_-_-_x", "Character 19: 'x' is not the seat whose turn it is."),
        ("classic_21-36_-_-_0~4x", "Character 21: '4x' is not kept dice (44W), "),
        ("classic_21-36_-_-_0~4~=", "Character 23: '=' is not used in a position."),
        ("classic_21-36_-_-_0~4~rob.", "Character 23: 'rob.' is not a roll (1133, or "),
        ("classic_21-36_-_-_0~4~dice~x", "Character 28: a turn has a seat, kept dice and what "),
        ("classic_" + "1" * 500, f"Character {MAX_LENGTH + 1}: a position has at most "),
    ],
)
def test_text_that_is_not_a_position(text: str, message: str) -> None:
    assert flaws(text)[0].startswith(message)


LETTERS = "_~.-0123456789acghrwgkspWBCGKdiceroboverpinchreturn=+ \ud800é"


@given(data=st.data())
def test_damaged_text_is_refused_or_read(data: st.DataObject) -> None:
    game = data.draw(games())
    text = write_position(data.draw(st.sampled_from(game.states)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        text = text[:at] + data.draw(st.text(LETTERS, max_size=3)) + text[at + length :]
    state = done_or_refused(BadPosition, lambda: read_position(text))
    if state is not REFUSED:
        assert read_position(write_position(state)) == state


def test_the_flaws_of_json_and_text_are_the_same() -> None:
    """A state in JSON is checked by the same code."""
    data: Any = state_to_json(play("deluxe", 3, seed=0).states[40])
    data["table"]["stacks"][0].append(36)
    error = refusal(BadState, lambda: state_from_json(data))
    assert "The 36 is both on the grill and in the stack of seat 0." in str(error)


def test_a_finished_game_has_nobody_to_help() -> None:
    """The golden die was in the last turn, and went back with its holder's tile."""
    state = read_position(EITHER.rsplit("_", 1)[0] + "_0")
    over = replace(state, phase=Over(EndReason.GRILL_EMPTY))
    assert draft_of(over).next == "over"
