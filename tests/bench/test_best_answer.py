"""The best answer to `fox`: it learns, and says what it has learned."""

import itertools

import pytest

from bench import best_answer
from bench.best_answer import SEATS, TABLES, TURNS, Answer, Lead, Student, answer, markdown, train
from heckmeck.training.exams import Mark
from heckmeck.values.win import networks_of


def student() -> Student:
    for_two = next(each for each in networks_of("junior") if each.seats == (SEATS, SEATS))
    return Student(for_two, seed=1)


def test_against_fox_there_is_more_to_win_than_against_the_champion() -> None:
    learning = student()
    at_first = learning.lead
    assert at_first.mean == pytest.approx(0.5, abs=1e-6)
    for number in range(3):
        learning.study(part=number / 60)
    assert learning.positions == 3 * SEATS * TABLES * TURNS
    assert learning.lead.mean > at_first.mean + 0.002


def test_a_training_that_is_stopped_still_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = itertools.count()

    def stopped(_: Student, part: float) -> None:
        assert part < 1
        if next(rounds) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(best_answer.Student, "study", stopped)
    assert [*train(student(), minutes=5)] == ["stopped; now the games."]
    rounds = itertools.count()
    found = answer("junior", minutes=5, games=20)
    assert found.mark.games == 20
    assert found.positions == 0


def test_the_page_says_what_was_found() -> None:
    mark = Mark("fox", 2, 20_000, 0.5396, 0.5326, 0.5464)
    row = markdown(Answer("classic", 1_000_000, Lead(0.56, 0.52), mark)).splitlines()[-1]
    assert row == "| classic | 1,000,000 | 54.0 | 20,000 | 54.0 (53.3 to 54.6) |"
