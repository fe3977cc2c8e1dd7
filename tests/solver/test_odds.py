"""The odds that others have published, see tests/data/odds.json."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heckmeck.solver.solution import Kind, Point, Thrown, Worths, best, solve
from heckmeck.solver.tables import State, TurnShape
from tests.solver.shapes import CLASSIC, DELUXE, SHAPES, at_least, exactly

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


def full_grill(own_top: float) -> Worths:
    """Worms of the tile taken from a full grill; a failure costs the worms of the own top tile."""
    stop = np.full((1, 2, CLASSIC.totals), -own_top)
    for total in range(21, CLASSIC.totals):
        stop[0, 1, total] = (min(total, 36) - 17) // 4
    return Worths(stop, np.array([-own_top]))


@pytest.mark.parametrize("own_top", [0, 2])
def test_opening_expected_worms(own_top: int) -> None:
    expected = ODDS["classic"]["opening_expected_worms"][f"own_top_worth_{own_top}"]
    assert solve(CLASSIC, full_grill(own_top)).value == pytest.approx(expected, abs=1e-9)


def counts(shape: TurnShape, dice: str) -> tuple[int, ...]:
    return tuple(dice.count(face) for face in shape.faces)


def state_of(shape: TurnShape, kept: str, dice: int) -> State:
    mask = sum(1 << shape.faces.index(face) for face in set(kept))
    total = sum(shape.points[shape.faces.index(face)] for face in kept)
    return State(mask, dice, False, total)


@pytest.mark.parametrize("check", [c for c in ODDS["classic"]["spot_checks"] if "roll" in c])
def test_spot_checks_of_throws(check: dict[str, Any]) -> None:
    solution = solve(CLASSIC, full_grill(check["fail"]))
    point = Point(state_of(CLASSIC, check["kept"], len(check["roll"])))
    choices = solution.choices(point, Thrown(counts(CLASSIC, check["roll"])))
    worths = {f"keep:{CLASSIC.faces[c.face]}": c.worth for c in choices if c.face is not None}
    first = best(choices)
    assert first.face is not None
    assert f"keep:{CLASSIC.faces[first.face]}" == check["best"]
    assert first.worth == pytest.approx(check["worth"], abs=1e-7)
    if "second" in check:
        assert worths[check["second"]] == pytest.approx(check["second_worth"], abs=1e-7)


@pytest.mark.parametrize("check", [c for c in ODDS["classic"]["spot_checks"] if "total" in c])
def test_spot_checks_of_states(check: dict[str, Any]) -> None:
    solution = solve(CLASSIC, full_grill(check["fail"]))
    kept = state_of(CLASSIC, check["kept_faces"], check["hand"]).kept
    state = State(kept, check["hand"], False, check["total"])
    (roll,) = (c for c in solution.choices(Point(state)) if c.kind is Kind.ROLL)
    assert roll.worth == pytest.approx(check["roll_worth"], abs=1e-7)
