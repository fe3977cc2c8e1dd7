"""Every refusal is a sentence: what, why not, and what would be legal."""

from collections.abc import Callable

import pytest

from heckmeck import rules
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.moves import IllegalMove
from tests.rules.story import (
    GOLDEN,
    WEASEL,
    Story,
    barbecue_table,
    classic_table,
    deluxe_table,
    given,
    junior_table,
    new_story,
)

START = new_story(ClassicTable)
AIRBORNE = START.play("roll")
THROWN = START.play("roll =11234WWW")
KEPT = START.play("roll =11234WWW keep:W")
THROWN_AGAIN = KEPT.play("roll =1234W")
OVER = given(classic_table(grill=[25]), kept="55WWW").play("stop")
GOLDEN_AIRBORNE = given(deluxe_table(held=(GOLDEN,))).play("roll:golden")
BARBECUE = given(barbecue_table(), kept="WW66")
ROB_ASKED = given(deluxe_table(3, bratworms=(0, 3, 4))).play("roll =11234WWW keep:1")
PINCH_ASKED = given(junior_table(3, stacks=((), (5,), (5,))), kept="WBB").play("stop")
RETURN_ASKED = given(deluxe_table(stacks=((22,), (25,)), held=(WEASEL, GOLDEN)), kept="55WWW").play(
    "stop"
)

NO_DICE = "no dice are in the air"
KEEP_FIRST = "a face of this roll has to be kept first"
GOLDEN_FIRST = "the golden die joins the first roll of its holder's turn or not at all"
WEASEL_ONCE = "only the holder of the weasel may reroll, once per turn, right after a roll"
FIRST_KEEPS = "keep:1, keep:2, keep:3, keep:4, keep:W"


@pytest.mark.parametrize(
    ("story", "text", "why", "legal"),
    [
        (START, "=11234WWW", NO_DICE, "roll"),
        (START, "keep:1", "no dice have been rolled", "roll"),
        (START, "stop", "nothing is kept yet", "roll"),
        (START, "roll:golden", GOLDEN_FIRST, "roll"),
        (START, "reroll", WEASEL_ONCE, "roll"),
        (START, "bust", "it only accepts a dead roll that the weasel could still save", "roll"),
        (START, "rob:1", "there is no such question to answer", "roll"),
        (START, "return:hen", "there is no such question to answer", "roll"),
        (START, "pinch:1", "there is no such question to answer", "roll"),
        (THROWN, "=11234WWW", NO_DICE, FIRST_KEEPS),
        (THROWN, "roll", KEEP_FIRST, FIRST_KEEPS),
        (THROWN, "stop", KEEP_FIRST, FIRST_KEEPS),
        (THROWN, "keep:5", "the roll shows no 5", FIRST_KEEPS),
        (THROWN, "keep:6", "the roll shows no 6", FIRST_KEEPS),
        (THROWN, "reroll", WEASEL_ONCE, FIRST_KEEPS),
        (KEPT, "keep:1", "no dice have been rolled", "roll, stop"),
        (KEPT, "roll:golden", GOLDEN_FIRST, "roll, stop"),
        (THROWN_AGAIN, "keep:W", "W was already kept this turn", "keep:1, keep:2, keep:3, keep:4"),
        (BARBECUE, "stop", "a result of 22 earns nothing here", "roll"),
    ],
)
def test_refusals_within_a_turn(story: Story[rules.Table], text: str, why: str, legal: str) -> None:
    refusal = story.refuse(text)
    assert str(refusal) == f"{text} is not allowed: {why}. Legal here: {legal}."
    assert (refusal.word, refusal.why) == (text, why)
    assert ", ".join(refusal.legal) == legal


@pytest.mark.parametrize("text", ["roll", "keep:1", "stop", "reroll", "bust", "rob:1"])
def test_while_the_dice_are_in_the_air_nobody_moves(text: str) -> None:
    refusal = AIRBORNE.refuse(text)
    assert str(refusal) == (
        f"{text} is not allowed: the dice are in the air, and next 8 white dice fall."
    )
    assert refusal.legal == ()


@pytest.mark.parametrize("text", ["=1", "=11234WWWW", "=WBCGKWBC", "=1234W666", "=11234WWW+1"])
def test_the_wrong_dice_fall(text: str) -> None:
    refusal = AIRBORNE.refuse(text)
    assert refusal.why == "8 white dice of this edition have to fall"


def test_the_golden_die_is_missed_when_it_has_to_fall() -> None:
    assert GOLDEN_AIRBORNE.refuse("=11234WWW").why == (
        "8 white dice and the golden die of this edition have to fall"
    )
    assert GOLDEN_AIRBORNE.refuse("stop").why == (
        "the dice are in the air, and next 8 white dice and the golden die fall"
    )


@pytest.mark.parametrize("text", ["roll", "=11234WWW", "keep:1", "stop", "rob:0", "pinch:0"])
def test_after_the_end_nothing_is_allowed(text: str) -> None:
    refusal = OVER.refuse(text)
    assert str(refusal) == f"{text} is not allowed: the game is over."
    assert refusal.legal == ()


@pytest.mark.parametrize(
    ("story", "legal"),
    [
        (ROB_ASKED, ("rob:1", "rob:2")),
        (PINCH_ASKED, ("pinch:1", "pinch:2")),
        (RETURN_ASKED, ("return:weasel", "return:golden")),
    ],
    ids=["rob", "pinch", "return"],
)
@pytest.mark.parametrize("text", ["roll", "=12", "keep:1", "stop", "reroll", "bust"])
def test_an_open_question_comes_first(
    story: Story[rules.Table], text: str, legal: tuple[str, ...]
) -> None:
    refusal = story.refuse(text)
    assert refusal.why == "another question is open"
    assert refusal.legal == legal


@pytest.mark.parametrize(
    ("story", "text", "why"),
    [
        (ROB_ASKED, "rob:0", "that player cannot be chosen"),
        (PINCH_ASKED, "pinch:0", "that player cannot be chosen"),
        (RETURN_ASKED, "return:hen", "that Specialist is not one of the two"),
        (ROB_ASKED, "pinch:1", "another question is open"),
    ],
)
def test_an_answer_that_is_none_of_those_asked_for(
    story: Story[rules.Table], text: str, why: str
) -> None:
    assert story.refuse(text).why == why


@pytest.mark.parametrize("text", ["roll", "stop"])
def test_a_dead_throw_waits_for_the_weasel_alone(text: str) -> None:
    table = deluxe_table(stacks=((25,),), held=(WEASEL,))
    refusal = given(table, kept="555WWW").play("roll =5W").refuse(text)
    assert refusal.why == "the roll is dead, and only the weasel can still save it"
    assert refusal.legal == ("bust", "reroll")


def test_a_single_die_is_one_die() -> None:
    thrown = given(classic_table(), kept="1223455").play("roll")
    assert thrown.refuse("=12").why == "1 white die of this edition has to fall"
    assert thrown.refuse("stop").why == "the dice are in the air, and next 1 white die falls"


def test_a_word_of_any_length_makes_a_short_message() -> None:
    thrown = given(classic_table()).play("roll")
    assert len(str(thrown.refuse("=" + "1" * 100_000))) < 200


@pytest.mark.parametrize("edition", ["", "Classic", "poker", "x" * 1000])
def test_an_unknown_edition(edition: str) -> None:
    with pytest.raises(rules.BadSetup) as refusal:
        rules.new_game(edition, 2)
    assert str(refusal.value).startswith(f"There is no edition {edition!r:.40}")
    assert str(refusal.value).endswith("The editions are classic, deluxe, barbecue, junior.")


def test_every_refusal_is_a_rule_error() -> None:
    for error in (rules.BadSetup, rules.IllegalMove, rules.MalformedMove):
        assert issubclass(error, rules.RuleError)
    assert isinstance(START.refuse("stop"), IllegalMove)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ("roll", "the text 'roll'"),
        ("=11234WWW", "the text '=11234WWW'"),
        ("x" * 1000, f"the text '{'x' * 40}…'"),
        (None, "NoneType"),
    ],
)
@pytest.mark.parametrize("story", [START, AIRBORNE, THROWN, ROB_ASKED, OVER])
def test_text_is_not_a_move(story: Story[rules.Table], given: object, what: str) -> None:
    apply: Callable[[rules.AnyState, object], object] = rules.apply  # type: ignore[assignment]
    with pytest.raises(TypeError) as error:
        apply(story.state, given)
    assert str(error.value) == (
        f"Expected a move, not {what}. rules.parse turns text into a move: rules.parse('roll')."
    )
