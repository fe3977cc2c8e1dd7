"""Positions played on: every move, the same anywhere, and in agreement with the coach."""

from collections import Counter
from dataclasses import replace
from math import inf

import pytest

from heckmeck.arena.pace import LARGEST, Pace
from heckmeck.arena.rollout import FEWEST, Piece, PieceResult, Rollout, Rounds, cut
from heckmeck.bots import player
from heckmeck.coach.advice import advise
from heckmeck.record import Record, replay
from heckmeck.rules import apply, legal, outcome, parse, throws, word
from tests.bots.games import NAMES, bot_game


def position(seats: int = 2) -> Record:
    """Return the beginning of a game of junior, in which the player may stop or roll."""
    words = ("roll", "=WWWCGK", "keep:W", "roll", "=CCG", "keep:C")
    return Record("junior", NAMES[:seats], moves=tuple(map(parse, words)))


def done(rollout: Rollout, games: int) -> Rounds:
    rounds = Rounds(rollout)
    for piece in cut(rollout, games):
        rounds.take(piece.run())
    return rounds


@pytest.mark.parametrize("seats", [2, 3])
def test_moves_are_worth_what_the_coach_says(seats: int) -> None:
    """The champion's network agrees with games of the champion, within what both can know."""
    rollout = Rollout(position(seats), "champion", seed=4)
    rounds = done(rollout, 128)
    assert rounds.games == 128
    values = {each.move: each.worth for each in advise(rollout.state, "win").moves}
    assert {each.move for each in rounds.moves} == set(values)
    for each in rounds.moves:
        assert each.share == pytest.approx(values[each.move], abs=5 * each.error + 0.03)
        assert sum(each.by_seat) == pytest.approx(1)
        assert each.error < each.raw_error
    best, *others = rounds.moves
    assert best.behind == best.behind_error == 0
    assert all(each.behind == pytest.approx(best.share - each.share) for each in others)


def test_how_the_rounds_are_split_does_not_matter() -> None:
    rollout = Rollout(position(), "rooster", seed=1)
    whole, split = Rounds(rollout), Rounds(rollout)
    whole.take(Piece(rollout, 0, 4).run())
    for number in (2, 0, 3, 1):
        split.take(Piece(rollout, number, 1).run())
    assert whole.moves == split.moves


def test_a_rollout_has_rounds_enough_to_know_its_error() -> None:
    rollout = Rollout(position(), "chick", seed=1)
    assert sum(piece.count for piece in cut(rollout, 1)) == FEWEST
    assert sum(piece.count for piece in cut(rollout, 1000)) * rollout.games >= 1000
    assert Rounds(rollout).moves == []
    assert Rounds(rollout).error == inf


@pytest.mark.parametrize("rate", [30, 1000])
def test_pieces_begin_small_and_then_take_seconds(rate: int) -> None:
    """Soon there is something to report, and handing out work takes far less than doing it."""
    rollout = Rollout(position(), "chick", seed=1)
    games = rollout.games * len(rollout.moves)
    pace, rounds = Pace(), list[int]()
    for piece in cut(rollout, 100 * rate, workers=2, pace=pace):
        assert piece.first == sum(rounds)
        rounds.append(piece.count)
        pace.note(piece.count * games, piece.count * games / rate)
    assert rounds[:4] == [1, 1, 2, 4] if rate > 100 else rounds[:2] == [1, 1]
    assert sum(rounds) == -(-100 * rate // rollout.games)
    assert max(rounds) * games / rate == pytest.approx(5, abs=games / rate)


def test_rounds_learn_how_long_they_take() -> None:
    rounds = Rounds(Rollout(position(), "chick", seed=1), seconds=2.0)
    rounds.take(PieceResult([], 0.0))
    assert rounds.pace.largest == LARGEST
    made = Piece(rounds.rollout, 0, 1).run()
    rounds.take(replace(made, seconds=0.1))
    assert rounds.pace.largest == 20 * len(rounds.rollout.moves) * rounds.rollout.games


def test_first_throws_are_spread_over_all_of_them() -> None:
    """In a round of as many games as there are ways to fall, each falls as often as it weighs."""
    state = apply(Record("junior", ("Ada", "Ben")).end, parse("roll")).state
    for throw, _ in throws(state):
        state = apply(state, throw).state
        break
    state = apply(apply(state, legal(state)[0]).state, parse("roll")).state
    chances = throws(state)
    rollout = Rollout(position(), "chick", seed=1, games=chances.total)
    first = Piece(rollout, 0, 1).first_throws(state, 0)
    assert Counter(map(word, first)) == {word(throw): weight for throw, weight in chances}


def test_a_move_that_ends_the_game_is_worth_its_result() -> None:
    """Nothing is left to chance then."""
    whole = bot_game("junior", 2, seed=1, bot=player("chick"))
    starts = [whole.start(), *(step.state for step in replay(whole))]
    until = max(
        count
        for count, state in enumerate(starts)
        if any(outcome(apply(state, move).state) for move in legal(state))
    )
    rollout = Rollout(whole.first_moves(until), "chick", seed=2)
    found = {each.move: each for each in done(rollout, 1).moves}
    for move in rollout.moves:
        end = outcome(apply(rollout.state, move).state)
        if end is not None:
            rolled = found[word(move)]
            assert rolled.by_seat == pytest.approx(end.shares)
            assert rolled.error == rolled.raw_error == 0
