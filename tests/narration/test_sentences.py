"""Each kind of event, in each of its forms, in plain English."""

import pytest

from heckmeck.narration import Narrator
from heckmeck.rules import Event, Specialist
from heckmeck.rules import events as e
from heckmeck.rules.endings import WhyNothing
from heckmeck.rules.outcome import DecidedBy, EndReason
from tests.narration.every_event import EVENT_CLASSES, outcome

NAMES = ("Ada", "Ben", "Cleo")

OVER = "the game is over."
TIE = (9, 9, 0)
TIE_TOLD = "Ada: 9 worms, Ben: 9 worms, Cleo: 0 worms."
PLATE_WINS = "Ada wins the tie with the plate on the highest spot."

SENTENCES: list[tuple[Event, str]] = [
    (e.TurnStarted(1), "The dice go to Ben."),
    # --- dice
    (e.DiceCast(0, 8, golden=False), "Ada rolls 8 dice."),
    (e.DiceCast(0, 1, golden=False), "Ada rolls one die."),
    (e.DiceCast(0, 8, golden=True), "Ada rolls 8 dice and the golden die."),
    (e.DiceCast(0, 1, golden=True), "Ada rolls one die and the golden die."),
    (e.DiceCast(0, 0, golden=True), "Ada rolls the golden die."),
    (e.DiceFell(0, "1134W", None), "Ada rolls 1 1 3 4 worm."),
    (e.DiceFell(0, "WBCGK", None), "Ada rolls worm bun cheese gherkin ketchup."),
    (e.DiceFell(0, "12345W6", None), "Ada rolls 1 2 3 4 5 worm 6."),
    (e.DiceFell(0, "34", "W"), "Ada rolls 3 4; the golden die shows worm."),
    (e.DiceFell(0, "", "1"), "The golden die shows 1."),
    (e.ThrowWasDead(0), "Nothing new among them: a dead roll."),
    (e.WeaselUsed(2), "The weasel lies down: Cleo rolls the same dice again."),
    (e.DiceKept(1, "W", 2, False, 10, 6), "Ben keeps two worms: 10."),
    (e.DiceKept(1, "W", 1, False, 5, 7), "Ben keeps one worm: 5."),
    (e.DiceKept(0, "4", 3, False, 12, 5), "Ada keeps three 4s: 12."),
    (e.DiceKept(0, "6", 1, False, 6, 7), "Ada keeps one 6: 6."),
    (e.DiceKept(0, "1", 9, True, 9, 0), "Ada keeps nine 1s: 9."),
    (e.DiceKept(0, "B", 2, False, 4, 4), "Ada keeps two buns: 4."),
    (e.DiceKept(0, "C", 4, False, 4, 2), "Ada keeps four cheeses: 4."),
    (e.DiceKept(0, "G", 5, False, 5, 1), "Ada keeps five gherkins: 5."),
    (e.DiceKept(0, "K", 6, False, 6, 0), "Ada keeps six ketchups: 6."),
    (e.DiceKept(0, "2", 7, False, 14, 1), "Ada keeps seven 2s: 14."),
    (e.DiceKept(0, "3", 8, False, 24, 0), "Ada keeps eight 3s: 24."),
    (e.TurnEnded(0, 25, stopped=True), "Ada stops with 25."),
    (e.TurnEnded(0, 25, stopped=False), "Ada’s turn ends with 25."),
    # --- what brings nothing
    (e.AttemptFailed(0, WhyNothing.DEAD_THROW), "Ada’s attempt has failed."),
    (e.AttemptFailed(0, WhyNothing.NO_WORM), "Ada has no worm: the attempt has failed."),
    (
        e.AttemptFailed(0, WhyNothing.TOO_LOW),
        "Too low to take anything: the attempt has failed.",
    ),
    (
        e.AttemptFailed(0, WhyNothing.SPOT_CLOSED),
        "Two plates lie there already: the attempt has failed.",
    ),
    (e.AttemptFailed(0, WhyNothing.NO_PLATE), "Ada has no plate left: the attempt has failed."),
    (e.MissedOut(1, WhyNothing.NO_WORM), "Ben has no worm and misses out."),
    (e.MissedOut(1, WhyNothing.TOO_LOW), "Too low to take anything: Ben misses out."),
    # --- tiles
    (e.TileTaken(0, 25, 2, 25), "Ada takes 25 (2 worms)."),
    (e.TileTaken(0, 24, 1, 27), "There is no 27 to take: Ada takes 24 (1 worm)."),
    (e.TileStolen(0, 2, 33, 4), "Ada steals 33 (4 worms) from Cleo."),
    (e.TileStolen(0, 2, 7, 2), "Ada pinches 7 (2 worms) from Cleo."),
    (e.TileReturned(1, 21), "Ben puts 21 back on the grill."),
    (e.TileTurned(36), "36 is turned face down."),
    (e.PinchAsked(0, 7, (1, 2)), "Ada chooses whom to pinch 7 from: Ben and Cleo."),
    # --- Specialists
    (e.SpecialistTaken(0, Specialist.WEASEL, 25), "Ada receives the weasel."),
    (e.SpecialistTaken(0, Specialist.CANNED, 11), "Ada receives the canned worm."),
    (e.SpecialistStolen(0, 1, Specialist.APPLE), "Ada receives the apple from Ben."),
    (
        e.ReturnAsked(0, Specialist.HEN, Specialist.GOLDEN),
        "Ada has the sitting hen and the golden die, and must put one back.",
    ),
    (
        e.SpecialistReturned(0, Specialist.HEN, 22),
        "The sitting hen goes back from Ada to 22.",
    ),
    (
        e.SpecialistReturned(0, Specialist.APPLE, None),
        "The apple finds no free tile and leaves the game.",
    ),
    (e.SpecialistMoved(Specialist.RAVEN, 23, 22), "The raven moves from 23 to 22."),
    (
        e.SpecialistMoved(Specialist.RAVEN, 23, None),
        "The raven finds no free tile and leaves the game.",
    ),
    (e.TileGuarded(0, 26, 1), "The sitting hen guards Ada’s 26."),
    (e.TileGuarded(0, 26, None), "The sitting hen saves Ada’s 26."),
    (e.CannedWormOpened(0, 27), "The canned worm counts as a worm: 27."),
    # --- Bratworms
    (e.BratwormEarned(0, e.WhyBratworm.DOUBLE_ONE), "A double 1 earns a Bratworm."),
    (e.BratwormEarned(0, e.WhyBratworm.RAVEN), "The raven brings a Bratworm."),
    (e.BratwormTaken(0, 6), "Ada takes a Bratworm from the supply (6 left)."),
    (e.RobAsked(0, (1, 2)), "The supply is empty. Ada chooses whom to rob: Ben and Cleo."),
    (e.BratwormRobbed(0, 1), "Ada takes a Bratworm from Ben."),
    (e.BratwormMissing(0), "There is no Bratworm to be had."),
    # --- the board
    (e.PlatePlaced(0, 30, 3), "Ada places a plate on 30 (3 worms)."),
    (e.PlateReplaced(0, 1, 24, 1), "Ada replaces Ben’s plate on 24 and takes 1 worm."),
    (e.SpotClosed(0, 36, 4), "Ada closes 36 with a second plate (4 worms)."),
    (e.SnailTaken(0, 36), "Ada snatches the grill snail on 36."),
    (e.SnailTaken(0, None), "Ada takes a grill snail from the pool."),
    (e.SnailPlaced(36, 11), "A grill snail goes on 36 (11 left in the pool)."),
    (e.PlateReturned(2, 35), "The plate on 35 goes back to Cleo."),
    # --- the end
    (
        e.GameEnded(outcome((1, 4, 0), ((1,), (0,), (2,)))),
        f"No tile is left face up: {OVER} Ada: 1 worm, Ben: 4 worms, Cleo: 0 worms. Ben wins.",
    ),
    (
        e.GameEnded(outcome(TIE, ((1,), (0,), (2,)), decided_by=DecidedBy.HIGHEST_TILE)),
        f"No tile is left face up: {OVER} {TIE_TOLD} Ben wins the tie with the highest tile.",
    ),
    (
        e.GameEnded(
            outcome(TIE, ((0,), (1,), (2,)), EndReason.GRILL_FULL, DecidedBy.HIGHEST_PLATE)
        ),
        f"No spot is left for a grill snail: {OVER} {TIE_TOLD} {PLATE_WINS}",
    ),
    (
        e.GameEnded(outcome(TIE, ((0, 1), (2,)), EndReason.POOL_EMPTY, DecidedBy.SHARED)),
        f"No grill snail is left in the pool: {OVER} {TIE_TOLD} Ada and Ben share the win.",
    ),
    (
        e.GameEnded(outcome(TIE, ((0, 1, 2),), EndReason.NO_SNAIL_LEFT, DecidedBy.SHARED)),
        f"No grill snail is left to take: {OVER} {TIE_TOLD} Ada, Ben and Cleo share the win.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES, ids=lambda part: type(part).__name__)
def test_an_event_reads(event: Event, sentence: str) -> None:
    assert Narrator(NAMES).event(event) == sentence


def test_every_kind_of_event_is_in_the_list() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(EVENT_CLASSES)


def test_events_are_told_one_after_the_other() -> None:
    told = Narrator(NAMES).events([e.TurnEnded(0, 25, stopped=True), e.TileTaken(0, 25, 2, 25)])
    assert told == "Ada stops with 25. Ada takes 25 (2 worms)."


def test_who_starts_is_told() -> None:
    assert Narrator(NAMES).start(2) == "Cleo starts."


def test_no_events_are_told_with_no_words() -> None:
    assert Narrator(NAMES).events([]) == ""


@pytest.mark.parametrize("name", ["{seat}", "{0}", "{", "}}", "%s", "", "Ada\n", "\ud800"])
def test_a_name_is_told_as_it_is(name: str) -> None:
    """Names are typed by people: nothing in them is a blank of ours."""
    assert Narrator([name]).event(e.TurnStarted(0)) == f"The dice go to {name}."
