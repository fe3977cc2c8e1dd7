"""Advice for positions, against known values."""

import json
from pathlib import Path

import pytest
from msgspec import to_builtins

from heckmeck import rules
from heckmeck.coach.advice import advise as advise_in
from heckmeck.wire.coach import Advice
from tests.rules.story import APPLE, CANNED, deluxe_table, given

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "odds.json").read_text("utf-8"))


def advise(state: rules.AnyState) -> Advice:
    """Advice in worms: what is known does not depend on any training."""
    return advise_in(state, "worms")


def after(edition: str, words: str, seats: int = 2) -> rules.AnyState:
    state = rules.new_game(edition, seats)
    for word in words.split():
        state, _ = rules.apply(state, rules.parse(word))
    return state


def test_the_known_worth_of_an_opening() -> None:
    (roll,) = advise(after("classic", "")).moves
    expected = KNOWN["classic"]["opening_expected_worms"]["own_top_worth_0"]
    assert roll.worth == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("words", "case"),
    [("roll =1124445W", 0), ("roll =1333445W", 1), ("roll =11133344 keep:3 roll =1344W", 2)],
)
def test_the_known_worth_of_moves(words: str, case: int) -> None:
    known = KNOWN["classic"]["spot_checks"][case]
    best, second, *_ = advise(after("classic", words)).moves
    assert best.move == known["best"]
    assert best.worth == pytest.approx(known["worth"], abs=1e-7)
    if "second" in known:
        assert second.move == known["second"]
        assert second.worth == pytest.approx(known["second_worth"], abs=1e-7)


def test_every_legal_move_is_weighed_best_first() -> None:
    state = after("deluxe", "roll =1124445W")
    advice = advise(state)
    assert {item.move for item in advice.moves} == set(map(rules.word, rules.legal(state)))
    values = [item.worth for item in advice.moves]
    assert values == sorted(values, reverse=True)
    assert advice.unit == "worms"
    assert all(0 <= (item.fail or 0) <= 1 for item in advice.moves)


def test_a_certain_stop_has_no_risk() -> None:
    advice = advise(after("classic", "roll =11234WWW keep:W roll =12455 keep:5"))
    by_word = {item.move: item for item in advice.moves}
    assert by_word["stop"].worth == 2
    assert by_word["stop"].fail == 0
    assert 0 < (by_word["roll"].fail or 0) < 1


def test_stopping_without_a_worm_fails_for_certain() -> None:
    advice = advise(after("classic", "roll =11123455 keep:1"))
    by_word = {item.move: item for item in advice.moves}
    assert by_word["stop"].fail == 1


def test_a_question_is_weighed_too() -> None:
    """The apple is worth three worms at the end; the canned worm is put back for it."""
    table = deluxe_table(stacks=((22,),), on_grill={29: APPLE}, held=(CANNED,))
    advice = advise(given(table, kept="45WWWW").play("stop").state)
    assert [item.move for item in advice.moves] == ["return:canned", "return:apple"]


def test_json_is_that_of_the_protocol() -> None:
    data = to_builtins(advise(after("junior", "roll =WWBCGK keep:B")))
    assert data["unit"] == "worms"
    assert {tuple(move) for move in data["moves"]} == {("move", "worth", "fail")}
