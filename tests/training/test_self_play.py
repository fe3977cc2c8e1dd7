"""What self-play teaches."""

import numpy as np
import pytest

from heckmeck.bulk.rows import row_rules
from heckmeck.bulk.turns import Ended, PlayedTurns
from heckmeck.rules import EDITIONS, new_game
from heckmeck.training.self_play import FoxPlay, SelfPlay, expected
from heckmeck.values.ahead import Deeper
from heckmeck.values.win import NetworkChances
from tests.values.networks import opinionated


def self_play(edition: str, seats: int, *, turns: int = 3, back: float = 0.0) -> SelfPlay:
    begin = row_rules(edition).row(new_game(edition, seats).table, 0)
    rows = np.repeat(begin[np.newaxis], 16, axis=0)
    return SelfPlay(0, opinionated(edition), rows, begin, seats, turns, 0.2, back, seed=5)


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_players_learn_the_exact_value_of_the_turn(edition: str) -> None:
    rows, targets = self_play(edition, 2).run().lessons
    exact = Deeper(NetworkChances(opinionated(edition))).of(row_rules(edition), rows, 2)
    assert targets == pytest.approx(exact, abs=1e-4)


@pytest.mark.parametrize("edition", EDITIONS)
def test_more_players_learn_their_own_exactly_and_the_others_nearly(edition: str) -> None:
    rows, targets = self_play(edition, 4).run().lessons
    exact = Deeper(NetworkChances(opinionated(edition))).of(row_rules(edition), rows, 4)
    assert targets[:, 0] == pytest.approx(exact[:, 0], abs=1e-4)
    assert targets.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert abs(targets - exact).mean() < 0.02


def test_what_the_player_to_move_has_not_is_the_others_even_after_a_win() -> None:
    """All turns played out ended the game with a win; the turn is not a sure win all the same."""
    ended = Ended(np.zeros((1, 1), np.int8), np.ones(1, np.bool_), np.zeros((1, 3), np.float32))
    values = np.array([[0.0, 0.0, 1.0]], np.float32)
    played = PlayedTurns(np.array([0.8]), values, ended, ended)
    assert expected(played)[0] == pytest.approx([0.8, 0.1, 0.1])


@pytest.mark.machine
def test_the_same_seed_plays_the_same_turns() -> None:
    one, two = self_play("classic", 2).run(), self_play("classic", 2).run()
    assert (one.rows == two.rows).all()
    assert (one.lessons.targets == two.lessons.targets).all()


def test_what_later_turns_correct_is_passed_back() -> None:
    plain = self_play("classic", 3, turns=4).run().lessons
    passed = self_play("classic", 3, turns=4, back=0.9).run().lessons
    assert (plain.rows == passed.rows).all()
    assert plain.targets[-16:] == pytest.approx(passed.targets[-16:], abs=1e-6)
    assert abs(plain.targets[:16] - passed.targets[:16]).max() > 1e-3
    assert passed.targets.sum(axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("edition", ["classic", "barbecue", "junior"])
def test_games_for_worms_teach_how_they_ended(edition: str) -> None:
    begin = row_rules(edition).row(new_game(edition, 3).table, 0)
    lessons = FoxPlay(edition, begin, 3, tables=12, turns=90, explore=0.05, seed=1).run()
    assert len(lessons.rows) == len(lessons.targets) > 200
    assert lessons.targets.sum(axis=1) == pytest.approx(1)
    # With hindsight most games have one winner.
    assert (lessons.targets.max(axis=1) == 1).mean() > 0.8
