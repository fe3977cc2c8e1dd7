"""The odds people ask for, against figures worked out independently of this project."""

import json
from pathlib import Path

import pytest

from heckmeck.coach import BadTurn, TurnSetup
from heckmeck.coach.advice import NUMBERS, odds
from heckmeck.rules import EDITIONS, Specialist

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "odds.json").read_text("utf-8"))


def assert_equal(found: dict[int, float], known: dict[str, float]) -> None:
    for number, chance in known.items():
        assert found[int(number)] == pytest.approx(chance, abs=1e-9), number


@pytest.mark.parametrize("edition", ["classic", "barbecue", "junior"])
def test_the_known_odds_of_a_whole_turn(edition: str) -> None:
    found = odds(TurnSetup(edition))
    assert_equal(found.at_least, KNOWN[edition]["at_least"])
    assert_equal(found.exactly, KNOWN[edition].get("exactly", {}))


@pytest.mark.parametrize("specialist", [Specialist.WEASEL, Specialist.GOLDEN])
def test_the_known_odds_with_a_specialist(specialist: Specialist) -> None:
    found = odds(TurnSetup("deluxe", specialist))
    assert_equal(found.at_least, KNOWN["deluxe"][f"{specialist}_at_least"])


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_number_people_ask_for_is_there(edition: str) -> None:
    found = odds(TurnSetup(edition))
    assert (tuple(found.at_least), tuple(found.exactly)) == tuple(map(tuple, NUMBERS[edition]))
    assert all(0 <= chance <= 1 for chance in (found.at_least | found.exactly).values())


def test_the_numbers_of_the_contract() -> None:
    asked = {edition: [list(numbers) for numbers in NUMBERS[edition]] for edition in NUMBERS}
    assert asked == {
        "classic": [[*range(21, 37)], [*range(21, 37)]],
        "deluxe": [[*range(21, 37)], [11, 13, *range(21, 37)]],
        "barbecue": [[*range(23, 38)], [*range(23, 37)]],
        "junior": [[*range(4, 12)], [*range(1, 12)]],
    }


def test_deluxe_without_a_specialist_is_classic() -> None:
    assert odds(TurnSetup("deluxe")).at_least == odds(TurnSetup("classic")).at_least


@pytest.mark.parametrize("specialist", [Specialist.CANNED, Specialist.GOLDEN, Specialist.WEASEL])
def test_a_specialist_never_hurts(specialist: Specialist) -> None:
    without, with_it = odds(TurnSetup("deluxe")), odds(TurnSetup("deluxe", specialist))
    for number, chance in without.at_least.items():
        assert with_it.at_least[number] >= chance


def test_a_turn_with_nothing_left_to_throw_is_certain() -> None:
    done = odds(TurnSetup("classic", kept="4444WWWW"))
    assert done.exactly[36] == 1
    assert done.exactly[35] == 0
    assert set(done.at_least.values()) == {1.0}


def test_what_is_kept_can_be_stopped_with() -> None:
    kept = odds(TurnSetup("classic", kept="WWWWW", hand=3))
    assert kept.at_least[25] == 1
    assert kept.exactly[25] == 1
    assert 0 < kept.at_least[26] < 1


def test_one_die_by_hand() -> None:
    """21 kept without a worm, one die: a worm, one side of six, makes 26 with a worm."""
    last = odds(TurnSetup("classic", kept="3555444"[:7], hand=1))
    assert last.exactly[35] == pytest.approx(1 / 6)
    assert last.at_least[21] == pytest.approx(1 / 6)


def test_the_canned_worm_needs_no_worm() -> None:
    kept = odds(TurnSetup("deluxe", Specialist.CANNED, kept="5555", hand=4))
    assert kept.exactly[25] == 1  # 20 and the canned worm


def test_a_throw_on_the_table_must_be_used() -> None:
    dead = odds(TurnSetup("classic", kept="44WW", roll="44WW"))
    assert set(dead.at_least.values()) == {0.0}
    saved = odds(TurnSetup("deluxe", Specialist.WEASEL, kept="44WW", roll="44WW"))
    assert saved.at_least[21] > 0.5


def test_the_golden_die_on_the_table() -> None:
    thrown = odds(TurnSetup("deluxe", Specialist.GOLDEN, kept="555", roll="12234+W"))
    assert thrown.at_least[21] > odds(TurnSetup("deluxe", kept="555", roll="12234")).at_least[21]


def test_junior_keeps_what_a_dead_throw_leaves() -> None:
    dead = odds(TurnSetup("junior", kept="WBBB", roll="WB"))
    assert dead.exactly[7] == 1


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        (TurnSetup("poker"), "There is no edition 'poker'"),
        (TurnSetup("classic", Specialist.WEASEL), "classic has no Specialists to hold."),
        (
            TurnSetup("deluxe", Specialist.HEN),
            "hen does not affect a turn; only canned, golden, weasel do.",
        ),
        (TurnSetup("classic", kept="66"), "'66' are not dice; the faces here are 1 2 3 4 5 W."),
        (
            TurnSetup("classic", kept="44", hand=3),
            "2 kept and 3 in hand are 5 dice; classic has 8.",
        ),
        (TurnSetup("classic", kept="444444444"), "9 kept and 0 in hand are 9 dice"),
        (TurnSetup("classic", roll="x"), "'=x' is not a roll"),
        (TurnSetup("classic", roll="66666666"), "'66666666' is not a roll of dice with"),
        (TurnSetup("classic", roll="1234", hand=5, kept="555"), "4 dice were rolled, but 5 are in"),
        (TurnSetup("deluxe", roll="11234WWW+1"), "The golden die is not in hand"),
        (
            TurnSetup("deluxe", Specialist.GOLDEN, kept="44", hand=8),
            "2 kept and 8 in hand are 10 dice; deluxe has 8 and the golden die.",
        ),
    ],
)
def test_turns_that_cannot_be(setup: TurnSetup, sentence: str) -> None:
    with pytest.raises(BadTurn) as error:
        odds(setup)
    assert sentence in str(error.value)
