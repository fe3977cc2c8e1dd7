"""`heckmeck prepare`: every bot of every game is used once, and the coach."""

import pytest

from heckmeck.bots import BOTS
from heckmeck.coach import Unit, preparing
from heckmeck.coach.advice import advise
from heckmeck.coach.preparing import Part
from heckmeck.rules import EDITIONS, AnyState
from heckmeck.wire.coach import Advice
from tests.cli.terminal import Terminal


def test_every_bot_is_prepared_for_every_game_it_plays(
    monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    done: list[Part] = []
    monkeypatch.setattr(preparing, "prepare", done.append)
    shown = terminal.run("prepare")
    assert shown.status == 0
    assert shown.out.startswith("The bots and the coach are ready (")
    assert len(set(done)) == len(done)
    assert {part.bot for part in done} == set(BOTS)
    assert {part.edition for part in done} == set(EDITIONS)


def test_quiet_says_nothing(monkeypatch: pytest.MonkeyPatch, terminal: Terminal) -> None:
    monkeypatch.setattr(preparing, "parts", list)
    assert terminal.run("prepare", "--quiet") == (0, "", "")


@pytest.mark.parametrize("edition", EDITIONS)
def test_both_units_of_the_coach_are_asked(monkeypatch: pytest.MonkeyPatch, edition: str) -> None:
    asked: set[Unit | None] = set()

    def noted(state: AnyState, unit: Unit | None = None) -> Advice:
        asked.add(unit)
        return advise(state, unit)

    monkeypatch.setattr(preparing, "advise", noted)
    preparing.prepare(Part(edition, "champion"))
    assert asked == {"worms", None}
