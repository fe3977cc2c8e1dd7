"""A game looked at afterwards."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heckmeck import rules
from heckmeck.bots import player
from heckmeck.coach.review import review as review_in
from heckmeck.dice import SeededLuck
from heckmeck.record import Record, read_record
from heckmeck.wire.coach import Review

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
    assert found.players[0].loss >= 0
    assert found.players[0].luck == pytest.approx(sum(t.luck for t in found.throws if t.seat == 0))


def test_luck_averages_out_over_all_throws() -> None:
    """The mean luck of a first throw, weighed by its chance, is nothing."""
    state = rules.apply(rules.new_game("junior", 2), rules.parse("roll")).state
    mean = (
        sum(
            weight
            * review(Record("junior", ("Ada", "Ben"), moves=(rules.parse("roll"), throw)))
            .throws[0]
            .luck
            for throw, weight in rules.throws(state)
        )
        / rules.throws(state).total
    )
    assert mean == pytest.approx(0.0, abs=1e-9)


def test_a_review_names_every_player() -> None:
    found = review(read_record(OPENING.read_bytes()))
    assert (found.unit, len(found.players)) == ("worms", 2)
