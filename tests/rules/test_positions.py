"""Exact counts: how many positions a turn can reach, found by walking the real rules."""

from dataclasses import dataclass
from functools import cache

import pytest

from heckmeck import rules
from heckmeck.rules.events import DiceKept
from heckmeck.rules.moves import KEEP, ROLL, ROLL_GOLDEN, Move, Throw
from heckmeck.rules.state import Falling
from heckmeck.rules.turn import Turn
from tests.rules.story import GOLDEN, deluxe_table, given

Lumped = tuple[frozenset[str], int, bool, int]


@dataclass(frozen=True)
class Walk:
    """The turns right after a keep: those that go on and those that are complete."""

    going_on: frozenset[Turn]
    complete: frozenset[Turn]

    @property
    def after_a_keep(self) -> frozenset[Turn]:
        return self.going_on | self.complete


def lumped(turns: frozenset[Turn]) -> set[Lumped]:
    """What matters for the rest of the turn: faces kept, dice in hand, total."""
    return {(frozenset(turn.kept), turn.hand, turn.golden, turn.total) for turn in turns}


def walk(start: rules.AnyState, first: Move = ROLL) -> Walk:
    """Play every keep of every throw that can fall, from every position once."""
    going_on: set[Turn] = set()
    complete: set[Turn] = set()
    to_do = [rules.apply(start, first).state]
    while to_do:
        thrown = to_do.pop()
        for after, turn in kept(thrown):
            if after.seat != start.seat:
                complete.add(turn)
            elif turn not in going_on:
                going_on.add(turn)
                to_do.append(rules.apply(after, ROLL).state)
    return Walk(frozenset(going_on), frozenset(complete))


def kept(thrown: rules.AnyState) -> list[tuple[rules.AnyState, Turn]]:
    """Each way to keep dice of a throw that can fall here: the state after it and the turn."""
    assert isinstance(thrown.phase, Falling)
    ways: dict[tuple[str, int, bool], Throw] = {}
    for throw, _ in rules.throws(thrown):
        for face in set(throw.dice + (throw.golden or "")):
            ways.setdefault((face, throw.dice.count(face), throw.golden == face), throw)
    found = []
    for (face, count, golden), throw in ways.items():
        fallen = rules.apply(thrown, throw).state
        if KEEP[face] in rules.legal(fallen):
            after, events = rules.apply(fallen, KEEP[face])
            event = events[0]
            assert isinstance(event, DiceKept)
            assert (event.count, event.golden) == (count + golden, golden)
            still_golden = thrown.turn.golden and not golden
            found.append((after, turn_told_by(event, thrown.turn, still_golden)))
    return found


def turn_told_by(event: DiceKept, before: Turn, golden: bool) -> Turn:
    """The turn after a keep as the event tells it: a turn that ended is in no state."""
    dice = sorted(before.kept + event.face * event.count, key="12345W6BCGK".index)
    return Turn(event.left - golden, "".join(dice), event.total, golden)


@cache
def walked(edition: str) -> Walk:
    return walk(rules.new_game(edition, 2))


@cache
def walked_with_the_golden_die() -> Walk:
    return walk(given(deluxe_table(held=(GOLDEN,))).state, ROLL_GOLDEN)


def test_classic_has_1939_positions_when_the_order_of_keeping_is_forgotten() -> None:
    turn = walked("classic")
    going_on, complete = lumped(turn.going_on), lumped(turn.complete)
    assert (len(going_on), len(complete)) == (1292, 646)
    assert not going_on & complete
    start = {(frozenset[str](), 8, False, 0)}
    assert len(start | going_on | complete) == 1939


@pytest.mark.parametrize(
    ("edition", "going_on", "complete"),
    [("classic", 1292, 646), ("deluxe", 1292, 646), ("barbecue", 1462, 771), ("junior", 151, 75)],
)
def test_lumped_positions_after_a_keep(edition: str, going_on: int, complete: int) -> None:
    turn = walked(edition)
    assert len(lumped(turn.going_on)) == going_on
    assert len(lumped(turn.complete)) == complete


@pytest.mark.parametrize(
    ("edition", "going_on", "complete"),
    [
        # With six faces every choice of 1 to 7 dice is a turn that goes on, of 8 one that is over.
        ("classic", 1715, 1287),
        ("deluxe", 1715, 1287),
        ("barbecue", 1715, 1287),
        # Of five ingredients all five end the turn, too: J2.
        ("junior", 250, 211),
    ],
)
def test_different_dice_kept(edition: str, going_on: int, complete: int) -> None:
    turn = walked(edition)
    assert (len(turn.going_on), len(turn.complete)) == (going_on, complete)


def test_positions_with_the_golden_die() -> None:
    turn = walked_with_the_golden_die()
    in_hand = [turn for turn in turn.going_on if turn.golden]
    set_aside = [turn for turn in turn.going_on if not turn.golden]
    assert len(in_hand) == 3002  # any 1 to 8 white dice
    assert len(set_aside) == 2508  # any 1 to 8 dice with a 1 or a worm among them
    assert len(turn.complete) == 1782  # any 9 dice with a 1 or a worm among them
    assert (len(lumped(turn.going_on)), len(lumped(turn.complete))) == (3477, 658)


@pytest.mark.parametrize(("edition", "keeps"), [("classic", 48), ("barbecue", 48), ("junior", 30)])
def test_positions_after_the_first_keep(edition: str, keeps: int) -> None:
    # Any face, any number of dice of it.
    turn = walked(edition)
    assert len([turn for turn in turn.after_a_keep if len(set(turn.kept)) == 1]) == keeps


@pytest.mark.parametrize(
    ("edition", "totals"),
    [("classic", (1, 40)), ("barbecue", (1, 48)), ("junior", (1, 12))],
)
def test_lowest_and_highest_totals(edition: str, totals: tuple[int, int]) -> None:
    points = [turn.total for turn in walked(edition).after_a_keep]
    assert (min(points), max(points)) == totals


def test_the_highest_result_with_the_golden_die_is_45() -> None:
    assert max(turn.total for turn in walked_with_the_golden_die().after_a_keep) == 45
