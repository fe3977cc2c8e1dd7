"""Reasons, recomputed from scratch: every throw and every move of the turn, played by the rules.

Nothing is shared with the coach but the rules and what a table is worth. What a turn has brought is
read off the events, of which the coach sees none.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import get_args

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heckmeck import rules
from heckmeck.bots import player
from heckmeck.coach.reasons import SUMMED, failure_cost, outcome_of, reasons, targets
from heckmeck.coach.review import review
from heckmeck.coach.why import Why
from heckmeck.narration import languages
from heckmeck.narration.messages import messages_in
from heckmeck.record import Record
from heckmeck.rules import Specialist, endings
from heckmeck.rules import events as e
from heckmeck.rules import turn as rules_turn
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.moves import ROLL, STOP, Throw
from heckmeck.rules.state import Over, RobQuestion, State
from heckmeck.solver.kernel import TIE
from heckmeck.values import SeatValue, value_for
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.values.worms import WORMS
from heckmeck.wire.coach import Both, FailureCost, Outcome, Reason
from tests.bots.games import bot_game
from tests.solver.test_rules_recursion import about_to_rob, late_positions

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Flo", "Gus")
#: What a turn has brought, as facts read off its events.
Facts = frozenset[tuple[object, ...]]


def facts_in(events: Iterable[rules.Event]) -> Facts:
    """What has happened, in our own words: tiles, pieces, and whether the turn brought nothing."""
    return frozenset(fact for fact in map(fact_of, events) if fact is not None)


def fact_of(event: rules.Event) -> tuple[object, ...] | None:
    if isinstance(event, e.AttemptFailed | e.MissedOut):
        return ("nothing",)
    if isinstance(event, e.BratwormTaken | e.BratwormRobbed):
        return ("bratworm",)
    match event:
        case e.TileTaken(_, tile):
            return "take", tile, None
        case e.TileStolen(_, victim, tile):
            return "steal", tile, victim
        case e.TileGuarded(victim, tile, thief) if thief is not None:
            return "hen", tile, victim
        case e.SpecialistTaken(_, specialist) | e.SpecialistStolen(_, _, specialist):
            return "specialist", specialist
        case e.PlatePlaced(_, spot):
            return "plate", spot, None
        case e.PlateReplaced(_, victim, spot):
            return "steal_spot", spot, victim
        case e.SpotClosed(_, spot):
            return "close", spot, None
        case e.SnailTaken():
            return ("snail",)
        case e.GameEnded(outcome) if outcome.reason == "no_snail_left":
            return ("end_game",)
        case _:
            return None


def happened(outcome: Outcome, facts: Facts) -> bool:
    """Whether an outcome is among what has happened."""
    match outcome.kind:
        case "tiles" | "spots":
            kinds = {"steal" if kind == "pinch" else kind for kind in SUMMED[outcome.kind]}
            return any(
                fact[0] in kinds and isinstance(fact[1], int) and fact[1] >= (outcome.number or 0)
                for fact in facts
            )
        case "pinch":
            return any(
                fact[:2] == ("steal", outcome.number) and outcome.seat in (None, fact[2])
                for fact in facts
            )
        case "specialist":
            return ("specialist", outcome.specialist) in facts
        case "bratworm" | "snail" | "end_game" | "nothing":
            return (outcome.kind,) in facts
        case kind:
            return (kind, outcome.number, outcome.seat) in facts


class Turn:
    """The rest of a turn by brute force: what it is worth, and what it brings, by best play.

    Of moves within a tie, the coach prefers to stop, which the rules list after rolling. Where a
    game is decided, everything is within a tie: chances of 1e-16 differ by less.
    """

    def __init__(self, start: rules.AnyState, value: SeatValue) -> None:
        self._start, self._value = start, value
        self.worth = cache(self._worth)
        self.course = cache(self._course)

    def _over(self, state: rules.AnyState) -> bool:
        return isinstance(state.phase, Over) or state.seat != self._start.seat

    def _worth(self, state: rules.AnyState) -> float:
        if self._over(state):
            return self._table(state)
        if chances := rules.throws(state):
            after = ((ways, rules.apply(state, throw).state) for throw, ways in chances)
            return sum(ways * self.worth(then) for ways, then in after) / chances.total
        return max(self.worth(rules.apply(state, move).state) for move in rules.legal(state))

    def _table(self, state: rules.AnyState) -> float:
        seat = self._start.seat
        if self._value is WORMS:
            return WORMS.standing(state.table, seat) - WORMS.standing(self._start.table, seat)
        chances: Callable[[list[rules.AnyState]], list[list[float]]]
        chances = self._value.chances  # type: ignore[attr-defined]
        return float(chances([state])[0][seat])

    def _course(self, state: rules.AnyState) -> dict[Facts, float]:
        """What happens from here to the end of the turn, with its chances."""
        if self._over(state):
            return {frozenset(): 1.0}
        found: dict[Facts, float] = defaultdict(float)
        if chances := rules.throws(state):
            steps: list[tuple[rules.Move, float]]
            steps = [(throw, ways / chances.total) for throw, ways in chances]
        else:
            moves = sorted(rules.legal(state), key=lambda move: move is not STOP)
            worths = [self.worth(rules.apply(state, move).state) for move in moves]
            best = next(at for at, worth in enumerate(worths) if worth >= max(worths) - TIE)
            steps = [(moves[best], 1.0)]
        for move, chance in steps:
            then, events = rules.apply(state, move)
            now = facts_in(events)
            for later, rest in self.course(then).items():
                found[now | later] += chance * rest
        return found

    def after(self, move: str) -> dict[Facts, float]:
        """What happens from the start on, if this move is made."""
        then, events = rules.apply(self._start, rules.parse(move))
        now = facts_in(events)
        found: dict[Facts, float] = defaultdict(float)
        for later, chance in self.course(then).items():
            found[now | later] += chance
        return found


def chance_of(outcome: Outcome, course: dict[Facts, float]) -> float:
    return sum(chance for facts, chance in course.items() if happened(outcome, facts))


def thrown(data: st.DataObject, edition: str) -> rules.AnyState:
    """A late position of an edition in which somebody decides, before a throw or after it."""
    state = data.draw(late_positions(edition))
    if len(rules.legal(state)) > 1 and data.draw(st.booleans()):
        return state
    rolled = rules.apply(state, ROLL).state
    fallen = [rules.apply(rolled, throw).state for throw in rules.throws(rolled).throws]
    chosen = [each for each in fallen if len(rules.legal(each)) > 1 and each.turn == state.turn]
    assume(chosen)
    return data.draw(st.sampled_from(chosen))


def check(reason: Reason, turn: Turn) -> None:
    """Recompute everything that a reason says."""
    better, other = turn.after(reason.better), turn.after(reason.other)
    nothing = Outcome("nothing")
    assert reason.fail.better == pytest.approx(chance_of(nothing, better), abs=1e-9)
    assert reason.fail.other == pytest.approx(chance_of(nothing, other), abs=1e-9)
    if reason.outcome is not None and reason.outcome.kind != "rival":
        assert reason.chance is not None
        assert reason.chance.better == pytest.approx(chance_of(reason.outcome, better), abs=1e-9)
        assert reason.chance.other == pytest.approx(chance_of(reason.outcome, other), abs=1e-9)
    if reason.sure is not None:
        stopped = better if reason.better == "stop" else other
        assert chance_of(reason.sure, stopped) == 1.0


@pytest.mark.parametrize("edition", rules.EDITIONS)
@pytest.mark.parametrize("unit", ["worms", "win"])
@given(data=st.data())
@settings(max_examples=12)
def test_every_number_of_a_reason_is_what_brute_force_finds(
    edition: str, unit: str, data: st.DataObject
) -> None:
    state = thrown(data, edition)
    value = WORMS if unit == "worms" else value_for(state.table)
    memo, turn = TurnMemo(value), Turn(state, value)
    moves = memo.weigh(state)
    found = reasons(state, moves, memo)
    assert [reason.other for reason in found] == [each.move for each in moves[1:]]
    for reason in found:
        check(reason, turn)


@pytest.mark.soak
@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(data=st.data())
@settings(max_examples=400)
def test_every_number_of_many_reasons_is_what_brute_force_finds(
    edition: str, data: st.DataObject
) -> None:
    state = thrown(data, edition)
    value = value_for(state.table)
    memo, turn = TurnMemo(value), Turn(state, value)
    for reason in reasons(state, memo.weigh(state), memo):
        check(reason, turn)


def test_ties_in_a_decided_game_are_broken_alike() -> None:
    """Nobody can win this any more: chances are 1e-16, and all moves are equally good."""
    table = rules.new_game("barbecue", 2).table
    assert isinstance(table, BarbecueTable)
    lost = replace(table, pool=0, snails=(0, 12))
    state = State(lost, 0, rules_turn.Turn(3, "11166", 15), Throw("123"))
    value = value_for(lost)
    memo, turn = TurnMemo(value), Turn(state, value)
    assert turn.worth(state) < TIE
    (reason,) = reasons(state, memo.weigh(state), memo)
    assert reason.size == "equal"
    assert reason.fail != Both(0.0, 0.0)
    check(reason, turn)


@given(asked=about_to_rob())
@settings(max_examples=8)
def test_whom_to_rob_is_explained_by_what_it_leaves_the_victim(asked: rules.AnyState) -> None:
    assume(isinstance(asked.phase, RobQuestion))  # not if a sitting hen guards one of the two
    assume(asked.table.house == rules.NO_HOUSE_RULES)
    value = value_for(asked.table, "win")
    memo, turn = TurnMemo(value), Turn(asked, value)
    for reason in reasons(asked, memo.weigh(asked), memo):
        assert reason.outcome is not None
        assert reason.better == f"rob:{reason.outcome.seat}"
        assert reason.worth.better == pytest.approx(
            turn.worth(after(asked, reason.better)), abs=1e-6
        )
        check(reason, turn)


def after(state: rules.AnyState, move: str) -> rules.AnyState:
    return rules.apply(state, rules.parse(move)).state


@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(data=st.data())
@settings(max_examples=6)
def test_a_target_is_as_likely_as_if_nothing_else_counted(
    edition: str, data: st.DataObject
) -> None:
    state = thrown(data, edition)
    found = targets(state, TurnMemo(WORMS))
    for target in found[:4]:
        aim = target.outcome

        @cache
        def likely(state: rules.AnyState, seat: int, aim: Outcome) -> float:
            """The best chance of the outcome from here on."""
            if isinstance(state.phase, Over) or state.seat != seat:
                return 0.0
            if chances := rules.throws(state):
                some = [(ways / chances.total, move) for move, ways in chances]
                return sum(chance * done(state, move, seat, aim) for chance, move in some)
            return max(done(state, move, seat, aim) for move in rules.legal(state))

        def done(state: rules.AnyState, move: rules.Move, seat: int, aim: Outcome) -> float:
            then, events = rules.apply(state, move)
            return 1.0 if happened(aim, facts_in(events)) else likely(then, seat, aim)

        assert target.chance == pytest.approx(likely(state, state.seat, aim), abs=1e-9), aim


# --- what failing costs ---------------------------------------------------------------------------


@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(data=st.data())
@settings(max_examples=15)
def test_a_failed_attempt_costs_what_the_rules_take(edition: str, data: st.DataObject) -> None:
    """Fail by stopping or by a dead roll, and compare the tables."""
    state = data.draw(late_positions(edition))
    rolled = rules.apply(state, ROLL).state
    fallen = [rules.apply(rolled, throw) for throw in rules.throws(rolled).throws]
    dead = [each for each in fallen if ("nothing",) in facts_in(each.events)]
    assume(dead)
    cost, table, seat = failure_cost(state), dead[0].state.table, state.seat
    match table, state.table:
        case DeluxeTable(), DeluxeTable():
            before, now = state.table, table
            lost = before.stacks[seat][len(now.stacks[seat]) :]
            assert cost.tile == (lost[0] if lost else None)
            assert cost.specialist == (before.held[seat] if not now.held[seat] else None)
    down = getattr(getattr(table, "grill", None), "face_down", ())
    was_down = getattr(getattr(state.table, "grill", None), "face_down", ())
    assert ([cost.turned] if cost.turned else []) == sorted(Counter(down) - Counter(was_down))
    assert cost.ends is isinstance(dead[0].state.phase, Over)
    assert cost.miss is (edition == "junior")
    assert (cost.snail is not None) is (edition == "barbecue" and not cost.ends)


# --- words ----------------------------------------------------------------------------------------

#: One of every ending that there is.
ENDINGS: list[endings.Ending] = [
    endings.TakeTile(24),
    endings.StealTile(26, 1),
    endings.StealHen(26, 1),
    endings.PinchTile(5, (1,)),
    endings.PinchTile(5, (1, 2)),
    endings.OccupySpot(27),
    endings.StealSpot(27, 1),
    endings.CloseSpot(27),
    endings.TakeSnail(None),
    endings.EndGame(),
    endings.Nothing(endings.WhyNothing.TOO_LOW),
]
#: What else can be said of the end of a turn.
MORE = [
    Outcome("tiles", 25),
    Outcome("spots", 25),
    Outcome("bratworm"),
    *(Outcome("specialist", specialist=each) for each in Specialist if each != Specialist.RAVEN),
]
COSTS = [
    FailureCost(),
    FailureCost(tile=24),
    FailureCost(tile=24, specialist=Specialist.GOLDEN, turned=36),
    FailureCost(specialist=Specialist.HEN),
    FailureCost(turned=36),
    FailureCost(turned=9, miss=True, ends=True),
    FailureCost(snail=36),
    FailureCost(snail=36, plate=1),
    FailureCost(ends=True),
]
MOVES = ("keep:W", "keep:5", "roll", "roll:golden", "stop", "reroll", "bust", "rob:1", "pinch:1")


def test_there_is_one_of_every_ending() -> None:
    assert {type(each) for each in ENDINGS} == {*get_args(endings.Ending)}


def test_a_failed_attempt_that_only_ends_the_game_is_not_said_to_cost_nothing() -> None:
    assert Why("en", NAMES, 0).cost(FailureCost(ends=True)) == "A failed attempt ends the game."


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("you", [None, 0, 1])
def test_every_ending_has_words(language: str, you: int | None) -> None:
    why = Why(language, NAMES, you)
    outcomes = [*map(outcome_of, ENDINGS), *MORE]
    said = set()
    for outcome in outcomes:
        if outcome.kind == "nothing":
            continue
        reason = Reason(
            "keep:W", "keep:5", "clear", Both(0.5, 0.4), Both(0.2, 0.3), outcome, Both(0.62, 0.41)
        )
        sentence = why(reason, "win")
        assert "{" not in sentence
        assert ("Ben" in sentence) is (outcome.seat == 1 and you != 1), sentence
        for chance in (0.62, 0.41, 0.2, 0.3):
            assert messages_in(language).chance(chance) in sentence
        said.add(sentence)
    assert len(said) >= len(outcomes) - 3  # what is stolen and what is pinched may sound alike
    for cost in COSTS:
        assert "{" not in why.cost(cost)
        assert ("Ben" in why.cost(cost)) is (cost.plate == 1 and you != 1)


@pytest.mark.parametrize("language", languages())
def test_every_pair_of_moves_has_words(language: str) -> None:
    why = Why(language, NAMES)
    for better in (*MOVES, "return:hen"):
        for other in (*MOVES, "return:apple"):
            for size in ("equal", "small", "clear"):
                reason = Reason(better, other, size, Both(0.5, 0.4), Both(0.2, 0.3))
                for unit in ("win", "worms"):
                    sentence = why(reason, unit)
                    assert "{" not in sentence
                    assert sentence[0].isupper() or sentence[0].isdigit()


def test_a_reason_names_what_explains_most() -> None:
    """Two ways to say it, with numbers that brute force has confirmed."""
    state = rules.new_game("classic", 2)
    for move in ("roll", "=1124445W"):
        state = after(state, move)
    memo = TurnMemo(WORMS)
    weighed = memo.weigh(state)
    said = {
        reason.other: Why("en", NAMES)(reason, "worms") for reason in reasons(state, weighed, memo)
    }
    assert weighed[0].move == "keep:4"
    assert said["keep:W"].startswith("Keeping 4s brings ")
    assert " instead of " in said["keep:W"]


def test_stopping_and_rolling_are_set_against_each_other() -> None:
    state = rules.new_game("classic", 2)
    for move in ("roll", "=5555WWW1", "keep:5", "roll", "=WWW1", "keep:W"):
        state = after(state, move)
    memo = TurnMemo(value_for(state.table))
    (reason,) = reasons(state, memo.weigh(state), memo)
    assert reason.sure == Outcome("take", 35)
    assert Why("en", NAMES)(reason, "win").startswith("Stopping brings tile 35 for sure; rolling ")


def test_moves_that_are_worth_the_same_are_equally_good() -> None:
    reason = Reason("keep:W", "keep:5", "equal", Both(0.5, 0.4999), Both(0.1, 0.2))
    assert Why("en", NAMES)(reason, "win") == "Keeping worms and keeping 5s are equally good."
    assert "hardly" in Why("en", NAMES)(replace_size(reason, "small"), "win")


def replace_size(reason: Reason, size: str) -> Reason:
    return Reason(reason.better, reason.other, size, reason.worth, reason.fail)  # type: ignore[arg-type]


@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_every_decision_of_a_game_has_its_reason(edition: str) -> None:
    record: Record = bot_game(edition, 3, seed=5, bot=player("chick"), words=120)
    found = review(record)
    for decision in found.decisions:
        reason = decision.reason
        assert reason is not None
        assert reason.better == decision.choices[0].move
        made = decision.move if decision.move != reason.better else decision.choices[1].move
        assert reason.other == made
        if decision.move != reason.better:
            assert reason.worth.better - reason.worth.other == pytest.approx(
                decision.loss, abs=1e-9
            )
        assert (reason.size == "clear") <= decision.counted
