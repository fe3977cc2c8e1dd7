"""The odds that others have published, see tests/data/odds.json."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heckmeck.rules import game, word
from heckmeck.rules.dice import in_face_order
from heckmeck.rules.moves import Throw
from heckmeck.rules.turn import Turn
from heckmeck.solver.solution import best
from tests.solver.shapes import CLASSIC, DELUXE, SHAPES, Ends, at_least, exactly, solve

ODDS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "odds.json").read_text(encoding="utf-8")
)


def published(edition: str, kind: str) -> list[tuple[int, float]]:
    return [(int(number), chance) for number, chance in ODDS[edition][kind].items()]


@pytest.mark.parametrize("edition", ["classic", "barbecue", "junior"])
def test_at_least(edition: str) -> None:
    shape = SHAPES[edition]
    for number, chance in published(edition, "at_least"):
        assert solve(shape, at_least(shape, number)).value == pytest.approx(chance, abs=1e-9)


def test_exactly() -> None:
    for number, chance in published("classic", "exactly"):
        assert solve(CLASSIC, exactly(CLASSIC, number)).value == pytest.approx(chance, abs=1e-9)


def test_weasel() -> None:
    for number, chance in published("deluxe", "weasel_at_least"):
        solution = solve(DELUXE, at_least(DELUXE, number), weasel=True)
        assert solution.value == pytest.approx(chance, abs=1e-9)


def test_golden() -> None:
    for number, chance in published("deluxe", "golden_at_least"):
        solution = solve(DELUXE, at_least(DELUXE, number), golden=True)
        assert solution.value == pytest.approx(chance, abs=1e-9)


def full_grill(own_top: float) -> Ends:
    """Worms of the tile taken from a full grill; a failure costs the worms of the own top tile."""
    stop = np.full((1, 2, CLASSIC.totals), -own_top)
    for total in range(21, CLASSIC.totals):
        stop[0, 1, total] = (min(total, 36) - 17) // 4
    return Ends(stop, np.array([-own_top]))


@pytest.mark.parametrize("own_top", [0, 2])
def test_opening_expected_worms(own_top: int) -> None:
    expected = ODDS["classic"]["opening_expected_worms"][f"own_top_worth_{own_top}"]
    assert solve(CLASSIC, full_grill(own_top)).value == pytest.approx(expected, abs=1e-9)


def turn_of(kept: str, hand: int, total: int | None = None) -> Turn:
    points = sum(map(game("classic").dice.points_for, kept))
    return Turn(hand, in_face_order(kept), points if total is None else total)


@pytest.mark.parametrize("check", [c for c in ODDS["classic"]["spot_checks"] if "roll" in c])
def test_spot_checks_of_throws(check: dict[str, Any]) -> None:
    solution = solve(CLASSIC, full_grill(check["fail"]))
    throw = Throw(in_face_order(check["roll"]))
    choices = solution.choices(turn_of(check["kept"], len(check["roll"])), throw)
    values = {word(choice.move): choice.value for choice in choices}
    assert word(best(choices).move) == check["best"]
    assert best(choices).value == pytest.approx(check["worth"], abs=1e-7)
    if "second" in check:
        assert values[check["second"]] == pytest.approx(check["second_worth"], abs=1e-7)


@pytest.mark.parametrize("check", [c for c in ODDS["classic"]["spot_checks"] if "total" in c])
def test_spot_checks_of_states(check: dict[str, Any]) -> None:
    solution = solve(CLASSIC, full_grill(check["fail"]))
    turn = turn_of(check["kept_faces"], check["hand"], check["total"])
    (roll,) = (c for c in solution.choices(turn) if word(c.move) == "roll")
    assert roll.value == pytest.approx(check["roll_worth"], abs=1e-7)
