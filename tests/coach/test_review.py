"""A game looked at afterwards."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heckmeck import rules
from heckmeck.bots import player
from heckmeck.coach.review import review as review_in
from heckmeck.dice import SeededLuck
from heckmeck.record import Record, read_record, replay
from heckmeck.rules.state import Over
from heckmeck.values.network import hash_of
from heckmeck.values.win import networks_of, win_chance
from heckmeck.wire.coach import Review, Unit
from tests.bots.games import bot_game

OPENING = Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt"


def review(record: Record) -> Review:
    """A review in worms, which does not depend on any training."""
    return review_in(record, "worms")


def played_by(bot: str, edition: str, seed: int, words: int) -> Record:
    """Return the beginning of a game that ``bot`` plays against itself."""
    record = Record(edition, ("Ada", "Ben"))
    luck, state = SeededLuck(seed), record.start()
    moves: list[rules.Move] = []
    while len(moves) < words and rules.outcome(state) is None:
        chances = rules.throws(state)
        move = luck.throw(chances) if chances else player(bot).choose(state, luck)
        state, _ = rules.apply(state, move)
        moves.append(move)
    return Record(edition, ("Ada", "Ben"), moves=tuple(moves))


@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=3)
def test_the_fox_makes_no_mistakes_in_its_own_eyes(edition: str, seed: int) -> None:
    found = review(played_by("fox", edition, seed, 120))
    assert all(decision.loss <= 1e-9 for decision in found.decisions)


@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=3)
def test_every_decision_and_every_throw_is_looked_at(edition: str, seed: int) -> None:
    record = played_by("random", edition, seed, 120)
    found = review(record)
    throws = [i for i, move in enumerate(record.moves) if rules.word(move).startswith("=")]
    assert [throw.index for throw in found.throws] == throws
    for decision in found.decisions:
        assert decision.move == rules.word(record.moves[decision.index])
        assert decision.loss >= 0
        assert len(decision.choices) > 1


def test_a_mistake_costs_what_the_best_move_would_have_brought_more() -> None:
    """Ben keeps a 4 and stops at 28 instead of throwing on: the figures are `advise`'s."""
    found = review(read_record(OPENING.read_bytes()))
    by_index = {decision.index: decision for decision in found.decisions}
    kept_worm = by_index[12]
    assert kept_worm.choices[0].move == "keep:W"
    assert kept_worm.loss == 0
    assert found.players[0].given_away >= 0
    assert found.players[0].luck == pytest.approx(sum(throw.luck[0] for throw in found.throws))


def test_luck_averages_out_over_all_throws() -> None:
    """The mean luck of a first throw, weighed by its chance, is nothing."""
    state = rules.apply(rules.new_game("junior", 2), rules.parse("roll")).state
    mean = (
        sum(
            weight
            * review(Record("junior", ("Ada", "Ben"), moves=(rules.parse("roll"), throw)))
            .throws[0]
            .luck[0]
            for throw, weight in rules.throws(state)
        )
        / rules.throws(state).total
    )
    assert mean == pytest.approx(0.0, abs=1e-9)


def test_a_review_names_every_player() -> None:
    found = review(read_record(OPENING.read_bytes()))
    assert (found.unit, len(found.players)) == ("worms", 2)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_every_part_of_a_result_is_accounted_for(edition: str, seats: int) -> None:
    """Result = chance at the start + luck + what decisions moved + what the evaluator corrected."""
    record = bot_game(edition, seats, seed=seats, bot=player("rooster"), words=1500)
    found = review_in(record)
    assert found.chances is not None
    throws, jumps = np.array([each.luck for each in found.throws]), found.jumps
    assert np.abs(throws.sum(axis=1)).max() < 1e-12
    for seat, player_ in enumerate(found.players):
        assert player_.luck == pytest.approx(throws[:, seat].sum(), abs=1e-9)
        if player_.result is not None:
            assert player_.adjusted == player_.result - player_.luck
            assert player_.moved is not None
            between = sum(jump.by_seat[seat] for jump in jumps)
            parts = (found.chances[0][seat], player_.luck, player_.moved, between)
            assert player_.result == pytest.approx(sum(parts), abs=1e-7)
            assert player_.residual == pytest.approx(between, abs=1e-7)
    assert any(each.result is not None for each in found.players) or edition == "deluxe"


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("edition", rules.EDITIONS)
def test_both_sides_of_a_turns_end_are_kept_apart(edition: str, seats: int) -> None:
    """The last move of a turn is seen as the turn saw it; what the next turn sees is a jump."""
    record = bot_game(edition, seats, seed=8, bot=player("chick"), words=400)
    found, value = review_in(record), win_chance(edition)
    assert found.chances is not None
    assert value is not None
    jumps = {jump.index: jump.by_seat for jump in found.jumps}
    seat = record.start().seat
    for step in replay(record):
        passed = step.state.seat != seat and not isinstance(step.state.phase, Over)
        at = step.index + 1
        if passed:
            (seen,) = value.chances([step.state])
            assert found.chances[at] == pytest.approx(seen, abs=1e-6)
        else:
            assert at not in jumps
        seat = step.state.seat
    assert max(abs(jump) for by_seat in jumps.values() for jump in by_seat) > 0.001


@pytest.mark.parametrize("unit", ["win", "worms"])
def test_marks_and_counted_decisions_follow_from_the_values(unit: Unit) -> None:
    found = review_in(bot_game("classic", 3, seed=3, words=600), unit)
    marks = {"win": (0.02, 0.05, 0.1), "worms": (0.15, 0.4, 0.9)}[unit]
    names = (None, "inaccuracy", "mistake", "blunder")
    for decision in found.decisions:
        worths = [choice.worth for choice in decision.choices]
        made = next(c.worth for c in decision.choices if c.move == decision.move)
        assert decision.loss == pytest.approx(worths[0] - made, abs=1e-9)
        assert decision.mark == names[sum(decision.loss >= least for least in marks)]
        if unit == "win":
            assert decision.counted == (worths[0] - worths[-1] >= 0.005)
    for seat, figures in enumerate(found.players):
        own = [each for each in found.decisions if each.seat == seat]
        assert figures.given_away == pytest.approx(sum(each.loss for each in own))
        assert figures.counted == sum(each.counted for each in own)
        if unit == "win":
            mean = sum(each.loss for each in own if each.counted) / figures.counted
            assert figures.error_rate == pytest.approx(1000 * 3 / 2 * mean)
            assert figures.pr == pytest.approx(500 * 3 / 2 * mean)
        else:
            assert figures.error_rate is None
            assert figures.grade is None


def test_a_review_names_its_evaluator_by_its_weights() -> None:
    record = bot_game("junior", 2, seed=1, words=20)
    near, deep = review_in(record), review_in(record, deeper=True)
    assert near.evaluator == f"junior {hash_of(networks_of('junior'))}"
    assert deep.evaluator == f"{near.evaluator}, one turn deeper"
    assert review(record).evaluator == "worms"


def test_a_game_that_has_not_begun_has_a_review() -> None:
    found = review_in(Record("deluxe", ("Ada", "Ben", "Cleo")))
    assert found.chances is not None
    assert len(found.chances) == 1
    assert sum(found.chances[0]) == pytest.approx(1)
    assert found.players[0].adjusted is None


def test_a_review_says_how_much_of_it_is_done() -> None:
    record = played_by("rooster", "junior", 3, 40)
    done: list[float] = []
    found = review_in(record, progress=done.append)
    assert found == review_in(record)
    count = len(found.decisions)
    assert done == [number / count for number in range(count + 1)]
