"""Moves and their words."""

import pytest

from heckmeck.rules.components import Specialist
from heckmeck.rules.moves import (
    BUST,
    KEEP,
    REROLL,
    ROLL,
    ROLL_GOLDEN,
    STOP,
    Bust,
    Keep,
    MalformedMove,
    Move,
    Pinch,
    Reroll,
    Return,
    Rob,
    Roll,
    RuleError,
    Stop,
    Throw,
    parse,
    shown,
    word,
)

WORDS: list[tuple[str, Move]] = [
    ("roll", Roll()),
    ("roll:golden", Roll(golden=True)),
    ("=11234WWW", Throw("11234WWW")),
    ("=1134W+W", Throw("1134W", "W")),
    ("=+1", Throw("", "1")),
    ("=WBCGK", Throw("WBCGK")),
    ("=34W6", Throw("34W6")),
    *[(f"keep:{face}", Keep(face)) for face in "12345W6BCGK"],
    ("stop", Stop()),
    ("reroll", Reroll()),
    ("bust", Bust()),
    ("rob:0", Rob(0)),
    ("rob:6", Rob(6)),
    *[(f"return:{who}", Return(Specialist(who))) for who in ("apple", "hen", "weasel")],
    ("pinch:4", Pinch(4)),
]


@pytest.mark.parametrize(("text", "move"), WORDS, ids=[text for text, _ in WORDS])
def test_every_move_has_one_word(text: str, move: Move) -> None:
    assert parse(text) == move
    assert word(move) == text


def test_moves_without_a_choice_are_shared() -> None:
    assert parse("roll") is ROLL
    assert parse("roll:golden") is ROLL_GOLDEN
    assert parse("stop") is STOP
    assert parse("reroll") is REROLL
    assert parse("bust") is BUST
    assert parse("keep:4") is KEEP["4"]


def test_only_rolls_that_can_happen_are_remembered() -> None:
    assert parse("=1124W") is parse("=1124W")
    long = "=" + "1" * 100
    assert parse(long) == parse(long)
    assert parse(long) is not parse(long)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("=W4211", Throw("1124W")),
        ("=6W4", Throw("4W6")),
        ("=KW", Throw("WK")),
        ("=W1+1", Throw("1W", "1")),
    ],
)
def test_dice_may_come_in_any_order(text: str, move: Throw) -> None:
    assert parse(text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Roll",
        "roll ",
        "roll:",
        "roll:silver",
        "keep",
        "keep:",
        "keep:44",
        "keep:7",
        "keep:w",
        "stop:1",
        "rob",
        "rob:",
        "rob:-1",
        "rob:10",
        "rob:01",
        "rob:\u0663",  # an Arabic digit three
        "return",
        "return:worm",
        "return:Hen",
        "pinch:x",
        "1124W",
    ],
)
def test_what_is_no_move_is_malformed(text: str) -> None:
    with pytest.raises(MalformedMove) as refusal:
        parse(text)
    assert str(refusal.value) == (
        f"{text!r} is not a move. Moves are roll, roll:golden, =<dice>, keep:<face>, stop, "
        "reroll, bust, rob:<seat>, return:<Specialist> and pinch:<seat>."
    )


@pytest.mark.parametrize("text", ["=", "=+", "=1+", "=1+WW", "=1+1+1", "=+11"])
def test_a_throw_with_the_wrong_parts_is_malformed(text: str) -> None:
    with pytest.raises(MalformedMove) as refusal:
        parse(text)
    assert str(refusal.value) == (
        f"{text!r} is not a roll. Write =1124W, or =1124W+1 with the golden die."
    )


@pytest.mark.parametrize(
    ("text", "face"), [("=117", "7"), ("=1 1", " "), ("=w", "w"), ("=1+x", "x"), ("==1", "=")]
)
def test_a_throw_of_unknown_faces_is_malformed(text: str, face: str) -> None:
    with pytest.raises(MalformedMove) as refusal:
        parse(text)
    assert str(refusal.value) == f"{text!r} is not a roll: no die has the face {face!r}."


def test_a_malformed_move_is_a_rule_error() -> None:
    assert issubclass(MalformedMove, RuleError)
    assert issubclass(RuleError, ValueError)


def test_messages_show_long_texts_cut_short() -> None:
    assert shown("keep:x") == "'keep:x'"
    assert shown("x" * 40) == repr("x" * 40)
    assert shown("x" * 41) == repr("x" * 40 + "…")
    for text in ("x" * 1_000_000, "=" + "x" * 1_000_000):
        with pytest.raises(MalformedMove) as refusal:
            parse(text)
        assert len(str(refusal.value)) < 250
